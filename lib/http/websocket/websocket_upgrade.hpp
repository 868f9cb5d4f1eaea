#pragma once

#include "http/wire/request_head.hpp"

#include <span>
#include <string>
#include <string_view>

namespace partyline::http {

/// What a client asks for that would go on by WebSocket (RFC 6455 §4.2.1), and what it is answered.
struct websocket_upgrade {
    int status = 101;
    std::string problem; // where it is refused, in words for the client
    std::string fields;  // of the answer, each with its line end

    bool is_refused() const noexcept { return status != 101; }
};

/// Of the subprotocols that the client offers the first one is taken that is among `served`; none where there is none,
/// which the client may not like.
websocket_upgrade read_upgrade(const request_head& head, std::span<const std::string_view> served);

/// What a server shows that it has understood a key (RFC 6455 §4.2.2).
std::string accept_value(std::string_view key);

} // namespace partyline::http
