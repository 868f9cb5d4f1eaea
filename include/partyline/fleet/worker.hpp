#pragma once

#include <partyline/config.hpp>
#include <partyline/fleet/bus.hpp>
#include <partyline/fleet/totals.hpp>
#include <partyline/fleet/worker_options.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <string>
#include <utility>

namespace partyline::fleet {

class worker_service;

/// Serves calls of fronts that are waiting in the queue of a service. Any number of workers share one queue, which the
/// first of them makes: the stream PL_SERVICE, and the bucket pl_claims.
///
/// Each call has a conversation of its own, with one request, or a notification, in it; a function that makes methods
/// is called for each. Progress and other notifications of the conversation go to the client, in order. A method can't
/// call the client: such calls fail with `errc::session_closed`.
///
/// A session that a front has opened (`front::open_session`) is a `partyline::session` of this side, served by
/// `worker_options::session_maker` or by the same methods, and both sides call. The session ends with this worker; when
/// the front is gone, the session's peer is gone, which is noticed within 20 s.
///
///     partyline::fleet::bus bus({.servers = {"nats://n1", "nats://n2", "nats://n3"}});
///     partyline::fleet::worker worker(context.get_executor(), bus, "tools", std::move(methods));
///     worker.async_run([](partyline::error_code ended) { show(ended.message()); });
///     context.run();
///
/// Ten seconds after a worker has died, other workers take its calls: idempotent ones run again, others are answered
/// -31004.
///
/// Everything happens on the given executor, which is serial: that of one thread, or a strand. Misuse throws
/// `std::invalid_argument`: an invalid name of the service, null methods, a `max_calls` of 0.
///
/// Movable. Destroying it is `stop()` without waiting. The `io_context` must outlive the worker.
///
/// Thread safety: all but moving and destroying, from any thread.
class PARTYLINE_EXPORT worker {
public:
    /// `service`: 1 to 64 letters, digits, `_` and `-`. A function that makes methods is called on the executor.
    worker(boost::asio::any_io_executor executor, const bus& by, std::string service, served_methods methods,
           worker_options options = {});
    worker(worker&&) noexcept = default;
    worker& operator=(worker&& other) noexcept;
    ~worker();

    /// Serves calls until the worker is closed or stopped. Waits for NATS while it can't be reached.
    ///
    /// Completes with   void(error_code); success after `close()`, when all calls that had begun are answered, and each
    ///                  front has confirmed its answer or is gone
    /// Fails with       asio::error::operation_aborted: `stop()`, destruction or cancellation;
    ///                  errc::already_started: misuse
    /// Cancellation     terminal, partial, total: the same as `stop()`
    /// Before           not run before: a worker runs once. When the worker was closed or stopped before, it completes
    ///                  at once
    /// Lifetime         the worker may be moved or destroyed meanwhile; destruction stops it
    /// Threads          call it from any thread; the handler runs on its associated executor, by default the worker's
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_run(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<worker_service> of) { start(std::move(of), std::move(handler)); }, token,
            service_);
    }

    /// Ends in order: takes no more calls, gives back calls that have not begun, serves running ones to their end, and
    /// waits for their confirmation. Sessions end as by `session::close()`. Only the deadlines of the calls,
    /// `session_options::drain_timeout` for each session, and ten seconds for confirmations bound the time that this
    /// takes. May be called at any time.
    void close();
    /// Ends at once: running calls are cancelled, and left to other workers; the fronts of sessions are notified. May
    /// be called at any time, also after `close()`.
    void stop() noexcept;

    /// The counters of the worker, as of a moment ago.
    worker_totals counters() const noexcept;

private:
    static void start(std::shared_ptr<worker_service> of, boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<worker_service> service_; // null when moved from
};

} // namespace partyline::fleet
