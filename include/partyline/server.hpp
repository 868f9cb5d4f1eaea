#pragma once

#include <partyline/config.hpp>
#include <partyline/exposure.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_counters.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <sys/types.h>

namespace partyline {

class accept_loop;

/// The options of a server. The defaults are safe; but without `access`, every client that can connect may call. On a
/// Unix socket that is the socket's owner; over TCP on loopback, every user of the machine, and requests that web pages
/// make their browsers send. (A session refuses these: it ends with `errc::http_request` where a connection begins as
/// HTTP does, and does not answer.)
///
///     partyline::server_options options;
///     options.max_connections = 64;
///     options.on_session_start = [](partyline::session_options& its, const partyline::peer_identity& who) {
///         its.user_data = user{who.local ? who.local->user : 0};
///         if (!who.local)
///             its.access = guests; // an access_view
///     };
struct server_options {
    /// The options of each session. Functions among them (`log`, ...) are called by all sessions: by several threads at
    /// once when the executor has several. `drain_timeout`, `first_message_timeout` and `idle_timeout` have defaults of
    /// their own here: a peer that has gone, or is silent, does not take up room for long.
    session_options session = {};
    /// The bytes on the wire that the messages of all sessions may take together: see `memory_budget`. The option is
    /// not used where `session.budget` is set. 0: there is no such bound, and each session may take as much as its
    /// `limits` allow.
    std::size_t memory_bytes = std::size_t(512) << 20;
    /// Most sessions at once. Beyond that the system keeps new connections waiting until a session has ended.
    std::size_t max_connections = 1024;
    /// Most sessions over TCP from one address (of IPv6 from one network of 64 bits, the size of a site), loopback
    /// included, which all local users share. Beyond that a connection is closed at once; that is logged once. Unset:
    /// half of `max_connections`, so that no address locks out the others, but no less than 64. A server that is
    /// reached from one address alone, by way of a proxy, sets it to `max_connections`.
    std::optional<std::size_t> max_connections_per_address = {};
    /// Authenticates each peer when it has connected: by its user on a Unix socket; over TCP only where anonymous peers
    /// are admitted. A peer that is not admitted is disconnected; that is logged once. The grant of an admitted peer
    /// sets `peer`, `access` and `quota` of its session, and is renewed four times a second while the session lasts: a
    /// changed grant takes effect from the next request on; when the grant has ended, the session ends with
    /// `errc::access_ended`, as by `session::end_access`. Null: peers are not authenticated.
    std::shared_ptr<access_control> access = {};
    /// The number of threads that serve, at most 1024: the first is that of the executor, and each further one is the
    /// server's own, with an `io_context`. Each session is on one of them, in turn. 0: as many as the machine has
    /// cores. See the guide's page "Threads".
    std::size_t threads = 1;
    /// The addresses that may be listened on; to listen on others throws, also with `access`, since connections are not
    /// encrypted.
    exposure may_listen = exposure::loopback;
    /// Called for each connection before its session begins, with the identity of the peer. The function may change the
    /// options of that session: `user_data` for objects that its handlers share with no other session, `access` for the
    /// rights of this peer, `peer` for its identity, where more is known than the system tells. With `access` these are
    /// those of the grant already; values that the function sets in their place stay until the grant ends. Must not
    /// throw; called by one thread at a time; an exception is logged, and the connection closed. Empty: not called.
    std::function<void(session_options&, const peer_identity&)> on_session_start = {};
    /// Called with the counters of each session, and with the code that its `async_run` has completed with. Must not
    /// throw; called by one thread at a time. Empty: not called.
    std::function<void(const session_counters&, error_code)> on_session_end = {};
};

/// Accepts connections on any number of Unix and TCP addresses, and runs a session for each.
///
/// Everything happens on the given executor, whose `io_context` may have several threads: each session has a strand of
/// its own. With `server_options::threads` sessions are spread over that executor and threads of the server's own;
/// these belong to the `io_context`, whose destruction waits for the handlers that run on them. Waiting for connections
/// takes no time. When descriptors or memory run out, accepting stops until a session ends or a moment has passed; that
/// is logged once. Each kind of refused or disconnected peers is logged once, too, until ten seconds have passed
/// without another one.
///
/// Misuse throws at once: `std::invalid_argument` for null methods, no room for any connection, a null profile, limits
/// or a number of threads out of their ranges, `std::system_error` where the system refuses a thread,
/// `std::logic_error` for a server that was moved from.
///
/// Movable. Destroying it is `stop()` without waiting. The `io_context` must outlive the server.
///
/// Thread safety: all but moving and destroying may be done from any thread.
///
///     partyline::server server(context.get_executor(), std::move(methods));
///     server.listen_unix("/run/user/1000/notes.sock");
///     server.listen_tcp("127.0.0.1", 4000);
///     server.async_run([](partyline::error_code ended) { show(ended.message()); });
///     context.run();
class PARTYLINE_EXPORT server {
public:
    /// Serves these methods: all sessions share a table; a function that makes one is called for each session, after
    /// `server_options::on_session_start`. An exception of the function refuses the client, and `on_session_end` is not
    /// called.
    server(boost::asio::any_io_executor executor, served_methods methods, server_options options = {});

    server(server&&) noexcept = default;
    server& operator=(server&& other) noexcept;
    ~server();

    /// Listens on a Unix socket. The socket's file has these permissions (write permission lets a user connect), by
    /// default the owner's alone, and is removed at the end if it is still the same. A socket file that a server has
    /// left behind is replaced; a path where another server listens is not touched, and neither is any other file.
    ///
    /// Connections that come before `async_run` wait for it; after `close()` or `stop()` none is accepted. Returns the
    /// address. Throws `boost::system::system_error` with a text that names it, `std::invalid_argument` for a mode
    /// beyond 0777.
    boost::asio::local::stream_protocol::endpoint listen_unix(const std::string& path, ::mode_t mode = 0600);

    /// Listens on a TCP port: 0 for one that the system chooses. Of a name that has several addresses (to look it up
    /// may take a while) the first is taken that can be listened on. "0.0.0.0" and "::" are all addresses of the
    /// machine. Throws `std::invalid_argument`, before it is bound, for another address than loopback where
    /// `server_options::may_listen` does not allow it.
    ///
    /// Otherwise as `listen_unix`.
    boost::asio::ip::tcp::endpoint listen_tcp(const std::string& host, std::uint16_t port);

    /// Accepts connections and runs their sessions, until the server is closed or stopped and the last session has
    /// ended.
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

    /// Ends in order: listens no more, and ends every session by `session::close()`, within
    /// `session_options::drain_timeout` (5 s here unless set). May be called at any time.
    void close();

    /// Ends at once: listens no more, and ends every session by `session::stop()`. May be called at any time, also
    /// after `close()`.
    void stop();

    /// The number of sessions.
    std::size_t connections() const;

private:
    static void start(std::shared_ptr<accept_loop> loop, boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<accept_loop> loop_;
    exposure may_listen_;
};

} // namespace partyline
