#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace partyline {

/// An event that operations wait for. Any number of operations may wait at a time.
///
///     partyline::task<> answer(std::shared_ptr<partyline::async_event> is_ready)
///     {
///         co_await is_ready->async_wait(); // completes at once if the event is already set
///     }
///
/// Flow: after `set()`, the event stays set until `reset()`. To wait for a condition whose changes set the event, reset
/// the event, wait, and check the condition again.
///
/// Lifetime         the context of the executor outlives the event. Destroying the event completes waiting operations
///                  with operation_aborted; destroying the context destroys them
/// Threads          none: one call at a time, on one serial executor or under a lock
class async_event {
public:
    /// Makes an event that is not set. Handlers without an associated executor are called on `executor`.
    explicit async_event(const boost::asio::any_io_executor& executor) : state_(std::make_shared<state>(executor)) {}
    async_event(const async_event&) = delete;
    async_event& operator=(const async_event&) = delete;
    ~async_event() { cancel(); }

    /// Returns the executor on which handlers without an associated executor are called.
    boost::asio::any_io_executor get_executor() const { return state_->never.get_executor(); }

    /// Completes all waiting operations, and later ones at once until `reset()`.
    PARTYLINE_EXPORT void set() noexcept;
    /// Makes later operations wait. Operations that `set()` has completed still succeed.
    void reset() noexcept { state_->is_set = false; }
    /// Returns whether the event is set.
    bool is_set() const noexcept { return state_->is_set; }
    /// Completes all waiting operations with operation_aborted.
    PARTYLINE_EXPORT void cancel() noexcept;

    /// Waits until the event is set.
    ///
    /// Completes with   void(error_code); never from within this call
    /// Fails with       operation_aborted: the wait was cancelled, or the event was destroyed, before `set()`
    /// Cancellation     terminal, partial, total: ends the wait, which still succeeds if `set()` was called before its
    ///                  completion
    /// Throws           std::bad_alloc: the operation has not started
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code)>
    auto async_wait(Token&& token = {})
    {
        return boost::asio::async_compose<Token, void(error_code)>(wait_operation(state_), token, state_->never);
    }

private:
    // The timer's context owns the waiting operations, which may outlive the event, and destroys them with itself.
    struct state {
        explicit state(const boost::asio::any_io_executor& executor)
            : never(executor, boost::asio::steady_timer::time_point::max())
        {
        }

        boost::asio::steady_timer never;        // does not expire; cancelled to wake all waiting operations
        std::atomic<std::size_t> times_set = 0; // atomic: completions read it on other executors
        bool is_set = false;
    };

    class wait_operation {
    public:
        explicit wait_operation(std::shared_ptr<state> of) noexcept : of_(std::move(of)) {}

        template <class Self>
        void operator()(Self& self, error_code failed = {})
        {
            if (has_begun_)
                return self.complete(of_->times_set == times_set_ ? failed : error_code());
            has_begun_ = true;
            times_set_ = of_->times_set;
            self.reset_cancellation_state(boost::asio::enable_total_cancellation());
            const std::shared_ptr<state> of = of_; // moving `self` below moves this operation
            if (of->is_set)
                boost::asio::post(of->never.get_executor(), std::move(self));
            else
                of->never.async_wait(std::move(self));
        }

    private:
        std::shared_ptr<state> of_;
        std::size_t times_set_ = 0;
        bool has_begun_ = false;
    };

    const std::shared_ptr<state> state_;
};

} // namespace partyline
