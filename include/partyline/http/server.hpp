#pragma once

#include <partyline/config.hpp>
#include <partyline/http/conversation_maker.hpp>
#include <partyline/http/server_options.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/handler.hpp>

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

namespace partyline {
class accept_loop;
}

namespace partyline::http {

class http_service;

/// What serves MCP: `mcp::server` is one.
template <class Server>
concept makes_sessions = requires(const Server& server) {
    { server.session_maker() } -> std::convertible_to<conversation_maker>;
    { server.mirrored_arguments() } -> std::convertible_to<std::function<mirrored_arguments(std::string_view tool)>>;
};

/// Serves JSON-RPC over HTTP/1.1: plain by POST, and MCP as Streamable HTTP.
///
///     http::server server(context.get_executor());
///     server.add_rpc("/rpc", std::move(methods));
///     server.listen_tcp("127.0.0.1", 8080);
///     server.async_run([](error_code) {});
///
/// POST of a request or a batch is answered with status 200 and JSON, errors included; where something is to be said
/// before the reply (progress) and the client accepts it, with an event stream whose last event is the reply. A
/// notification is answered 202. A client that closes its connection cancels what it has asked for. `GET /healthz` is
/// answered 200, or 503 where `server_options::is_healthy` says no; by HTTP/1.0, as proxies look, also without a Host.
///
/// Who may connect may call: nobody is asked for a name. Therefore a server listens on loopback and Unix sockets alone
/// unless told otherwise, and requests of foreign web pages are refused (see `server_options::allowed_hosts`).
///
/// Everything happens on one strand of the executor that it is given, or on that executor itself where
/// `session_options::executor_is_serial` says so. Methods that compute for long have an executor of their own
/// (`method_options::executor`); whoever needs more than one core for all the rest runs several servers.
///
/// Misuse throws at once: `std::invalid_argument` for options by which nobody could be served, null methods, a path
/// that does not begin with a slash or is taken, and an address that may not be listened on, accepts nothing, or
/// accepts what there is nothing for: sessions or TLS. `boost::system::system_error`, with the address in its text,
/// where the system refuses to listen there. `std::logic_error` for a server that was moved from, and for sessions that
/// are added twice.
///
/// Movable. Destroying it is `stop()` without waiting. The `io_context` must outlive the server.
///
/// Thread safety: `close()`, `stop()` and `connections()` from any thread; adding and listening before `async_run`.
class PARTYLINE_EXPORT server {
public:
    /// Serves nothing yet: paths are added, and addresses, before `async_run`.
    explicit server(boost::asio::any_io_executor executor, server_options options = {});

    server(server&&) noexcept = default;
    server& operator=(server&& other) noexcept;
    ~server();

    /// Serves plain JSON-RPC at a path.
    void add_rpc(std::string path, std::shared_ptr<const dispatcher> methods);
    /// The same with a method table that is moved in.
    template <class Methods>
        requires std::derived_from<Methods, dispatcher>
    void add_rpc(std::string path, Methods methods)
    {
        add_rpc(std::move(path), std::make_shared<const Methods>(std::move(methods)));
    }
    /// The same with methods of its own for each connection.
    void add_rpc(std::string path, conversation_maker make);

    /// Serves MCP at a path, clients of all revisions that have Streamable HTTP (2025-03-26 to 2026-07-28). A session's
    /// conversation is made when a client begins one; requests of 2026-07-28 have one for their connection.
    /// `mirrored` tells which arguments of a tool's call fields of the request repeat, so that they are compared;
    /// empty: none.
    void add_mcp(std::string path, conversation_maker make,
                 std::function<mirrored_arguments(std::string_view tool)> mirrored = {});
    /// Serves clients of MCP by other servers.
    void add_mcp(std::string path, forwarding_makers make);
    /// The same with what an `mcp::server` offers, which may go before this one.
    template <makes_sessions Server>
    void add_mcp(std::string path, const Server& of)
    {
        add_mcp(std::move(path), of.session_maker(), of.mirrored_arguments());
    }

