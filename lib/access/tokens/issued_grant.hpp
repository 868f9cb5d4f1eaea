#pragma once

#include "access/tokens/credential.hpp"

#include <partyline/session/access_control.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace partyline::access {

class verification_key;

/// A grant of a gate, and what the gate needs to look at it again after its file has changed.
struct issued_grant final : access_grant {
    /// What vouches for the peer.
    enum class origin : std::uint8_t { file, issuer, authenticator };

    /// What it was issued for.
    credential shown = {};
    origin from = origin::file;
    /// Of an issuer: its text in the file.
    std::shared_ptr<const std::string> issuer = {};
    /// Of an issuer: its key that has signed the token.
    std::shared_ptr<const verification_key> key = {};
    /// The scopes without what they imply, where the file does not have them.
    std::vector<std::string> own_scopes = {};
    /// The reading of the file by which it was looked at last.
    mutable std::atomic<std::uint64_t> epoch = 0;
};

} // namespace partyline::access
