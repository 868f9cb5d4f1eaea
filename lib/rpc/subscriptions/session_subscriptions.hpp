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
class subscription_slot {
public:
    using counter = std::shared_ptr<std::atomic<std::size_t>>;

    explicit subscription_slot(counter taken) noexcept : taken_(std::move(taken)) { ++*taken_; }
    subscription_slot(const subscription_slot&) = delete;
    subscription_slot& operator=(const subscription_slot&) = delete;
    ~subscription_slot() { --*taken_; }

private:
    const counter taken_;
};

/// The open subscriptions of one session, by their ids.
/// Thread safety: safe.
class session_subscriptions : public std::enable_shared_from_this<session_subscriptions> {
public:
    /// Opens one; null: the session has as many of this kind as may be, or has ended. Throws `std::bad_alloc`.
    std::shared_ptr<subscription_state> open(const std::shared_ptr<const subscription_kind>& kind,
                                             const std::shared_ptr<session_link>& link, empty_optionals empty);
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
    std::map<const subscription_kind*, subscription_slot::counter> taken_;
    std::uint64_t last_id_ = 0;
    bool has_ended_ = false;
};

/// Keeps the subscriptions of a session with that, whose end is theirs.
class kept_subscriptions {
public:
    explicit kept_subscriptions(std::shared_ptr<session_subscriptions> all) noexcept : all_(std::move(all)) {}
    kept_subscriptions(kept_subscriptions&&) noexcept = default;
    kept_subscriptions& operator=(kept_subscriptions&&) = delete;
    ~kept_subscriptions()
    {
        if (all_)
            all_->end_all();
    }

    session_subscriptions& operator*() const noexcept { return *all_; }

private:
    std::shared_ptr<session_subscriptions> all_;
};

} // namespace partyline
