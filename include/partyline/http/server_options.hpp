#pragma once

#include <partyline/exposure.hpp>
#include <partyline/session/access_control.hpp>
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

class event_store;

/// Bounds the cost of one request. A request beyond a bound is refused with HTTP's status for it, and the connection is
/// closed.
struct request_limits {
    /// Longest request line and fields together (431).
    std::size_t head_bytes = std::size_t(16) << 10;
    /// Most fields (431).
    std::size_t fields = 100;
    /// Longest target of the request line (414).
    std::size_t target_bytes = std::size_t(8) << 10;
    /// Longest body (413). `limits::message_bytes` of the session options bounds it, too.
    std::size_t body_bytes = std::size_t(4) << 20;
    /// Most requests over one connection; the answer to the last one closes it.
    std::size_t requests_per_connection = 10'000;
};

/// Whether connections to an address are encrypted.
enum class encryption : std::uint8_t {
    none,     ///< a client that begins with TLS is told that there is none
    optional, ///< a client that begins with TLS uses it
    required  ///< a client that does not begin with TLS is told that it has to
};

/// The protocols at an address that a server listens on. The first bytes of a connection tell which of them it uses; a
/// connection with other bytes is closed, and logged once for each address.
struct accepted_protocols {
    /// HTTP/1.1, and WebSocket by way of it.
    bool http = true;
    /// JSON-RPC without HTTP, one message a line: see `server::add_sessions`.
    bool lines = false;
    /// JSON-RPC without HTTP, each message after a header with its Content-Length.
    bool content_length = false;
    /// TLS, with any of the others within it: see `server_options::tls`.
    encryption tls = encryption::none;
    /// A proxy in front tells by the PROXY protocol (1 or 2) where each connection comes from; a connection without
    /// that is closed. Any client that can connect could claim any address, so only the proxy may be able to connect.
    /// All requests count as coming from a network, also where the proxy names no address: the proxy's own requests
    /// (LOCAL) have its address, and all connections of unknown origin (UNKNOWN, UNSPEC) share the unspecified one,
    /// 0.0.0.0. The user of a Unix socket is the proxy's there, and identifies no client.
    bool proxy_protocol = false;
};

/// Bounds the time that a client may take. These bounds do not apply to a handler, or to an event stream that its
/// client reads.
struct time_limits {
    /// Durations are measured by a monotonic clock.
    using duration = std::chrono::steady_clock::duration;

    /// The time from the connection to the first bytes, which tell the protocol.
    duration first_bytes = std::chrono::seconds(5);
    /// The time for the handshake of TLS.
    duration handshake = std::chrono::seconds(10);
    /// The time from the first byte of a head to its end.
    duration head = std::chrono::seconds(10);
    /// The time for a body, and a second more for each `body_bytes_per_second` of it that have come.
    duration body = std::chrono::seconds(20);
    /// A client that sends at least this fast is not cut off. 0: it has `body` for the whole, however fast it is.
    std::size_t body_bytes_per_second = std::size_t(16) << 10;
    /// The time between two requests of a connection.
    duration idle = std::chrono::seconds(75);
    /// How long the client may leave its answer unread.
    duration write_stall = std::chrono::seconds(60);
    /// The time from `server::close()` on in which everything is served as before, except `GET /healthz`, which is
    /// answered 503, and each answer ends its connection; then the server ends in order. So a balancer notices, and
    /// clients go elsewhere, before connections are refused.
    duration lame_duck = std::chrono::seconds(0);
    /// The time after `lame_duck`; then remaining requests are cancelled, and answered 503.
    duration drain = std::chrono::seconds(30);
    /// The time without an event after which an event stream gets a comment, so that proxies do not close it and dead
    /// clients are noticed.
    duration comment = std::chrono::seconds(15);
};

/// The sessions of MCP clients that begin with `initialize` (2025-03-26 to 2025-11-25).
struct mcp_session_limits {
    /// Most sessions at a time. One more ends an idle one: of the address with most idle ones (of IPv6, the network),
    /// the one that has been idle for longest. Where none is idle, the new one is answered 503. A new session also ends
    /// an idle one, or is answered 503, where sessions take more than a quarter of the memory
    /// (`server_options::memory_bytes`, or the budget that the server shares): each takes the size of its `initialize`,
    /// and 8 KiB.
    std::size_t sessions = 10'000;
    /// A session ends after this time without a request in progress, and without a byte that its client has taken.
    std::chrono::steady_clock::duration idle = std::chrono::minutes(30);
    /// Most events that are kept of one stream for a client that resumes it, at least 2; the oldest go first, replies
    /// last. The kept events of all streams may take the rest of the server's memory, but no more than an eighth of the
    /// whole. Beyond that, completed streams are forgotten, the oldest first, and then events of others that have been
    /// sent. With an `event_store` that keeps up, events that are not stored yet are not forgotten, and forgotten ones
    /// can be resumed from the store.
    std::size_t stream_events = 256;
    /// Most bytes of the events that are kept of one stream, all together.
    std::size_t stream_bytes = std::size_t(1) << 20;
    /// How long a completed stream is kept for a client that resumes it.
    std::chrono::steady_clock::duration completed_stream = std::chrono::seconds(60);
    /// Most streams that a session keeps besides those that are being sent; together they keep at most four times
    /// `stream_bytes`.
    std::size_t kept_streams = 32;
    /// The delay after which a client whose stream has ended early is to come back.
    std::chrono::milliseconds retry = std::chrono::milliseconds(3000);
};

