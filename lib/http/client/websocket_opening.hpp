#pragma once

#include "http/connections/client_request.hpp"
#include "http/connections/connector.hpp"
#include "http/wire/received_head.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// The request that opens a WebSocket (RFC 6455 §4.1), and the check of its answer.
class websocket_opening {
public:
    /// `offered` are the subprotocols, the favourite first. Throws `system_error` where the system has no random
    /// numbers.
    explicit websocket_opening(std::vector<std::string> offered);

    client_request request(std::string target, const std::vector<field_text>& fields) const;
    /// Why the answer does not open a WebSocket; empty when it does.
    std::string problem(const received_head& head) const;

private:
    std::vector<std::string> offered_;
    std::string key_;
};

/// A connection that has become a WebSocket.
struct opened_websocket {
    socket_channel channel;
    std::string subprotocol; // that the server has chosen; empty: none
};

/// Opens a WebSocket, with one of the `subprotocols`, the favourite first. A request that is refused for its token is
/// repeated with other ones: see `request_token`.
///
/// Fails with       as `connector::open`, `client_connection::send` and `request_token`; errc::http_status: it was
///                  refused; errc::bad_reply: the answer is not right
/// Lifetime         `by` lives longer
boost::asio::awaitable<opened_websocket> open_websocket(const connector& by, std::vector<std::string> subprotocols);

} // namespace partyline::http
