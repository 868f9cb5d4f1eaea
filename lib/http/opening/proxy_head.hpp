#pragma once

#include <partyline/session/peer_identity.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::http {

/// What a proxy says in front of a connection: from where its client comes (the PROXY protocol, 1 and 2).
struct proxy_head {
    enum class state : std::uint8_t { more, done, refused };

    state read = state::more;
    std::size_t size = 0; // of what was read
    // The unspecified address: the proxy does not know, or it is none of TCP (UNKNOWN, UNSPEC). Empty: the proxy itself
    // asks (LOCAL).
    std::optional<ip_endpoint> client;
};

/// Reads it from the first bytes of a connection. Of version 2 what may follow the addresses is passed over, up to 2
/// KiB.
proxy_head read_proxy_head(std::string_view bytes);

} // namespace partyline::http
