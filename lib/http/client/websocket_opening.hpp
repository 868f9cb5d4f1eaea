#pragma once

#include "http/connections/client_request.hpp"
#include "http/connections/connector.hpp"
#include "http/wire/received_head.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// What a client asks for that would go on by WebSocket (RFC 6455 §4.1), and whether it was answered.
class websocket_opening {
public:
    /// With subprotocols that are offered, the favourite first. Throws `system_error` where the system has no random
    /// numbers.
    explicit websocket_opening(std::vector<std::string> offered);

    client_request request(std::string target, const std::vector<field_text>& fields) const;
    /// Why the answer is none that the connection goes on by; empty when it is one.
    std::string problem(const received_head& head) const;

private:
    std::vector<std::string> offered_;
    std::string key_;
};

/// A connection that goes on by WebSocket.
struct opened_websocket {
    socket_channel channel;
    std::string subprotocol; // that the server has chosen; empty: none
};

/// Opens a connection that goes on by WebSocket.
///
/// Fails with       as `connector::open` and `client_connection::send`; errc::http_status: it was refused;
///                  errc::bad_reply: what came is no right answer
/// Lifetime         `by` lives longer
boost::asio::awaitable<opened_websocket> open_websocket(const connector& by, websocket_opening asked);

} // namespace partyline::http
