#pragma once

#include <partyline/config.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/transport/detail/secure_layer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::http {

/// How a client reaches its server. The defaults are safe.
///
///     http::client_options options;
///     options.tls = tls::client_context().connector();
///     options.fields.emplace_back("Authorization", "Bearer " + token);
///     options.proxy = http::proxy_of_environment("https://example.org/rpc");
///     http::client client(executor, "https://example.org/rpc", std::move(options));
struct client_options {
    /// Of its conversation. Bounds hold for answers, too: `limits::message_bytes`.
    session_options session = {};
    /// What TLS is spoken by, for addresses of https and wss: `tls::client_context::connector()`. Certificates and host
    /// names are verified as that says, fully by default.
    partyline::detail::secure_connector tls = {};
    /// What each request says besides, such as Authorization.
    std::vector<std::pair<std::string, std::string>> fields = {};
    /// A proxy that is asked for the server, "http://proxy.example:3128", of which the scheme may be left out; for
    /// https and wss by CONNECT. Empty: none, whatever the environment says; see `proxy_of_environment`.
    std::string proxy = {};
    /// The look-up, the connection, the proxy's answer and the handshake together. (How long an answer may take is for
    /// each call to say: `call_options::timeout`.)
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
    /// Connections at once for what is asked; what is more waits, in order. What asks nothing (notifications, answers
    /// to the server, the stream of what it says unasked) waits for none of these and has two more. A WebSocket is one.
    std::size_t connections = 8;
    /// How long a connection is kept for the next request.
    std::chrono::milliseconds idle_timeout = std::chrono::seconds(15);
    /// Called once a WebSocket is open, with the subprotocol that the server has chosen of those it was offered, or with
    /// an empty string where it has chosen none. An exception ends the session: with its code if it is a
    /// `boost::system::system_error`, else with errc::session_failed.
    std::function<void(const std::string& chosen)> on_subprotocol = {};
};

/// What the environment names as the proxy for an address: HTTPS_PROXY or https_proxy for https and wss, http_proxy for
/// the others (in capitals that is what a client may have set: CGI), unless NO_PROXY or no_proxy lists its host, with
/// its port or without any. Empty: none. Throws `std::invalid_argument` for an address or a proxy that is none; the
/// text names the variable.
PARTYLINE_EXPORT std::string proxy_of_environment(const std::string& url);

} // namespace partyline::http
