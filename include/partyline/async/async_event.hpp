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

/// An event: operations wait until it is set. Any number may wait at a time.
///
///     partyline::task<> answer(std::shared_ptr<partyline::async_event> is_ready)
///     {
///         co_await is_ready->async_wait(); // completes at once where it is set already
///     }
///
/// Flow: once `set()`, it is set until `reset()`. What waits for a condition whose change sets the event resets it
/// before it waits, and looks again afterwards.
///
/// Lifetime         its executor's context outlives it. What waits when it is destroyed completes with
///                  operation_aborted; what waits when the context is destroyed is destroyed with that
/// Threads          none: one call at a time, on one serial executor or under a lock
class async_event {
public:
    /// Not set. Operations whose handlers have no executor of their own complete on `executor`.
    explicit async_event(const boost::asio::any_io_executor& executor) : state_(std::make_shared<state>(executor)) {}
    async_event(const async_event&) = delete;
    async_event& operator=(const async_event&) = delete;
    ~async_event() { cancel(); }

    /// Where operations complete whose handlers have no executor of their own.
    boost::asio::any_io_executor get_executor() const { return state_->never.get_executor(); }

    /// Completes all operations that wait, and all later ones until it is reset.
    PARTYLINE_EXPORT void set() noexcept;
    /// What has been completed by `set()` stays so.
    void reset() noexcept { state_->is_set = false; }
    /// Whether it has been set, and not reset since.
    bool is_set() const noexcept { return state_->is_set; }
    /// Completes all operations that wait with operation_aborted.
    PARTYLINE_EXPORT void cancel() noexcept;

    /// Waits until the event is set.
    ///
    /// Completes with   void(error_code); never from within this call
    /// Fails with       operation_aborted: it was cancelled, or the event was destroyed, before it was set
    /// Cancellation     terminal, partial, total: it waits no longer. An event that is set meanwhile is told all the
    ///                  same
    /// Throws           std::bad_alloc: nothing waits then
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code)>
    auto async_wait(Token&& token = {})
    {
        return boost::asio::async_compose<Token, void(error_code)>(wait_operation(state_), token, state_->never);
    }

private:
    // What waits is the timer's, and so its context's, which destroys it. An operation may outlive the event.
    struct state {
        explicit state(const boost::asio::any_io_executor& executor)
            : never(executor, boost::asio::steady_timer::time_point::max())
        {
        }

        boost::asio::steady_timer never;        // does not expire: cancelled to wake all that wait
        std::atomic<std::size_t> times_set = 0; // completions read it, on executors of their own
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
            const std::shared_ptr<state> of = of_; // `self` is moved
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
