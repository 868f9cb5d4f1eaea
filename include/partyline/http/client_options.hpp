#pragma once

#include <partyline/config.hpp>
#include <partyline/http/token_source.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/transport/detail/secure_layer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
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
    /// The options of the client's session, whose bounds hold for answers and events, too: `limits::message_bytes`.
    session_options session = {};
    /// Encrypts the connections to addresses of https and wss: `tls::client_context::connector()`. The context decides
    /// how certificates and host names are verified: fully by default.
    partyline::detail::secure_connector tls = {};
    /// Further fields of each request, such as Authorization. Fields that the client writes itself are refused.
    std::vector<std::pair<std::string, std::string>> fields = {};
    /// The source of the token of each request, in Authorization. The source is asked for another token when the server
    /// refuses the request, by 401 or by 403 with a challenge of Bearer: at most three times for a request, which is
    /// sent again unchanged. Then the call fails with client_errc::unauthorized. The time limit of a call includes the
    /// wait for a token. The tokens are for the origin of the client's address alone; `fields` have no Authorization,
    /// and there is no proxy without TLS. Null: only `fields` identify the client.
    std::shared_ptr<token_source> tokens = {};
    /// The proxy through which the server is reached, "http://proxy.example:3128" with or without the scheme; https and
    /// wss go through it by CONNECT. Empty: none, whatever the environment says; see `proxy_of_environment`.
    std::string proxy = {};
    /// The time limit of the look-up, the connection, the proxy's answer and the handshake together. (Each call has its
    /// own limit for the answer: `call_options::timeout`.)
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
    /// Most connections at a time for calls; further calls wait, in order. Notifications, answers to the server and the
    /// stream of its own messages have two more connections, and wait for no call. A WebSocket is one connection.
    std::size_t connections = 8;
    /// How long an idle connection is kept for the next request.
    std::chrono::milliseconds idle_timeout = std::chrono::seconds(15);
    /// Called once a WebSocket is open, with the subprotocol that the server has chosen of those it was offered, or an
    /// empty string where it has chosen none. An exception ends the session: with its code if it is a
    /// `boost::system::system_error`, else with errc::session_failed.
    std::function<void(const std::string& chosen)> on_subprotocol = {};
};

/// The proxy for an address according to the environment: HTTPS_PROXY or https_proxy for https and wss, http_proxy for
/// http and ws (not HTTP_PROXY, which a client of a CGI program can set by a field Proxy), unless NO_PROXY or no_proxy
/// lists the host, with or without its port. Empty: none. Throws `std::invalid_argument` for an invalid address or
/// proxy; the text names the variable.
PARTYLINE_EXPORT std::string proxy_of_environment(const std::string& url);

} // namespace partyline::http
