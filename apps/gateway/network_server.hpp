#pragma once

#include "command_line/login_options.hpp"
#include "gateway/server_source.hpp"

#include <partyline/http/client_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <optional>
#include <string>

namespace gateway {

/// Where a server on the network is, and how it is reached.
struct network_address {
    std::string url;
    /// Its session has the bounds and times that this one's has.
    partyline::http::client_options how;
    /// Each request and notification tells the server of its trace.
    bool is_told_traces = false;
    /// Where the tokens for it come from.
    std::optional<command_line::login_options> login = {};

    bool is_websocket() const;
};

/// A server of MCP over HTTP, or of anything by WebSocket. A session over HTTP is begun again where the server has lost
/// it; one by WebSocket ends with its connection, and why is logged where that is not in order.
///
/// Throws `std::invalid_argument` for an address that is none.
std::shared_ptr<server_source> make_network_server(boost::asio::any_io_executor executor, network_address at,
                                                   server_use use);

} // namespace gateway
