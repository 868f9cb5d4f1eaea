#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp/client/supervised_client_options.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/supervisor_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <functional>
#include <memory>

namespace partyline::mcp {

class supervised_core;

/// A client of a server that is started again when it ends, or reached again: one `client` at a time, which `ready()`
/// returns.
///
///     partyline::mcp::supervised_client notes(executor, [executor] {
///         partyline::mcp::client made(executor, {"notes-server"});
///         made.on_elicit(ask_user);
///         return made;
///     });
///     notes.async_run([](partyline::error_code ended) { show(ended.message()); });
///
/// and in the functions that use it:
///
///     partyline::task<void> search(partyline::mcp::supervised_client& notes)
///     {
///         const std::shared_ptr<partyline::mcp::client> now = co_await notes.ready();
///         const partyline::mcp::tool_answer found = co_await now->call_tool("search", named("pattern", "TODO"));
///         show(found.text());
///     }
///
/// The function makes a client that is not started, with its handlers, for any transport: a command, a stream, HTTP
/// (`http::mcp_client`). The function is called for each start, on the executor of the supervised client; when it
/// throws, that start has failed. Where the first one fails since there is no such program (ENOENT, EACCES and the
/// like), it gives up.
///
/// A client is started by `client::start`, then `supervised_client_options::on_start` is run. After a restart the new
/// server gets the settings of the former one, whichever code made them: the log level (`client::set_log_level`), the
/// resources that were subscribed to, and the roots of `client::set_roots` after the start, where the function has set
/// roots. A setting that the server refuses, by an error or by not acknowledging it, is logged and left out; where a
/// request for it fails otherwise, the start has failed, and all settings are restored for the next server. The
/// handlers for changes are called once, for lists and for each of these resources, since changes in between are
/// unknown.
///
/// Operations that are under way when a conversation ends fail as those of any client do: with a `child_exit` code,
/// errc::peer_closed, a code of the stream, or http::client_errc::session_lost. The operations are not repeated: it is
/// unknown whether the server has served the unanswered ones. Later operations of the same client fail at once with the
/// same code, and nothing is sent; with errc::session_closed where this side has ended the conversation.
///
/// Servers over HTTP: in the era of the handshake, the conversation ends when the server does not know its session any
/// more, as after a restart. From 2026-07-28 on there is no session, and the client goes on: calls fail while no server
/// answers, and the client listens again by itself.
///
/// Misuse throws at once: `std::invalid_argument` for a function that is empty, `std::logic_error` for a supervised
/// client that was moved from.
///
/// Movable. Destroying it is `stop()` without waiting; no handler of its clients and no function of its options is
/// called any more (an `on_start` that has been called goes on, cancelled). The `io_context` must outlive it.
///
/// Thread safety: `ready()`, `close()`, `stop()` and `status()` may be called from any thread; moving and destroying it
/// need the usual care. Its clients' handlers run where each client's session does, all else on a strand of its own.
class PARTYLINE_EXPORT supervised_client {
public:
    /// Makes clients by `make` once `async_run` is called.
    supervised_client(boost::asio::any_io_executor executor, std::function<client()> make,
                      supervised_client_options options = {});

    supervised_client(supervised_client&&) noexcept;
    supervised_client& operator=(supervised_client&& other) noexcept;
    ~supervised_client();

    /// Starts the first client, and others after it, until the supervised client is closed or stopped, or gives up.
    ///
    /// Completes with   void(error_code); success after `close()`, and with `restart_after::failure` after an end in
    ///                  order
    /// Fails with       the code of the last client's end, `supervisor_status::last_end`, when it gives up: that of the
    ///                  function, of `client::start` or of `on_start` (errc::start_failed for an exception without a
    ///                  code), or that of the conversation's end; after `close()` the error of `client::close`;
    ///                  asio::error::operation_aborted: `stop()`, destruction or cancellation; errc::session_failed:
    ///                  memory ran out; errc::already_started: misuse
    /// Cancellation     terminal, partial, total: the same as `stop()`
    /// Before           not run before: a supervised client runs once. When it was closed or stopped before, this
    ///                  completes at once
    /// Lifetime         it may be moved or destroyed meanwhile; destruction stops it
    /// Threads          call it from any thread; the handler runs on its associated executor, by default on that of the
    ///                  supervised client
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_run(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<supervised_core> core) { start(std::move(core), std::move(handler)); },
            token, core_);
    }

    /// Waits for a client that is ready, also before it is run. Use that client until an operation fails because the
    /// conversation has ended, then call this function again: a call costs two turns of the executors.
    ///
    /// Fails with       errc::not_running: no client is ready, and callers do not wait, see
    ///                  `supervised_client_options::ready_while_down`; errc::gave_up: no client will be started any
    ///                  more (the details of both describe the end of the last one); errc::session_closed: `close()`,
    ///                  `stop()` or destruction; errc::session_failed: memory ran out
    /// Cancellation     terminal, partial, total: waits no longer
    /// Lifetime         the client may be kept; when it is replaced its operations fail. The supervised client may be
    ///                  moved or destroyed meanwhile
    /// Threads          any; the handler runs on its associated executor, by default on that of the supervised client,
    ///                  and a coroutine goes on where it was
    operation<std::shared_ptr<client>> ready() const;

    /// Ends in order: a client that is ready is closed, see `client::close`; one that is not ready yet is stopped. No
    /// client is started any more. May be called at any time.
    void close();

    /// Ends at once: the present client is stopped, and operations under way fail. May be called at any time, also
    /// after `close()`.
    void stop();

    /// The state of the supervised client. `pid` is 0, and `last_words` has no lines of standard error. May be called
    /// from any thread, also when it has ended.
    supervisor_status status() const;

    /// The executor of the supervised client.
    boost::asio::any_io_executor get_executor() const;

private:
    static void start(std::shared_ptr<supervised_core> core,
                      boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<supervised_core> core_; // null when moved from
};

} // namespace partyline::mcp
