#include "jwt/jwt_fixture.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <vector>

namespace partyline::test {

const jwt_signer& key_of(std::string_view algorithm)
{
    static std::map<std::string, jwt_signer, std::less<>> keys;
    const auto found = keys.find(algorithm);
    if (found != keys.end())
        return found->second;
    return keys.emplace(algorithm, jwt_signer(std::string(algorithm))).first->second;
}

std::string good_claims(std::string_view more)
{
    return claims_without("", more);
}

std::string claims_without(std::string_view name, std::string_view more)
{
    const std::vector<std::pair<std::string_view, std::string>> all = {
        {"iss", '"' + std::string(issuer_name) + '"'},
        {"aud", '"' + std::string(our_name) + '"'},
        {"sub", R"("alice")"},
        {"scope", R"("files:write files:read")"},
        {"iat", "1799999990"},
        {"exp", "1800000300"},
    };
    std::string text = "{";
    for (const auto& [claim, value] : all)
        if (claim != name)
            text.append(text.size() == 1 ? "\"" : ",\"").append(claim).append("\":").append(value);
    return text.append(more) + '}';
}

access::claim_rules our_rules()
{
    access::claim_rules rules;
    rules.issuer = issuer_name;
    rules.audiences = {"https://other.example.org", std::string(our_name)};
    return rules;
}

one_issuer::one_issuer(const std::string& keys, access::claim_rules rules)
{
    services->signatures = &signatures;
    access::issuer_settings settings;
    settings.claims = std::move(rules);
    settings.keys = access::read_key_set(keys).keys;
    std::vector<access::issuer_settings> list;
    list.push_back(std::move(settings));
    all = access::issuers(std::move(list), services, nullptr);
}

std::string one_issuer::judge(std::string_view token, std::chrono::system_clock::time_point now) const
{
    return words(all.verify(token, now));
}

std::string words(authentication_outcome outcome)
{
    switch (outcome) {
    case authentication_outcome::admitted: return "admitted";
    case authentication_outcome::invalid: return "invalid";
    case authentication_outcome::expired: return "expired";
    case authentication_outcome::wrong_audience: return "wrong audience";
    case authentication_outcome::unavailable: return "unavailable";
    default: return "impossible";
    }
}

std::string words(const std::optional<access::token_verdict>& verdict)
{
    return verdict ? words(verdict->outcome) : "nobody's";
}

} // namespace partyline::test
