#pragma once

#include <partyline/config.hpp>
#include <partyline/http/forwarding_makers.hpp>
#include <partyline/http/server_options.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/served_methods.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

namespace partyline {
class accept_loop;
}

namespace partyline::http {

class service_shards;

/// A server of MCP whose sessions an `http::server` can serve: `mcp::server`.
template <class Server>
concept makes_sessions = requires(const Server& server) {
    { server.session_maker() } -> std::convertible_to<served_methods>;
    { server.mirrored_arguments() } -> std::convertible_to<std::function<mirrored_arguments(std::string_view tool)>>;
};

/// Serves JSON-RPC over HTTP/1.1: plain by POST, and MCP as Streamable HTTP.
///
///     http::server server(context.get_executor());
///     server.add_rpc("/rpc", std::move(methods));
///     server.listen_tcp("127.0.0.1", 8080);
///     server.async_run([](error_code) {});
///
/// A POST of a request or a batch is answered with status 200 and JSON, errors included. If messages (progress) precede
/// the reply and the client accepts event streams, the answer is an event stream, and its last event is the reply. A
/// notification is answered 202. A client that closes its connection cancels its requests. `GET /healthz` is answered
/// 200, or 503 where `server_options::is_healthy` returns false; with HTTP/1.0, which proxies use, also without a Host.
///
/// Without `server_options::access` there is no authentication: every client that can connect may call. Therefore a
/// server listens only on loopback and Unix sockets unless told otherwise. With `server_options::access` a server
/// listens on other addresses, too, where `accepted_protocols::tls` is `required`. In any case it refuses requests of
/// foreign web pages (see `server_options::allowed_hosts`).
///
/// With `server_options::access` each request is authenticated before its body is read, by its field Authorization or
/// its connection. A request that is not admitted is answered 401, 400, 429 or 503, with JSON-RPC's -31005, -31002 or
/// -31001. A reply alone has a status of its own where its sender lacks a scope (-31003: 403) or calls too often
/// (-31002: 429). Requests of several peers may come over one connection. A session of MCP belongs to the principal
/// that has begun it, whichever credentials the principal shows later: for other peers the session does not exist.
/// Event streams end when the credentials of their request do. `/.well-known/oauth-protected-resource` describes the
/// server (RFC 9728).
///
/// Everything happens on one strand of the given executor, or on that executor itself where
/// `session_options::executor_is_serial` says so. Methods that compute for long have an executor of their own
/// (`method_options::executor`). With `server_options::threads` there are further threads, each with connections,
/// conversations and sessions of its own: then methods, and the functions of the options, are called by several threads
/// at once. A request of an MCP session that comes over a connection of another thread has that connection move to the
/// session's thread. These threads belong to the `io_context`, whose destruction waits for the handlers that run on
/// them.
///
/// Misuse throws at once: `std::invalid_argument` for options that exclude every client, null methods, a path that does
/// not begin with a slash or is taken, and an address that may not be listened on, accepts nothing, or accepts sessions
/// or TLS where the server has none. `boost::system::system_error`, with the address in its text, where the system
/// refuses to listen there; `std::system_error` where it refuses a thread. `std::logic_error` for a server that was
/// moved from, and for sessions that are added twice.
///
/// Movable. Destroying it is `stop()` without waiting. The `io_context` must outlive the server.
///
/// Thread safety: `close()`, `stop()`, `connections()`, `sessions()` and `threads()` from any thread; adding and
/// listening before `async_run`.
class PARTYLINE_EXPORT server {
public:
    /// Makes a server without paths and addresses, which are added before `async_run`.
    explicit server(boost::asio::any_io_executor executor, server_options options = {});

    server(server&&) noexcept = default;
    server& operator=(server&& other) noexcept;
    ~server();

    /// Serves plain JSON-RPC at a path. A function that makes methods is called for each connection, and again for
    /// another principal that asks over it. Here and below it is called on the server's executor; when it throws, the
    /// request is answered 503, and a connection without requests is closed.
    void add_rpc(std::string path, const served_methods& methods);

    /// Serves MCP at a path, to clients of all revisions that have Streamable HTTP (2025-03-26 to 2026-07-28). Each
    /// session has a conversation, made when it begins; requests of 2026-07-28 have one for each connection. `mirrored`
    /// returns the arguments of a tool's call that fields of the request repeat, so that both are compared; empty:
    /// none.
    void add_mcp(std::string path, const served_methods& methods,
                 std::function<mirrored_arguments(std::string_view tool)> mirrored = {});
    /// Serves MCP at a path with conversations that pass everything on to other servers.
    void add_mcp(std::string path, forwarding_makers make);
    /// Serves an `mcp::server` at a path; that object may be destroyed before this one.
    template <makes_sessions Server>
    void add_mcp(std::string path, const Server& of)
    {
        add_mcp(std::move(path), of.session_maker(), of.mirrored_arguments());
    }

