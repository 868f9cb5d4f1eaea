#pragma once

#include <partyline/config.hpp>
#include <partyline/http/client_options.hpp>
#include <partyline/session.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <string>

namespace partyline::http {

/// How an `mcp::client` reaches a server over the network, by Streamable HTTP (http, https) or WebSocket (ws, wss):
///
///     mcp::client client(http::mcp_client(executor, "https://example.org/mcp", options));
///     co_await client.start();
///
/// Of the handshake's era (2025-03-26 to 2025-11-25) a session that the server has lost is begun again by itself, with
/// what `initialize` has said before, and what was refused for that is sent again; what the server says unasked is
/// listened to; a stream that breaks off before its reply is taken up again by the id of its last event, after growing
/// pauses with a random part, at most five times in a row without an event; the session is ended at the end. Of
/// 2026-07-28 each request says what it has to in its fields, and a cancel closes its connection. Nothing that may have
/// been sent is sent twice by itself.
///
/// Calls fail as those of an `http::client`.
class PARTYLINE_EXPORT mcp_client {
public:
    /// Throws `std::invalid_argument` for an address that is none, or where https or wss has nothing to speak TLS by.
    /// Of the options those of the session are `mcp::client_options`'.
    mcp_client(boost::asio::any_io_executor executor, std::string url, client_options options = {});

    /// The session that the server is reached by; it connects when it runs. Its methods, which answer what the server
    /// asks and says unasked, are set by `session::use_methods` before it runs: it has none until then. `mcp::client`
    /// sets its own.
    ///
    /// `session::close` ends the session with the server, too: by a DELETE, or by the close frame of WebSocket. No
    /// longer than `session_options::close_timeout` after what is under way has ended, `session::async_run` completes,
    /// whether or not the server has answered.
    session open(session_options options) &&;

private:
    boost::asio::any_io_executor executor_;
    std::string url_;
    client_options options_;
};

} // namespace partyline::http
