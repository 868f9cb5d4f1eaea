#pragma once

#include "rpc/subscriptions/subscription_kind.hpp"
#include "session/group/notified_member.hpp"

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
/// Flow: `offer()` at any time; `accept()` once the client has its id, and what was sent goes out from then on. Then
/// `finish()`, after which what is queued still goes out, or `end()`, after which nothing does but what the session
/// keeps until it has room.
/// Ownership: the session's, until it has ended; sinks share it, and so does what is on its way. It does not own its
/// task, whose frame has a sink.
/// Thread safety: safe.
class subscription_state final : public notified_member {
public:
    subscription_state(std::shared_ptr<const subscription_kind> of, std::shared_ptr<session_subscriptions> place,
                       std::shared_ptr<session_link> to, std::uint64_t id, empty_optionals empty,
                       std::shared_ptr<const subscription_seat> seat);

    std::uint64_t id() const noexcept { return id_; }
    const subscription_kind& kind() const noexcept { return *kind_; }
    const std::shared_ptr<session_link>& session() const noexcept { return to_; }
    empty_optionals empty_policy() const noexcept { return empty_; }
    /// Its task takes it as well.
    std::shared_ptr<const subscription_seat> seat() noexcept;
    bool is_open() const noexcept override { return !is_over_ && to_->is_open(); }

    /// Writes a notification. `member`: "result" or "error".
    broadcast_ptr write(const char* member, const boost::json::value& value) const;
    sink_status offer(const broadcast_ptr& what);
    static task<bool> offer_when_room(std::shared_ptr<subscription_state> to, broadcast_ptr what);
    /// Waits until nothing is queued; false: it has ended.
    static task<bool> wait_for_room(std::shared_ptr<subscription_state> of);
    static task<void> wait_end(std::shared_ptr<subscription_state> of);

    /// The client has its answer. `serving`: the task that begins now; null where there is none.
    void accept(std::shared_ptr<subscription_run> serving) noexcept;

    /// What is queued goes out, and `last`, unless that is null.
    void finish(broadcast_ptr last) noexcept;
    void finish(const error_object& why) { finish(write("error", error_value(why))); }
    /// The task has ended, by this where it is not null.
    void on_ended(std::exception_ptr thrown) noexcept;
    /// What is queued is dropped.
    void end() noexcept;

private:
    class wait;
    struct waiter {
        boost::asio::any_io_executor home;
        std::shared_ptr<async_event> event;
        bool is_for_room;
    };

    static boost::json::value error_value(const error_object& of);

    bool wake() override;
    void on_taken() noexcept override { wake_waiters(true); }
    void on_empty(live_session& now) override;
    void on_unsent(error_code why) noexcept override;
    void begin(live_session& now, const std::shared_ptr<subscription_run>& serving) noexcept;
    void start_task(const std::shared_ptr<subscription_run>& serving) noexcept;
    void cancel_task() noexcept;
    void tell_failure(const std::exception_ptr& thrown);
    bool take_over(broadcast_ptr last) noexcept;
    void wake_waiters(bool is_room) noexcept;
    std::shared_ptr<subscription_state> shared_from_base()
    {
        return std::static_pointer_cast<subscription_state>(shared_from_this());
    }

    const std::shared_ptr<const subscription_kind> kind_;
    const std::shared_ptr<session_subscriptions> place_;
    const std::shared_ptr<session_link> to_;
    const std::uint64_t id_;
    const empty_optionals empty_;
    std::atomic<bool> has_begun_ = false;
    std::atomic<bool> is_over_ = false; // nothing more is queued; set under the mutex

    std::mutex mutex_;                              // of what follows
    std::shared_ptr<const subscription_seat> seat_; // until it is over, and nothing is queued
    broadcast_ptr last_;
    std::weak_ptr<subscription_run> running_; // which lives as long as its task
    std::list<waiter*> waiters_;
};

} // namespace partyline
