#pragma once

#include <partyline/session/session_options.hpp>
#include <partyline/transport/detail/secure_layer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// What a client can make one request cost. More is refused with the status that HTTP has for it, and the connection is
/// closed.
struct request_limits {
    /// Request line and fields together (431).
    std::size_t head_bytes = std::size_t(16) << 10;
    /// Fields (431).
    std::size_t fields = 100;
    /// The target of the request line (414).
    std::size_t target_bytes = std::size_t(8) << 10;
    /// The body (413). `limits::message_bytes` of the session options counts as well.
    std::size_t body_bytes = std::size_t(4) << 20;
    /// Requests over one connection; the answer to the last one closes it.
    std::size_t requests_per_connection = 10'000;
};

/// Whether what is spoken over a port is encrypted.
enum class encryption : std::uint8_t {
    none,     ///< who begins with TLS is told that it is not spoken here
    optional, ///< whoever begins with TLS speaks it
    required  ///< who does not is told so
};

/// What is spoken over an address that a server listens on. The first bytes of a connection say which of these it is;
/// what is none of them is closed, and the log told once for each address.
struct accepted_protocols {
    /// HTTP/1.1, and WebSocket by way of it.
    bool http = true;
    /// JSON-RPC without HTTP, one message a line: see `server::add_sessions`.
    bool lines = false;
    /// The same behind Content-Length.
    bool content_length = false;
    /// TLS, with any of the others within it: see `server_options::tls`.
    encryption tls = encryption::none;
    /// A proxy in front says by the PROXY protocol (1 or 2) from where each connection comes; one that does not begin
    /// with that is closed. Whoever may connect can say what it likes, so only the proxy may. Requests come from a
    /// network then, also where it names no address: what it asks for itself (LOCAL) has its own, and all that it knows
    /// none of (UNKNOWN, UNSPEC) together the unspecified one, 0.0.0.0.
    bool proxy_protocol = false;
};

/// How long a client may take. None of them bounds a handler, or an event stream that its client reads.
struct time_limits {
    /// Times are those of a clock that nobody sets.
    using duration = std::chrono::steady_clock::duration;

    /// From the connection to the first bytes that say what is spoken.
    duration first_bytes = std::chrono::seconds(5);
    /// The handshake of TLS.
    duration handshake = std::chrono::seconds(10);
    /// From the first byte of a head to its end.
    duration head = std::chrono::seconds(10);
    /// A body, and a second more for each `body_bytes_per_second` of what has come of it.
    duration body = std::chrono::seconds(20);
    /// A client that sends at least so fast is not cut off. 0: it has `body` for all of it, however fast it is.
    std::size_t body_bytes_per_second = std::size_t(16) << 10;
    /// Between two requests of a connection.
    duration idle = std::chrono::seconds(75);
    /// How long the client may read nothing of what is sent.
    duration write_stall = std::chrono::seconds(60);
    /// After `server::close()`; then what is left is cancelled, and answered 503.
    duration drain = std::chrono::seconds(30);
    /// After so long without an event an event stream gets a comment, so that neither proxies nor a dead client keep it
    /// open unnoticed.
    duration comment = std::chrono::seconds(15);
};

/// The sessions of MCP clients that begin with `initialize` (2025-03-26 to 2025-11-25).
struct mcp_session_limits {
    /// At once. Beyond that an idle one ends: of the address that has most idle ones (of IPv6, the network), the one
    /// that has been idle for longest. Where none is idle, 503. So it is where sessions take more than a quarter of the
    /// memory (`server_options::memory_bytes`, or the budget that the server shares): each takes what its `initialize`
    /// says, and 8 KiB.
    std::size_t sessions = 10'000;
    /// A session without a request in progress, and without a byte that its client took, for so long ends.
    std::chrono::steady_clock::duration idle = std::chrono::minutes(30);
    /// What is kept of one event stream for a client that resumes it, at least 2; the oldest goes first, replies last.
    /// For this all streams of the server together have what its memory leaves, and an eighth of that at most. Where it
    /// does not suffice, streams that have come to their end are forgotten, the oldest first, and then what others have
    /// sent already.
    std::size_t stream_events = 256;
    /// The same in bytes, of all events together.
    std::size_t stream_bytes = std::size_t(1) << 20;
    /// How long a stream that has come to its end is kept for that.
    std::chrono::steady_clock::duration completed_stream = std::chrono::seconds(60);
    /// How many streams a session keeps besides those that are being sent; of more than one, four times `stream_bytes`.
    std::size_t kept_streams = 32;
    /// How soon a client is to come back whose stream has ended early.
    std::chrono::milliseconds retry = std::chrono::milliseconds(3000);
};

/// Where a server may listen.
enum class exposure : std::uint8_t {
    loopback, ///< on loopback and Unix sockets: whoever connects is on this machine
    anywhere  ///< on any address; nobody is asked who it is, so something in front of the server has to
};

/// How a server behaves. The defaults are safe.
///
///     http::server_options options;
///     options.tls = tls::server_context(certificates).maker();
///     options.may_listen = http::exposure::anywhere;
///     options.allowed_hosts.push_back("rpc.example.org");
///     options.access_log = [](std::string_view line) { show(line); };
///     http::server server(context.get_executor(), std::move(options));
///     server.listen_tcp("0.0.0.0", 443, {.tls = http::encryption::required});
struct server_options {
    /// For each conversation. Its `log` also gets the server's own lines. `bounds.message_bytes` bounds bodies too.
    session_options session = {};
    /// What one request may cost.
    request_limits requests = {};
    /// How long a client may take.
    time_limits times = {};
    /// Of sessions that begin with `initialize`.
    mcp_session_limits mcp = {};
    /// What the messages of all conversations, bodies under way and sessions may take together, as `memory_budget`
    /// counts. Streams that are kept for clients which may come back take what that leaves. Not used where
    /// `session.budget` is set. 0: there is no such bound.
    std::size_t memory_bytes = std::size_t(512) << 20;
    /// How many connections there are at once. Beyond that the system keeps who connects waiting.
    std::size_t max_connections = 10'240;
    /// See `partyline::server_options::max_connections_per_address`. Behind a proxy that does not say otherwise all
    /// come from one; behind one that does (`accepted_protocols::proxy_protocol`), the address that it says is counted.
    std::optional<std::size_t> max_connections_per_address = {};
    /// Which addresses may be listened on; the others are refused when that is asked for.
    exposure may_listen = exposure::loopback;
    /// What TLS is spoken by: `tls::server_context::maker()`.
    std::shared_ptr<partyline::detail::secure_layer_maker> tls = {};
    /// How many handshakes there are at once. One more ends one of the address that has most of them (of IPv6, the
    /// network), and of those the one that has taken longest, so that clients which stall keep nobody else out.
    std::size_t max_handshakes = 256;
    /// The names under which the server may be asked for, "example.org" or "example.org:8443": what Host may say
    /// besides localhost, 127.0.0.1 and [::1], which are always right on loopback. (A web page that has its own name
    /// point here would otherwise be of the same origin as the server.)
    std::vector<std::string> allowed_hosts = {};
    /// Origins of web pages that may make requests, "https://example.org", besides those of the server's own hosts.
    /// They are told so (CORS).
    std::vector<std::string> allowed_origins = {};
    /// Asked by `GET /healthz`, which is answered 503 where it says no. Must not throw. Empty: all is well.
    std::function<bool()> is_healthy = {};
    /// Told of each request that has been answered, one line of JSON without its end. Must not throw. Empty: nobody is.
    std::function<void(std::string_view)> access_log = {};
};

} // namespace partyline::http
