#include "http/oauth/token_rules.hpp"

#include "http/access/hidden_secret.hpp"
#include "http/wire/characters.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>

#include <openssl/crypto.h>

namespace partyline::http {
namespace {

constexpr std::size_t max_counted_logins = 64;

bool is_usable(const held_tokens& tokens, held_tokens::time_point now) noexcept
{
    return !tokens.access.empty() && (!tokens.usable_until || now < *tokens.usable_until);
}

bool is_for_want_of_scopes(const challenge& refusal) noexcept
{
    return refusal.error == "insufficient_scope" || (refusal.error.empty() && !refusal.scope.empty());
}

// Whether it asks for anything but a token, such as a password: no login helps then.
bool is_for_another_scheme(const challenge& refusal)
{
    return !refusal.scheme.empty() && lower_case(refusal.scheme) != "bearer";
}

// Whether the access token may be what the request lacks.
bool may_help(const held_tokens& tokens, const challenge& refusal)
{
    if (is_same_secret(tokens.access, refusal.refused_token))
        return false;
    return refusal.status != 403 || tokens.asked.has_all(scope_set::read(refusal.scope));
}

} // namespace

token_step next_step(const held_tokens& tokens, const std::optional<challenge>& after, const token_situation& is)
{
    const bool is_used_anyway = is.has_just_renewed || (is.waits_for_refusal && !after);
    const bool is_usable_now = is_usable(tokens, is.now) || (is_used_anyway && !tokens.access.empty());
    if (!after && is_usable_now)
        return token_step::use;
    if (!after)
        return is.can_renew_alone && !is.has_just_renewed ? token_step::renew : token_step::go_without;
    if (is_for_another_scheme(*after) || (after->status == 403 && !is_for_want_of_scopes(*after)))
        return token_step::refuse;
    const bool is_new = is.has_just_renewed && after->status != 403; // even if the issuer has only repeated it
    return is_usable_now && (is_new || may_help(tokens, *after)) ? token_step::use : token_step::renew;
}

bool is_refresh_due(const held_tokens& tokens, const std::optional<challenge>& after, bool has_just_refreshed)
{
    if (tokens.refresh.empty())
        return false;
    return !after || (after->status != 403 && !has_just_refreshed);
}

scope_set scopes_to_ask(const std::optional<challenge>& after, const held_tokens& tokens, const scope_set& by_user,
                        const server_metadata& server, const issuer_metadata& issuer, bool wants_refresh)
{
    scope_set all = tokens.asked;
    all.add(tokens.granted);
    if (after)
        all.add(scope_set::read(after->scope));
    if (all.empty())
        all = server.scopes_supported;
    // Whether there are refresh tokens is between the client and the authorization server (MCP 2026-07-28).
    all.remove(offline_access);
    all.add(by_user);
    if (wants_refresh && !all.empty() && issuer.scopes_supported.has(offline_access))
        all.add(offline_access);
    return all;
}

std::optional<held_tokens::time_point> usable_until(held_tokens::time_point asked_at,
                                                    std::optional<std::chrono::seconds> lifetime)
{
    constexpr std::chrono::seconds usual_margin{60};
    if (!lifetime)
        return std::nullopt;
    return asked_at + (*lifetime - std::min(usual_margin, *lifetime / 2));
}

std::string words_of(const challenge& refusal)
{
    const auto shown = [&](const std::string& text) {
        constexpr std::size_t longest = 300;
        return printable(without_secret(text, refusal.refused_token), longest);
    };
    std::string words = "the server refuses the request: status " + std::to_string(refusal.status);
    if (is_for_another_scheme(refusal))
        words += ", and asks for '" + shown(refusal.scheme) + "' instead of a Bearer token";
    if (!refusal.error.empty())
        words += ", " + shown(refusal.error);
    if (!refusal.error_description.empty())
        words += ": " + shown(refusal.error_description);
    if (!refusal.scope.empty())
        words += "; it takes the scopes '" + shown(refusal.scope) + "'";
    return words;
}

bool is_same_secret(std::string_view one, std::string_view other) noexcept
{
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

bool is_same_pair(const held_tokens& one, const held_tokens& other) noexcept
{
    return is_same_secret(one.access, other.access) && is_same_secret(one.refresh, other.refresh);
}

bool login_limit::allows(const scope_set& scopes, time_point now)
{
    while (!counted_.empty() && now - counted_.front().at >= period)
        counted_.pop_front();
    const std::string wanted = scopes.sorted_text();
    const auto same =
        std::count_if(counted_.begin(), counted_.end(), [&](const entry& one) { return one.scopes == wanted; });
    return static_cast<std::size_t>(same) < most && counted_.size() < max_counted_logins;
}

void login_limit::count(const scope_set& scopes, time_point now)
{
    counted_.push_back({now, scopes.sorted_text()});
}

} // namespace partyline::http
