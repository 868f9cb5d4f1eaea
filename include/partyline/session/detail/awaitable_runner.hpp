#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <exception>

namespace partyline::detail {

/// A coroutine of Asio's that a task awaits, and the callbacks for its end: one of the two is called, once.
class PARTYLINE_EXPORT awaitable_job {
public:
    virtual boost::asio::awaitable<void> run() = 0;
    /// Called when the coroutine has ended. The job may destroy itself, and start the next one.
    virtual void on_run(std::exception_ptr thrown) = 0;
    /// Called when the coroutine was destroyed without having ended, as with its io_context.
    virtual void on_run_lost() noexcept = 0;

protected:
    ~awaitable_job() = default;
};

class awaitable_loop;
PARTYLINE_EXPORT void intrusive_ptr_add_ref(awaitable_loop* loop) noexcept;
PARTYLINE_EXPORT void intrusive_ptr_release(awaitable_loop* loop) noexcept;

/// Runs coroutines of Asio's for a task, one after the other, in one that is started for the first and parked between
/// them: to start one costs more than most of them do.
///
/// Flow: `start()`, and the next when the job has been told; `stop()` when there is none to come, while the executor is
/// still there.
/// Thread safety: none; everything happens on that executor.
class PARTYLINE_EXPORT awaitable_runner {
public:
    awaitable_runner() = default;
    awaitable_runner(const awaitable_runner&) = delete;
    awaitable_runner& operator=(const awaitable_runner&) = delete;
    ~awaitable_runner() { stop(); }

    /// Runs it at once, until it is suspended or has ended; always on the same executor. Throws what an operation
    /// throws that it begins, and `std::bad_alloc`; the job is told that it is lost, then or later. The slot is to be
    /// cleared when the job is told, or forgotten.
    void start(const boost::asio::any_io_executor& home, boost::asio::cancellation_slot slot, awaitable_job& job);
    /// Forgets the job, whose callbacks are not called any more.
    void forget() noexcept;
    /// Starts no more jobs. A running job goes on, and its callback is called.
    void stop() noexcept;

private:
    boost::intrusive_ptr<awaitable_loop> loop_;
};

} // namespace partyline::detail