    /// Serves WebSocket at a path: a session for each connection, with calls in both directions as over any stream. Its
    /// options are `server_options::session`, which `make` may change, and these: a client that is gone has what it
    /// asked for cancelled; nothing to do for an hour ends it, as `idle_timeout` has it. A client may offer the
    /// subprotocols "jsonrpc", "jsonrpc-2.0" and "jsonrpc2.0" (for `websocket_kind::mcp` "mcp"), or none. Text messages
    /// alone are taken, each of at most `limits::message_bytes`; there is no compression.
    void add_websocket(std::string path, std::shared_ptr<const dispatcher> methods);
    /// The same with a method table that is moved in.
    template <class Methods>
        requires std::derived_from<Methods, dispatcher>
    void add_websocket(std::string path, Methods methods)
    {
        add_websocket(std::move(path), std::make_shared<const Methods>(std::move(methods)));
    }
    /// The same with methods of its own for each connection.
    void add_websocket(std::string path, conversation_maker make, websocket_kind kind = websocket_kind::rpc);
    /// The same with what an `mcp::server` offers, which may go before this one.
    template <makes_sessions Server>
    void add_websocket(std::string path, const Server& of)
    {
        add_websocket(std::move(path), of.session_maker(), websocket_kind::mcp);
    }

    /// Serves sessions without HTTP, over those addresses where `accepted_protocols` has them. Their options are
    /// `server_options::session`, with the defaults that `partyline::server` has. At most once.
    void add_sessions(std::shared_ptr<const dispatcher> methods);
    /// The same with a method table that is moved in.
    template <class Methods>
        requires std::derived_from<Methods, dispatcher>
    void add_sessions(Methods methods)
    {
        add_sessions(std::make_shared<const Methods>(std::move(methods)));
    }
    /// The same with methods of its own for each session.
    void add_sessions(conversation_maker make);

    /// Listens on a TCP port: 0 for one that the system chooses. See `partyline::server::listen_tcp`. What it accepts
    /// has to be there to be served.
    boost::asio::ip::tcp::endpoint listen_tcp(const std::string& host, std::uint16_t port,
                                              accepted_protocols accepted = {});
    /// Listens on a Unix socket. See `partyline::server::listen_unix`.
    boost::asio::local::stream_protocol::endpoint listen_unix(const std::string& path,
                                                              accepted_protocols accepted = {});
    /// Listens on the sockets that the service manager has opened for this process (systemd's socket activation:
    /// LISTEN_PID, LISTEN_FDS), and says how many these are: 0 when there are none.
    std::size_t listen_inherited(accepted_protocols accepted = {});

    /// Accepts connections and serves them, until it is told to end and the last one has ended.
    ///
    /// Completes with   void(error_code); success after `close()`
    /// Fails with       asio::error::operation_aborted: `stop()`, destruction or cancellation;
    ///                  errc::already_started: misuse
    /// Cancellation     terminal, partial, total: the same as `stop()`
    /// Before           not run before: a server runs once. When it was told to end before, it completes at once
    /// Lifetime         the server may be moved or destroyed meanwhile; destruction stops it
    /// Threads          call it from any thread; the handler runs on its associated executor, by default the server's
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_run(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<accept_loop> loop) { start(std::move(loop), std::move(handler)); }, token,
            loop_);
    }

    /// Ends in order: listens no more, answers what has come and what comes within a second over a connection that is
    /// there, each time with `Connection: close`, and ends event streams. What is left after `time_limits::drain` is
    /// cancelled, and answered 503 if no answer has begun. May be called at any time.
    void close();
    /// Ends at once. May be called at any time, also after `close()`.
    void stop();

    /// How many connections there are.
    std::size_t connections() const;
    /// How many MCP sessions there are.
    std::size_t sessions() const;

private:
    static void start(std::shared_ptr<accept_loop> loop, boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<http_service> core_; // null when moved from
    std::shared_ptr<accept_loop> loop_;
};

} // namespace partyline::http