using partyline::exposure;

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
    /// The options of each conversation. The function `log` is also called with the server's own lines.
    /// `bounds.message_bytes` bounds bodies too.
    session_options session = {};
    /// Bounds of one request.
    request_limits requests = {};
    /// Bounds of the time that a client may take.
    time_limits times = {};
    /// Bounds of sessions that begin with `initialize`.
    mcp_session_limits mcp = {};
    /// Stores events of streams beyond those that `mcp` keeps in memory, for clients that resume the streams. Null:
    /// events that memory has no longer can't be resumed.
    std::shared_ptr<partyline::http::event_store> event_store = {};
    /// Most bytes of the messages of all conversations, of bodies under way and of sessions together, as counted by
    /// `memory_budget`. Streams that are kept for clients which may come back use the rest. Not used where
    /// `session.budget` is set. 0: no bound.
    std::size_t memory_bytes = std::size_t(512) << 20;
    /// How many threads serve, at most 1024: the first is that of the executor, and each further one is the server's
    /// own, with an `io_context`. Connections are spread over them in turn. `memory_bytes` (or `session.budget`),
    /// `max_handshakes` and `mcp_session_limits::sessions` are divided among them, but each has room for one: a thread
    /// whose share is used up refuses more, whatever the others have left. `max_connections` bounds all threads
    /// together. 0: as many as the machine has cores. See the guide's page "Threads".
    std::size_t threads = 1;
    /// Most connections at a time. Further ones wait in the system's queue.
    std::size_t max_connections = 10'240;
    /// See `partyline::server_options::max_connections_per_address`. Behind a proxy all connections have its address,
    /// unless it tells the clients' addresses (`accepted_protocols::proxy_protocol`): then these are counted.
    std::optional<std::size_t> max_connections_per_address = {};
    /// Authenticates each request by its Authorization, else by its connection, and decides which calls it may make. A
    /// request that is not admitted is answered 401; `GET /healthz`, preflights and `OPTIONS` are answered to all. A
    /// session without HTTP is authenticated by its connection alone, and closed where that does not suffice.
    /// WebSockets and sessions end with the grant: a WebSocket by the code 1008, sessions with errc::access_ended.
    /// Null: requests are not authenticated, and everything may be called.
    std::shared_ptr<access_control> access = {};
    /// The addresses that may be listened on; to listen on others throws. With `access`, `loopback` also allows those
    /// where TLS alone is spoken.
    exposure may_listen = exposure::loopback;
    /// Encrypts connections: `tls::server_context::maker()`.
    std::shared_ptr<partyline::detail::secure_layer_maker> tls = {};
    /// Most handshakes at a time. One more ends another: of the address with most of them (of IPv6, the network), the
    /// one that has taken longest. So clients that stall do not keep others out.
    std::size_t max_handshakes = 256;
    /// The server's names, "example.org" or "example.org:8443": the values of Host that are accepted besides localhost,
    /// 127.0.0.1 and [::1], which are always accepted on loopback. (Otherwise a web page whose name resolves to this
    /// address would have the same origin as the server.)
    std::vector<std::string> allowed_hosts = {};
    /// Origins of web pages that may make requests, "https://example.org", besides those of the server's own hosts. The
    /// server tells browsers so (CORS).
    std::vector<std::string> allowed_origins = {};
    /// Names of header fields that handlers and middleware may read: see `request_context::http_field`. Their values
    /// are copied, and count as bytes of the message. Pages of `allowed_origins` may send them (CORS). A text that is
    /// no name of a field throws `std::invalid_argument`.
    std::vector<std::string> handler_fields = {};
    /// The name of this process among those behind one balancer, 1 to 32 of a-z and 0-9: ids of MCP sessions begin with
    /// it and a dot, so that the balancer can tell from the id which process has the session. Empty: ids are random
    /// alone.
    std::string node = {};
    /// Called for `GET /healthz`, which is answered 503 where it returns false. Must not throw. Empty: always 200.
    std::function<bool()> is_healthy = {};
    /// Called for each request that has been answered, with one line of JSON without its end. The members of the line:
    /// `time_ms` since 1970; `peer`, the address or "user N"; `method` and `path` of HTTP, 256 bytes of each; `status`;
    /// `bytes_in` of the body and `bytes_out`; `us`, the time that it took; where it is known, `principal`. Of a POST
    /// that was read `rpc`, the method of JSON-RPC, escaped as by `printable` and cut at 256 bytes, and `code` where it
    /// was answered with an error; of a batch instead `batch`, the number of its elements, and `errors`, of how many
    /// the answer is an error. Must not throw. Empty: no log.
    std::function<void(std::string_view)> access_log = {};
};

} // namespace partyline::http
