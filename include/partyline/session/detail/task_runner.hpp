#pragma once

#include <partyline/config.hpp>
#include <partyline/session/detail/awaitable_runner.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <coroutine>
#include <cstdint>
#include <utility>

namespace partyline::detail {

struct task_promise_base;

/// Runs a task and the tasks that it awaits: one is awake at a time, and it awaits one thing.
///
/// Flow: `start()` runs it to its end, or until it awaits an operation; then the completion of that goes on, and
/// `on_task_ended()` is called at the end. Coroutines are resumed from one loop, not from each other: the stack stays
/// flat however many end at once, in builds without tail calls, too.
/// Ownership: the derived class owns the first task's frame, and lives for as long as that is suspended.
/// Thread safety: none; everything happens on `task_home()`, which is serial.
class PARTYLINE_EXPORT task_runner {
public:
    /// How it has come to its end.
    enum class ending : std::uint8_t {
        none,    ///< not yet
        done,    ///< with a result or an exception, which its promise has
        dropped, ///< cancelled, and not to be thrown through: its frames are to be destroyed
        lost     ///< what it awaited will never complete
    };

    task_runner() = default;
    task_runner(const task_runner&) = delete;
    task_runner& operator=(const task_runner&) = delete;

    /// Where its tasks run.
    virtual const boost::asio::any_io_executor& task_home() const noexcept = 0;

    // For frames, and for what they await.

    boost::asio::cancellation_slot task_slot() noexcept { return signal_.slot(); }
    /// Whether what is awaited next is not to begin.
    bool must_interrupt() const noexcept { return is_cancelled_ && shields_ == 0; }
    /// Whether a frame is destroyed where a cancel would be thrown.
    bool may_drop() const noexcept { return drops_ && keepers_ == 0 && must_interrupt(); }
    /// In place of awaiting: the frame throws, or all are dropped.
    void interrupt(task_promise_base& awaiting, std::coroutine_handle<> frame) noexcept;
    void drop() { end(ending::dropped); }
    /// This frame is the next to run, when the one that says so has returned.
    void go_on(std::coroutine_handle<> frame) noexcept { next_ = frame; }
    /// The first task has ended.
    void note_done() noexcept { ending_ = ending::done; }
    /// Forgets how to cancel what was awaited: that refers to what may go with a frame. (The memory of the handler is
    /// kept for the next one, since to free it and to allocate it anew costs more than the rest of this.)
    void forget_cancel() noexcept
    {
        if (signal_.slot().has_handler())
            signal_.slot().emplace<nothing_to_cancel>();
    }
    /// Called when the awaited operation has completed.
    void resume(std::coroutine_handle<> frame)
    {
        forget_cancel();
        next_ = frame;
        if (!is_running_ && run()) // else whoever runs goes on with it
            on_task_ended();
    }
    /// Called when the awaited operation was destroyed without having completed.
    void lose() noexcept { end(ending::lost); }

    // See `with_clean_up`. Both nest.

    /// Until `unkeep_frames()`: a cancel is thrown, also where it would drop frames.
    void keep_frames() noexcept { ++keepers_; }
    void unkeep_frames() noexcept { --keepers_; }
    /// Forgets a cancel that has come; one that comes until `unshield()` takes effect after that.
    void shield() noexcept
    {
        if (shields_++ == 0)
            is_cancelled_ = false;
    }
    void unshield() noexcept { --shields_; }

    /// Where coroutines of Asio's run that its tasks await.
    awaitable_runner& beside() noexcept { return beside_; }

    /// Whether we are on a thread that `task_home()` runs on, so that what it executes needs no way there.
    bool is_at_home() const noexcept;

protected:
    ~task_runner() = default;

    struct manner {
        bool drops = false; ///< see `method_options::on_cancel`
        bool is_cancelled = false;
    };
    /// True when it has ended.
    bool start(task_promise_base& first, std::coroutine_handle<> frame, manner how) noexcept;
    /// Ends what is awaited; whatever is awaited later throws at once.
    void cancel_task(boost::asio::cancellation_type type);
    ending task_ending() const noexcept { return ending_; }
    /// No task will await a coroutine of Asio's for now. (Where they ran, while that is there: a frame is kept.)
    void release_beside() noexcept { beside_.stop(); }

    /// Called when the task has ended, other than within `start()`. It may destroy this object; it throws nothing where
    /// the ending is `lost`.
    virtual void on_task_ended() = 0;

private:
    struct nothing_to_cancel {
        void operator()(boost::asio::cancellation_type) const noexcept {}
    };

    bool run() noexcept
    {
        is_running_ = true;
        while (next_)
            std::exchange(next_, nullptr).resume();
        is_running_ = false;
        return ending_ != ending::none;
    }
    void end(ending how)
    {
        forget_cancel();
        ending_ = how;
        if (!is_running_)
            on_task_ended();
    }

    std::coroutine_handle<> next_;
    boost::asio::cancellation_signal signal_;
    awaitable_runner beside_;
    std::uint16_t shields_ = 0;
    std::uint16_t keepers_ = 0;
    ending ending_ = ending::none;
    bool is_running_ = false;
    bool is_cancelled_ = false;
    bool drops_ = false;
};

/// Where the completion of what a task awaits runs: small, since every operation has two of them.
class PARTYLINE_EXPORT task_executor {
public:
    explicit task_executor(const task_runner& runner) noexcept : runner_(&runner) {}

    template <class Function>
    void execute(Function&& function) const
    {
        if (runner_->is_at_home()) [[likely]]
            std::forward<Function>(function)();
        else
            boost::asio::any_io_executor(runner_->task_home()).execute(std::forward<Function>(function));
    }

    boost::asio::execution_context& query(boost::asio::execution::context_t) const
    {
        return boost::asio::query(runner_->task_home(), boost::asio::execution::context);
    }
    static constexpr boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) noexcept
    {
        return boost::asio::execution::blocking_t(boost::asio::execution::blocking.possibly);
    }
    boost::asio::any_io_executor require(boost::asio::execution::blocking_t::never_t never) const
    {
        return boost::asio::require(runner_->task_home(), never);
    }
    friend bool operator==(const task_executor&, const task_executor&) noexcept = default;

private:
    const task_runner* runner_;
};

} // namespace partyline::detail
