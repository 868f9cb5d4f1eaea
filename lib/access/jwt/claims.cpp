#include "access/jwt/claims.hpp"

#include "access/names.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace partyline::access {
namespace {

using time_point = std::chrono::system_clock::time_point;
using seconds = std::chrono::duration<double>;

constexpr double max_time = 253402300799;                 // the end of the year 9999: milliseconds are more
constexpr std::chrono::seconds longest_until{9000000000}; // the year 2255: what a clock of nanoseconds can have

// A time as RFC 7519 §2 has it: seconds since 1970, with a fraction or without. Unset where it is none.
std::optional<double> time_of(json_view value)
{
    const std::optional<double> number = number_of(value);
    return number && *number >= 0 && *number <= max_time ? number : std::nullopt;
}

/// The times of a token.
struct validity {
    double begin = 0; // the later one of `nbf` and `iat`
    double end = 0;
};

std::optional<validity> read_validity(const object_members& claims)
{
    const std::optional<double> end = time_of(claims.find("exp"));
    if (!end)
        return std::nullopt;
    validity read{0, *end};
    for (const std::string_view name : {"nbf", "iat"}) {
        const json_view value = claims.find(name);
        const std::optional<double> begin = value.empty() ? 0 : time_of(value);
        if (!begin)
            return std::nullopt;
        read.begin = std::max(read.begin, *begin);
    }
    return read;
}

// No more than are needed to tell that they are too many.
std::vector<std::string> split_at_spaces(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty() && words.size() <= max_own_scopes) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end != 0)
            words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

// Nothing where they are no list of texts, or too many. A text that is no scope is left out, since no rule can ask for
// it: issuers put names of people's roles there, too, such as "Domain Users".
std::optional<std::vector<std::string>> read_scopes(json_view value)
{
    std::vector<std::string> scopes;
    if (const std::optional<std::string> text = text_of(value)) {
        scopes = split_at_spaces(*text);
    } else if (const std::optional<std::vector<json_view>> elements = elements_of(value)) {
        if (elements->size() > max_own_scopes)
            return std::nullopt;
        for (const json_view element : *elements) {
            std::optional<std::string> one = text_of(element);
            if (!one)
                return std::nullopt;
            scopes.push_back(std::move(*one));
        }
    } else if (!value.empty()) {
        return std::nullopt;
    }
    if (scopes.size() > max_own_scopes)
        return std::nullopt;
    std::erase_if(scopes, [](const std::string& one) { return !is_scope(one); });
    std::sort(scopes.begin(), scopes.end());
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    return scopes;
}

enum class audience_claim { malformed, other, ours };

// A text or a list of texts: RFC 7519 §4.1.3.
audience_claim read_audience(json_view value, const std::vector<std::string>& ours)
{
    if (value.empty())
        return audience_claim::other;
    const std::vector<json_view> names = elements_of(value).value_or(std::vector<json_view>{value});
    bool has_ours = false;
    for (const json_view one : names) {
        const std::optional<std::string> name = text_of(one);
        if (!name)
            return audience_claim::malformed;
        has_ours = has_ours || std::find(ours.begin(), ours.end(), *name) != ours.end();
    }
    return has_ours ? audience_claim::ours : audience_claim::other;
}

token_verdict refused(authentication_outcome outcome)
{
    return {outcome, {}};
}

} // namespace

token_verdict check_claims(const object_members& claims, const claim_rules& rules, time_point now)
{
    const double time = std::chrono::duration_cast<seconds>(now.time_since_epoch()).count();
    constexpr double leeway = seconds(token_leeway).count();
    const std::optional<validity> valid = read_validity(claims);
    const audience_claim audience = read_audience(claims.find("aud"), rules.audiences);
    const std::optional<std::string> name = text_of(claims.find(rules.principal));
    std::string principal = rules.prefix + name.value_or("");
    std::optional<std::vector<std::string>> scopes = read_scopes(claims.find(rules.scopes));
    if (text_of(claims.find("iss")) != rules.issuer || !valid || time < valid->begin - leeway ||
        audience == audience_claim::malformed || !name || name->empty() || !is_principal(principal) || !scopes)
        return refused(authentication_outcome::invalid);
    if (time >= valid->end + leeway)
        return refused(authentication_outcome::expired);
    if (audience != audience_claim::ours)
        return refused(authentication_outcome::wrong_audience);
    token_verdict admitted{authentication_outcome::admitted, {}};
    admitted.peer.principal = std::move(principal);
    admitted.peer.source = rules.issuer;
    admitted.peer.scopes = std::move(*scopes);
    const auto until = std::min(seconds(valid->end + leeway), seconds(longest_until));
    admitted.peer.until = time_point(std::chrono::duration_cast<time_point::duration>(until));
    return admitted;
}

} // namespace partyline::access
