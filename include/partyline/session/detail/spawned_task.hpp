#pragma once

#include <partyline/config.hpp>
#include <partyline/session/detail/task_runner.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>

#include <coroutine>
#include <memory>

namespace partyline::detail {

/// A task that runs beside others and completes a handler: the part that does not depend on the result of the task, so
/// that it is compiled once.
///
/// Flow: `launch()`, then `complete()` once, never from within `launch()`. Where an operation that the task awaits is
/// lost nothing is completed, and the task is destroyed with everything that it owns.
/// Ownership: its own, from `launch()` to either.
/// Thread safety: `launch()` anywhere; everything else on `task_home()`, which is serial.
class PARTYLINE_EXPORT spawned_task : public task_runner, public std::enable_shared_from_this<spawned_task> {
public:
    /// Keeps `home` at work until the task has ended.
    explicit spawned_task(boost::asio::any_io_executor home);

    /// Starts the task on its executor, at once if the caller runs there.
    void launch();
    /// Cancels the operation that the task awaits. A task that has not begun begins cancelled.
    void cancel(boost::asio::cancellation_type type);

    const boost::asio::any_io_executor& task_home() const noexcept override { return home_; }

protected:
    ~spawned_task() = default;

    struct coroutine {
        task_promise_base& promise;
        std::coroutine_handle<> frame;
    };

private:
    /// The coroutine that is to run.
    virtual coroutine first() const noexcept = 0;
    /// Called when the coroutine has ended, with a result or an exception, which its promise has.
    virtual void complete() = 0;

    void begin();
    void on_task_ended() final;
    void end();

    boost::asio::any_io_executor home_;
    std::shared_ptr<spawned_task> self_; // while it is suspended
    bool has_begun_ = false;
    bool was_cancelled_ = false; // before it began
};

} // namespace partyline::detail
