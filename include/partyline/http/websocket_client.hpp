#pragma once

#include <partyline/config.hpp>
#include <partyline/http/client_options.hpp>
#include <partyline/session.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <string>
#include <vector>

namespace partyline::http {

/// Makes a session with a server over WebSocket (ws and wss, RFC 6455), which connects when it runs:
///
///     session peer = http::websocket_client(executor, "wss://example.org/ws", methods, options);
///     peer.async_run([](error_code ended) { show(ended.message()); });
///     const int sum = co_await peer.call<int>("add", args(2, 40));
///
/// Both sides may call, as over any stream. Besides the errors of every session, `async_run` and calls fail with: the
/// error of the look-up, the connection or the handshake of TLS; errc::timeout: `client_options::connect_timeout`;
/// errc::http_status: the server has refused the handshake; client_errc::unauthorized: it has refused the tokens of
/// `client_options::tokens`; errc::bad_reply: its answer is not that of WebSocket, or chooses a subprotocol that it was
/// not offered; errc::bad_frame: the server breaks the rules of WebSocket. When the server ends the connection, the
/// peer is gone; where the code of its close frame tells a failure, `async_run` fails with errc::peer_closed or
/// peer_gone, and code and reason are in the log and in the details of the calls, also of those made later. A
/// connection that ends without a close frame is such a failure, too, without a reason.
///
/// `subprotocols` are offered, the favourite first. A server may choose none of them, which is no failure:
/// `client_options::on_subprotocol` is called. Frames are masked; there is no compression. A silent server is sent
/// pings: `session_options::ping_interval`.
///
/// Throws `std::invalid_argument` for an address that is not of ws or wss, for null methods, and for wss without
/// `client_options::tls`. The `io_context` must outlive the session.
PARTYLINE_EXPORT session websocket_client(boost::asio::any_io_executor executor, const std::string& url,
                                          const served_methods& methods, client_options options = {},
                                          std::vector<std::string> subprotocols = {"jsonrpc"});

/// Makes a session for a client that only calls: requests of the server are answered "Method not found".
PARTYLINE_EXPORT session websocket_client(boost::asio::any_io_executor executor, const std::string& url,
                                          client_options options = {},
                                          std::vector<std::string> subprotocols = {"jsonrpc"});

} // namespace partyline::http
