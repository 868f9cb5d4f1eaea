#pragma once

#include <partyline/session/binding.hpp>
#include <partyline/session/session_link.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

class subscription_state;
struct subscription_kind;

/// Counts for `max_per_session` or `max_streams` of `subscription_options` as long as a subscription has something
/// queued, or its task runs.
class subscription_seat {
public:
    using count = std::shared_ptr<std::atomic<std::size_t>>;

    explicit subscription_seat(count taken) noexcept : taken_(std::move(taken)) { ++*taken_; }
    subscription_seat(const subscription_seat&) = delete;
    subscription_seat& operator=(const subscription_seat&) = delete;
    ~subscription_seat() { --*taken_; }

private:
    const count taken_;
};

/// The open subscriptions of one session to the kinds of one table, by their ids.
/// Thread safety: safe.
class session_subscriptions : public std::enable_shared_from_this<session_subscriptions> {
public:
    /// Opens one; null: the session has as many of this kind as may be, or has ended. Throws `std::bad_alloc`.
    std::shared_ptr<subscription_state> open(const std::shared_ptr<const subscription_kind>& kind,
                                             const std::shared_ptr<session_link>& its, empty_optionals empty);
    /// Takes out an open one of this kind; null: there is none.
    std::shared_ptr<subscription_state> take(std::uint64_t id, const subscription_kind& kind) noexcept;
    /// Takes out one that has ended, if it is there.
    void forget(std::uint64_t id) noexcept;
    /// Ends all, and opens none any more.
    void end_all() noexcept;

private:
    using map = std::map<std::uint64_t, std::shared_ptr<subscription_state>>;

    std::shared_ptr<subscription_state> extract(map::iterator one) noexcept;

    std::mutex mutex_;
    map open_;
    std::map<const subscription_kind*, subscription_seat::count> taken_;
    std::uint64_t last_id_ = 0;
    bool has_ended_ = false;
};

/// The sessions that have subscribed, for all kinds of one table. An entry goes when its session has ended.
/// Thread safety: safe.
class subscription_registry : public std::enable_shared_from_this<subscription_registry> {
public:
    /// The session's, made when first asked for; null: the session has ended. Throws `std::bad_alloc`.
    std::shared_ptr<session_subscriptions> of(const std::shared_ptr<session_link>& its);
    /// The session's where there is one, or null.
    std::shared_ptr<session_subscriptions> find(const session_link* its) const noexcept;

private:
    class entry;

    std::shared_ptr<session_subscriptions> insert(const session_link* its);
    void erase(const session_link* its) noexcept;

    mutable std::mutex mutex_;
    std::map<const session_link*, std::shared_ptr<session_subscriptions>> sessions_;
};

} // namespace partyline
