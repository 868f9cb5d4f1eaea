#pragma once

#include "access/jwt/object_members.hpp"

#include <partyline/session/access_control.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace partyline::access {

class verification_key;

/// What the tokens of an issuer have to claim, and where they do.
struct claim_rules {
    /// The issuer, exactly.
    std::string issuer = {};
    /// The audiences of which a token must name at least one, exactly.
    std::vector<std::string> audiences = {};
    /// The claim that is the principal.
    std::string principal = "sub";
    /// The claim that has the scopes: "scope", "scp".
    std::string scopes = "scope";
    /// Put before each principal, so that those of two issuers differ.
    std::string prefix = {};
};

/// What an issuer's rules say of a token.
struct token_verdict {
    /// `admitted`, `invalid`, `expired`, `wrong_audience`, or `unavailable`, which is not to be kept: the same token
    /// may be judged otherwise a moment later.
    authentication_outcome outcome = authentication_outcome::invalid;
    /// Of a token that is admitted: `principal` with the prefix, `source` (the issuer), `scopes` as the token has them,
    /// sorted, without what they imply, and `until`, its end with the leeway.
    peer_identity peer = {};
    /// The issuer's key that has signed it, where its signature was looked at.
    std::shared_ptr<const verification_key> key = {};
};

/// For how long a token is good before its time and after it, since clocks differ.
inline constexpr std::chrono::seconds token_leeway{60};

/// Judges the claims of a token (RFC 7519 §4.1, RFC 9068 §2.2), of which the signature is not looked at: `unavailable`
/// does not come.
token_verdict check_claims(const object_members& claims, const claim_rules& rules,
                           std::chrono::system_clock::time_point now);

} // namespace partyline::access
