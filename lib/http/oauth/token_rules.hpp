#pragma once

#include "http/oauth/discovery.hpp"
#include "http/oauth/scope_set.hpp"
#include "http/oauth/token_store.hpp"

#include <partyline/http/token_source.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

// The decisions about tokens: which one a request gets, and how the next one is got.

/// What comes next for a request that needs a token.
enum class token_step : std::uint8_t {
    use,        ///< the access token is sent
    go_without, ///< the request is sent without one, and the server says what it wants
    renew,      ///< another token is needed
    refuse,     ///< no token helps
};

/// What is known besides the tokens.
struct token_situation {
    held_tokens::time_point now = {};
    /// Whether tokens can be had without a person: by a refresh token, or since the program logs in for itself.
    bool can_renew_alone = false;
    /// Whether a token has been got since the request began to wait: it is used even if it expires at once.
    bool has_just_renewed = false;
    /// Whether nothing is to be had without a refusal by the server for now: the token that there is gets the server to
    /// say what it wants, be it expired.
    bool waits_for_refusal = false;
};

/// `after`: the refusal of the request; nothing: it has not been sent yet.
token_step next_step(const held_tokens& tokens, const std::optional<challenge>& after, const token_situation& is);

/// Whether a token is got by the refresh token. 403 is none of these cases: the next token would have the same scopes.
/// `has_just_refreshed`: the one that was refused came from a refresh after a refusal.
bool is_refresh_due(const held_tokens& tokens, const std::optional<challenge>& after, bool has_just_refreshed);

/// What a login asks for: what the server names, what was asked for and granted before, and what the user wants.
/// Without any of the first two, all that the server supports. `wants_refresh`: a person logs in, and is not to be
/// asked often.
scope_set scopes_to_ask(const std::optional<challenge>& after, const held_tokens& tokens, const scope_set& by_user,
                        const server_metadata& server, const issuer_metadata& issuer, bool wants_refresh);

/// Whether two secrets are the same, without telling by the time it takes how much of them is.
bool is_same_secret(std::string_view one, std::string_view other) noexcept;
/// Whether both have the same access token and the same refresh token.
bool is_same_pair(const held_tokens& one, const held_tokens& other) noexcept;

/// When a token is no longer used: 60 s before it expires, or half of its lifetime where that is shorter.
std::optional<held_tokens::time_point> usable_until(held_tokens::time_point asked_at,
                                                    std::optional<std::chrono::seconds> lifetime);

/// A refusal in the server's words, for a person; without the token that was refused.
std::string words_of(const challenge& refusal);

/// Ends what else would be a loop: logins after each of which the server refuses the token again.
class login_limit {
public:
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr std::size_t most = 3; // for the same scopes
    static constexpr std::chrono::minutes period{5};

    /// Whether there may be one more after a refusal.
    bool allows(const scope_set& scopes, time_point now);
    /// There has been one after a refusal, and it has brought a token.
    void count(const scope_set& scopes, time_point now);

private:
    struct entry {
        time_point at;
        std::string scopes;
    };
    std::deque<entry> counted_; // no more than are allowed
};

} // namespace partyline::http
