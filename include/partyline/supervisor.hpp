#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/supervisor_options.hpp>
#include <partyline/transport/child_exit.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

class supervisor_core;

/// Starts a server, and restarts it when it ends: one `child_process` at a time, each with a session of its own, behind
/// one `caller`.
///
///     partyline::supervisor server(executor, {"server", "--flag"}, options);
///     server.async_run(token);
///     server.call<int>("add", {2, 40})(token);
///
/// Calls that are under way when a child ends fail with its `child_exit` code, as they do in a session, and are never
/// sent again: it is unknown whether the server has served the unanswered calls, and only the caller knows whether they
/// may be served twice. A call that a ready child has been given is under way, also while the child has not read it. A
/// call that no child has been given yet waits for the next child, or fails at once, as
/// `supervisor_options::calls_while_down` says. Only two codes say that a call was not sent:
///
/// errc::not_running   no child is ready, and calls do not wait: the call may be made again; `call_result::details`
///                     describes the last child's end
/// errc::gave_up       there will be no child any more; the details are the same
///
/// With the other errors, as in any session, a call may have been sent or not: errc::session_closed: `close()`,
/// `stop()` or destruction, or it has ended before; errc::too_many_calls: as many wait as `limits::calls` and
/// `call_bytes` let; errc::timeout, operation_aborted: the call's own time was over, or the call was cancelled, also
/// while it waited.
///
/// A supervisor starts no thread, installs no signal handler and touches no process-wide state; each child is ended and
/// reaped as `child_process` does it. Everything happens on an executor of its own, a strand unless
/// `session_options::executor_is_serial` says that the executor is serial already.
///
/// Misuse throws at once: `std::invalid_argument` for null methods, a null profile, limits out of their ranges, a
/// command that is empty, and words and variables that can't be; `std::logic_error` for a supervisor that was moved
/// from.
///
/// Movable. Destroying it is `stop()` without waiting. The `io_context` must outlive the supervisor.
///
/// Thread safety: calling the server, `close()`, `stop()` and `status()` may be done from any thread; moving and
/// destroying it need the usual care.
class PARTYLINE_EXPORT supervisor final : public caller {
public:
    /// Starts `command`, see `child_process`, when the supervisor is run, and serves the requests of each child with
    /// `methods`. A function that makes the methods is called once, here: all children are served alike.
    supervisor(boost::asio::any_io_executor executor, std::vector<std::string> command, const served_methods& methods,
               supervisor_options options = {});

    /// Makes a supervisor that only calls: requests of a child are answered "Method not found".
    supervisor(boost::asio::any_io_executor executor, std::vector<std::string> command,
               supervisor_options options = {});

    supervisor(supervisor&&) noexcept = default;
    supervisor& operator=(supervisor&& other) noexcept;
    ~supervisor();

    /// Starts the first child, and others after it, until the supervisor is closed or stopped, or gives up.
    ///
    /// Completes with   void(error_code); success after `close()`, and with `restart_after::failure` after exit status
    ///                  0
    /// Fails with       the code of the last child's end, `supervisor_status::last_end`, when it gives up: a
    ///                  `child_exit` code, or the error of the start, of `on_start` or of the session; after `close()`
    ///                  the error of the last session, such as errc::drain_timeout; asio::error::operation_aborted:
    ///                  `stop()`, destruction or cancellation; errc::session_failed: memory ran out;
    ///                  errc::already_started: misuse
    /// Cancellation     terminal, partial, total: the same as `stop()`
    /// Before           not run before: a supervisor runs once. When the supervisor was closed or stopped before, it
    ///                  completes at once
    /// Lifetime         the supervisor may be moved or destroyed meanwhile; destruction stops it
    /// Threads          call it from any thread; the handler runs on its associated executor, by default the
    ///                  supervisor's
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_run(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<supervisor_core> core) { start(std::move(core), std::move(handler)); },
            token, core_);
    }

    /// Ends in order: calls that wait for a child fail. With a child that is ready, `on_close` is run, and then its
    /// session is closed, see `session::close()`; a child that is not ready yet is ended. No child is started any more.
    /// May be called at any time.
    void close();

    /// Ends at once: calls that wait for a child fail, and the session with a child is stopped, see `session::stop()`.
    /// May be called at any time, also after `close()`. Calling it again ends the wait for a child.
    void stop();

    /// The state of the supervisor. May be called from any thread, also when it has ended.
    supervisor_status status() const;

    /// The lifecycle of the session: the state that its profile keeps. Null where there is no child.
    std::shared_ptr<lifecycle> session_lifecycle() const override;

    /// The executor of the supervisor.
    boost::asio::any_io_executor get_executor() const;

private:
    void check_callable() const override;
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    static void start(std::shared_ptr<supervisor_core> core,
                      boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<supervisor_core> core_;
};

} // namespace partyline
