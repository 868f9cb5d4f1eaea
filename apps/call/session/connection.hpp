#pragma once

#include "call/options.hpp"

#include <partyline/connect.hpp>
#include <partyline/session.hpp>
#include <partyline/tls/stream.hpp>
#include <partyline/transport/child_process.hpp>
#include <partyline/transport/child_report.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <variant>

namespace call {

/// One that is reached by HTTP or WebSocket, by a session of that kind.
struct network_server {
    boost::asio::any_io_executor executor;
    std::string url;
    partyline::http::client_options how;
};

/// What is to be talked over with a server.
struct server_stream {
    std::variant<partyline::child_process, partyline::tcp_socket, partyline::unix_socket, partyline::tls::stream,
                 network_server>
        stream;
    /// Of a server that was started; else null.
    std::shared_ptr<const partyline::child_report> child;
};

/// A session with a server, not yet run.
struct connection {
    partyline::session session;
    /// Of a server that was started; else null.
    std::shared_ptr<const partyline::child_report> child;
};

/// Starts the server, or connects to it.
///
/// Completes with   server_stream
/// Fails with       std::runtime_error, thrown, that names the server; when it is not there within `most`, if that
///                  isn't 0
/// Lifetime         the arguments are taken over
boost::asio::awaitable<server_stream> open_stream(boost::asio::any_io_executor executor, destination server,
                                                  duration most);

/// The same, with a session over it.
boost::asio::awaitable<connection> open_connection(boost::asio::any_io_executor executor, destination server,
                                                   partyline::session_options how, duration most);

} // namespace call
