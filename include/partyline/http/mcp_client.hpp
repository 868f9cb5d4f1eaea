#pragma once

#include <partyline/config.hpp>
#include <partyline/http/client_options.hpp>
#include <partyline/session.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <string>

namespace partyline::http {

/// Opens the session of an `mcp::client` with a server on the network, by Streamable HTTP (http, https) or WebSocket
/// (ws, wss):
///
///     mcp::client client(http::mcp_client(executor, "https://example.org/mcp", options));
///     co_await client.start();
///
/// In the handshake's era (2025-03-26 to 2025-11-25):
/// - A session that the server has lost is begun again with the same `initialize`, and the refused message is repeated;
///   or the conversation ends, with client_errc::session_lost: see `lifecycle::renews_session`. A server tells by 404
///   that it has lost a session; so does 400 where a `ping` is answered 400, too.
/// - The stream of the server's own messages is read for as long as the session lasts.
/// - A stream that ends before its reply, by a failure or because its server wants that, is resumed by the id of its
///   last event: after the time that the server has asked for, or after growing delays with a random part; at most five
///   times in a row without an event.
/// - The session of MCP is ended when the conversation ends.
///
/// In the era of 2026-07-28 each request repeats values in its fields as the protocol wants, and a cancel closes the
/// connection of its request.
///
/// A message that is refused with 429 or 503 and a Retry-After of at most a minute is repeated after that time, at most
/// twice; a message that is refused for its token is repeated with another token (`client_options::tokens`). No other
/// message that may have been sent is repeated. The end of a session asks for no token.
///
/// Calls fail like those of an `http::client`. The error in the body of a refusal is the call's reply whatever its id.
class PARTYLINE_EXPORT mcp_client {
public:
    /// `options.session` is not used: `open` is given those options. Throws `std::invalid_argument` for an invalid
    /// address, and for https and wss without `client_options::tls`.
    mcp_client(boost::asio::any_io_executor executor, std::string url, client_options options = {});

    /// Makes the session, which connects when it runs. The session has no methods for the server's requests and
    /// notifications until `session::use_methods`, which is called before it runs; `mcp::client` does so.
    ///
    /// `session::close` also ends the session at the server, by a DELETE or by the close frame of WebSocket.
    /// `session::async_run` completes within `session_options::close_timeout` after the last request and call have
    /// ended, whether or not the server has answered.
    session open(session_options options) &&;

private:
    boost::asio::any_io_executor executor_;
    std::string url_;
    client_options options_;
};

} // namespace partyline::http
