#include "access/jwt/issuers.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace partyline::access {
namespace {

// Of good claims: it is a time that has come, if it is there.
std::optional<issuers::time_point> issued_at(const object_members& claims)
{
    const std::optional<double> seconds = number_of(claims.find("iat"));
    if (!seconds)
        return std::nullopt;
    return issuers::time_point(
        std::chrono::duration_cast<issuers::time_point::duration>(std::chrono::duration<double>(*seconds)));
}

} // namespace

issuers::issuers(std::vector<issuer_settings> all, std::shared_ptr<issuer_services> services, const issuers* before)
    : services_(std::move(services))
{
    const auto known = [&](const document_request& from) {
        const std::span<const issuer> ones = before ? std::span(before->all_) : std::span<const issuer>();
        const auto same = std::find_if(ones.begin(), ones.end(), [&](const issuer& one) {
            return one.fetched && one.fetched->from().url == from.url &&
                   one.fetched->from().allow_private == from.allow_private;
        });
        return same != ones.end() ? same->fetched : std::make_shared<issuer_keys>(from, services_);
    };
    for (issuer_settings& one : all) {
        std::shared_ptr<issuer_keys> fetched = one.keys ? nullptr : known(one.jwks);
        all_.push_back({std::move(one), std::move(fetched)});
    }
}

void issuers::fetch_keys(time_point now) const noexcept
{
    for (const issuer& one : all_) {
        try {
            if (one.fetched)
                one.fetched->current(now);
        } catch (...) { // no memory: its first token tries it again
        }
    }
}

std::optional<token_verdict> issuers::verify(std::string_view token, time_point now,
                                             token_history history) const noexcept
try {
    if (all_.empty())
        return std::nullopt;
    const std::optional<compact_jwt> read = read_compact(token);
    const issuer* const by = read ? find(read->claims) : nullptr;
    if (!by)
        return std::nullopt;
    return judge(*by, *read, now, history);
} catch (...) { // no memory
    return token_verdict{authentication_outcome::unavailable, {}};
}

const issuers::issuer* issuers::find(const object_members& claims) const
{
    const std::optional<std::string> name = text_of(claims.find("iss"));
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const issuer& one) { return one.settings.claims.issuer == name; });
    return found == all_.end() ? nullptr : &*found;
}

// What costs nothing comes first. But that a token has expired, or is another server's, is said only of genuine ones.
token_verdict issuers::judge(const issuer& by, const compact_jwt& token, time_point now, token_history history) const
{
    token_verdict verdict = check_claims(token.claims, by.settings.claims, now);
    if (verdict.outcome == authentication_outcome::invalid)
        return verdict;
    const bool is_good = verdict.outcome == authentication_outcome::admitted;
    token_verdict signature = check_signature(by, token, is_good, now, history);
    if (signature.outcome != authentication_outcome::admitted)
        return signature;
    verdict.key = std::move(signature.key);
    return verdict;
}

// `is_good`: its claims are, so that it is worth to look for its key.
token_verdict issuers::check_signature(const issuer& by, const compact_jwt& token, bool is_good, time_point now,
                                       token_history history) const
{
    const std::shared_ptr<const key_set> keys = keys_of(by, now);
    if (!keys)
        return {authentication_outcome::unavailable, {}};
    const key_set::match match = keys->find(token.key_id, token.algorithm);
    if (!match.key) {
        const bool may_come =
            !match.is_known && is_good && by.fetched && by.fetched->may_come(now, issued_at(token.claims));
        return {may_come ? authentication_outcome::unavailable : authentication_outcome::invalid, {}};
    }
    const bool has_quota = services_->signatures->take(now, match.key->cost());
    if (!has_quota && history == token_history::unknown)
        return {authentication_outcome::unavailable, {}};
    if (!match.key->has_signed(token.signed_part, token.algorithm, token.signature))
        return {authentication_outcome::invalid, {}};
    return {authentication_outcome::admitted, {}, std::shared_ptr<const verification_key>(keys, match.key)};
}

std::shared_ptr<const key_set> issuers::keys_of(const issuer& by, time_point now) const
{
    return by.fetched ? by.fetched->current(now) : by.settings.keys;
}

// Keys that can't be fetched for a while end nothing.
bool issuers::may_have(std::string_view name, const verification_key& key, time_point now) const
{
    for (const issuer& one : all_)
        if (one.settings.claims.issuer == name) {
            const std::shared_ptr<const key_set> keys = keys_of(one, now);
            return !keys || keys->has(key);
        }
    return false;
}

} // namespace partyline::access
