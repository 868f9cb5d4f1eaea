#pragma once

#include <partyline/config.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace partyline::access {

/// Checks tokens that a `gate` does not know by its file, such as keys in a store of one's own.
class PARTYLINE_EXPORT authenticator {
public:
    virtual ~authenticator() = default;

    /// Returns the peer that a token stands for, with `principal`, `source`, `scopes` and `until`; nothing for an
    /// unknown token. `principal` and `source` have 1 to 256 bytes without control characters; a peer with others is
    /// refused. The gate keeps the result for up to 5 minutes, by the token's SHA-256, and judges the peer by the rules
    /// of its file. A conversation that lasts keeps its peer until `until`.
    ///
    /// Called from any thread, for each token that is not known yet, while requests wait: it must not block.
    virtual std::optional<peer_identity> check(std::string_view token,
                                               std::chrono::system_clock::time_point now) noexcept = 0;
};

} // namespace partyline::access
