#pragma once

#include "rpc/subscriptions/subscription_kind.hpp"
#include "session/group/group_member.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/rpc/subscription.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/value.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

class subscription_run;

/// One subscription: what is queued for its client, its handler's task, and who waits for it.
///
/// Flow: `offer()` at any time; `accept()` when the handler has been called. Then `finish()` or `fail()`, after which
/// what is queued still goes out, or `end()`, after which nothing does but what is on its way.
/// Ownership: the session's or the request's, until it has ended; sinks share it. It does not own its task, whose frame
/// has a sink.
/// Thread safety: safe.
class subscription_state : public group_member {
public:
    subscription_state(std::shared_ptr<const subscription_kind> of, std::uint64_t id, empty_optionals empty,
                       std::shared_ptr<const subscription_slot> slot);

    std::uint64_t id() const noexcept { return id_; }
    const subscription_kind& kind() const noexcept { return *kind_; }
    empty_optionals empty_policy() const noexcept { return empty_; }
    /// Its task takes it as well.
    std::shared_ptr<const subscription_slot> slot() noexcept;
    bool is_open() const noexcept override { return !is_over_; }

    /// Answers the request. `serving`: the task that begins then; null where there is none.
    virtual task<std::uint64_t> accept(request_context& context, std::shared_ptr<subscription_run> serving) = 0;

    /// Writes a notification. `member`: "result" or "error".
    broadcast_ptr write(const char* member, const boost::json::value& value) const;
    sink_status offer(const broadcast_ptr& what);
    static task<bool> offer_when_room(std::shared_ptr<subscription_state> to, broadcast_ptr what);
    /// Waits until nothing is queued; false: it has ended.
    static task<bool> wait_for_room(std::shared_ptr<subscription_state> of);
    static task<void> wait_end(std::shared_ptr<subscription_state> of);

    void finish() noexcept
    {
        finish_by([]() noexcept {});
    }
    /// The client is told the error.
    virtual void fail(const error_object& why) = 0;
    /// The task has ended, by this where it is not null.
    void on_ended(std::exception_ptr thrown) noexcept;
    /// What is queued is dropped.
    void end() noexcept;

protected:
    void on_taken() noexcept override
    {
        if (is_empty()) // which is waited for
            wake_waiters(true);
    }
    void start_task(const std::shared_ptr<subscription_run>& serving) noexcept;
    /// It is over, after `then()`, which is called under the lock; nothing happens where it has been over.
    template <class F>
    void finish_by(F then) noexcept
    {
        {
            const std::lock_guard alone(mutex_);
            if (is_over_)
                return;
            then();
            is_over_ = true;
        }
        cancel_task();
        wake_waiters(false);
        if (wake_again())
            on_over();
        else
            end();
    }
    /// Gives the slot back where it is over, too.
    bool try_finish() noexcept override;
    /// The task has thrown something that is to be told.
    virtual void tell_failure(std::exception_ptr thrown) = 0;
    /// It is over.
    virtual void on_over() noexcept {}
    /// Nothing goes out any more. Called under the lock.
    virtual void drop_last() noexcept {}

    std::mutex& mutex() noexcept { return mutex_; }

private:
    class wait;
    struct waiter {
        boost::asio::any_io_executor home;
        std::shared_ptr<async_event> event;
        bool is_for_room;
        bool is_woken = false; // at most once: it looks again as another one
    };

    void cancel_task() noexcept;
    void wake_waiters(bool is_room) noexcept;

    const std::shared_ptr<const subscription_kind> kind_;
    const std::uint64_t id_;
    const empty_optionals empty_;
    std::atomic<bool> is_over_ = false; // nothing more is queued; set under the mutex

    std::mutex mutex_;                              // of what follows
    std::shared_ptr<const subscription_slot> slot_; // until it is over, and nothing is queued
    std::weak_ptr<subscription_run> running_;       // which lives as long as its task
    std::list<waiter*> waiters_;
};

} // namespace partyline