    /// Serves WebSocket at a path: a session for each connection, with calls in both directions as over any stream. The
    /// options of each session are `server_options::session`, with two other defaults: the requests of a client that is
    /// gone are cancelled, and `idle_timeout` is an hour. A client may offer the subprotocols "jsonrpc", "jsonrpc-2.0"
    /// and "jsonrpc2.0" (for `websocket_kind::mcp` "mcp"), or none. Only text messages are accepted, of at most
    /// `limits::message_bytes` each; there is no compression.
    void add_websocket(std::string path, const served_methods& methods, websocket_kind kind = websocket_kind::rpc);
    /// Serves an `mcp::server` by WebSocket at a path; that object may be destroyed before this one.
    template <makes_sessions Server>
    void add_websocket(std::string path, const Server& of)
    {
        add_websocket(std::move(path), of.session_maker(), websocket_kind::mcp);
    }

    /// Serves sessions without HTTP, at the addresses whose `accepted_protocols` include them. Their options are
    /// `server_options::session`, with the defaults of `partyline::server`. At most once.
    void add_sessions(const served_methods& methods);

    /// Serves a document by GET at a path, such as metrics: `make` is called for each request, and may throw; then the
    /// request is answered 503. `type` is its Content-Type.
    void add_page(std::string path, std::string type, std::function<std::string()> make);

    /// Calls `add` once for each thread (`server_options::threads`), with a server that stands for that thread alone,
    /// and the executor of the methods that are served there. Paths and sessions that `add` adds are served by that
    /// thread. So conversations that use objects of one executor, such as sessions with other servers, have them on
    /// their own thread. To be called before `async_run()`.
    ///
    /// `of_thread` lives as long as the call, and only adds: `listen_tcp()`, `listen_unix()`, `listen_inherited()`,
    /// `async_run()`, `close()`, `stop()` and `connections()` throw `std::logic_error`. The objects that were added are
    /// destroyed when this server and its connections have gone, at the latest with the `io_context`, on the thread on
    /// which the last of them goes.
    ///
    ///     http::server_options options;
    ///     options.threads = 4;
    ///     http::server server(context.get_executor(), std::move(options));
    ///     server.add_by_thread([](http::server& of_thread, const boost::asio::any_io_executor& executor) {
    ///         const auto other = std::make_shared<http::client>(executor, "http://127.0.0.1:8001/rpc");
    ///         partyline::method_table methods;
    ///         methods.add("balance", [other](std::string account) -> partyline::task<double> {
    ///             co_return co_await other->call<double>("balance", args(account));
    ///         });
    ///         of_thread.add_rpc("/rpc", std::move(methods));
    ///     });
    void add_by_thread(const std::function<void(server& of_thread, const boost::asio::any_io_executor& executor)>& add);
    /// The number of threads, including the first one: the result of `server_options::threads`.
    std::size_t threads() const;

    /// Listens on a TCP port: 0 for one that the system chooses. See `partyline::server::listen_tcp`. Everything that
    /// `accepted` names must have been added before.
    boost::asio::ip::tcp::endpoint listen_tcp(const std::string& host, std::uint16_t port,
                                              accepted_protocols accepted = {});
    /// Listens on a Unix socket. See `partyline::server::listen_unix`.
    boost::asio::local::stream_protocol::endpoint listen_unix(const std::string& path, accepted_protocols accepted = {},
                                                              ::mode_t mode = 0600);
    /// Listens on the sockets that the service manager has opened for this process (systemd's socket activation:
    /// LISTEN_PID, LISTEN_FDS), and returns their number: 0 when there are none. All of them accept the same, TLS on
    /// Unix sockets, too. At the server's end they stay open with the service manager, and whoever connects waits for
    /// the next process.
    ///
    /// Throws `boost::system::system_error` where one is not a stream socket, Unix or TCP, that listens, and when
    /// called again; `std::invalid_argument` for a TCP socket on an address where `listen_tcp` throws it
    /// (`server_options::may_listen`).
    std::size_t listen_inherited(accepted_protocols accepted = {});

    /// Accepts connections and serves them, until `close()` or `stop()` was called and the last one has ended.
    ///
    /// Completes with   void(error_code); success after `close()`
    /// Fails with       asio::error::operation_aborted: `stop()`, destruction or cancellation;
    ///                  errc::already_started: misuse
    /// Cancellation     terminal, partial, total: the same as `stop()`
    /// Before           not run before: a server runs once. When the server was closed or stopped before, it completes
    ///                  at once
    /// Lifetime         the server may be moved or destroyed meanwhile; destruction stops it
    /// Threads          call it from any thread; the handler runs on its associated executor, by default the server's
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_run(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<accept_loop> loop) { start(std::move(loop), std::move(handler)); }, token,
            loop_);
    }

    /// Ends in order: says so in `/healthz` and serves on for `time_limits::lame_duck`, then stops listening, answers
    /// the requests that have come, and those that come within a second over existing connections, and ends event
    /// streams. Each answer has `Connection: close`, but where later requests of its connection have been read already.
    /// Requests that are left after `time_limits::drain` are cancelled, and answered 503 if no answer has begun. May be
    /// called at any time.
    void close();
    /// Ends at once. May be called at any time, also after `close()`.
    void stop();

    /// The number of open connections.
    std::size_t connections() const;
    /// The number of MCP sessions.
    std::size_t sessions() const;

private:
    explicit server(std::shared_ptr<service_shards> part) noexcept;
    static void start(std::shared_ptr<accept_loop> loop, boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<service_shards> shards_; // null when moved from
    std::shared_ptr<accept_loop> loop_;      // null also where it stands for one thread
};

} // namespace partyline::http
