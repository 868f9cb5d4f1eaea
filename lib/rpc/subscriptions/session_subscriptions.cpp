#include "rpc/subscriptions/session_subscriptions.hpp"

#include "rpc/subscriptions/notified_subscription.hpp"
#include "rpc/subscriptions/subscription_kind.hpp"

#include <utility>
#include <vector>

namespace partyline {

std::shared_ptr<subscription_state> session_subscriptions::open(const std::shared_ptr<const subscription_kind>& kind,
                                                                const std::shared_ptr<session_link>& its,
                                                                empty_optionals empty)
{
    const std::lock_guard alone(mutex_);
    if (has_ended_)
        return nullptr;
    subscription_seat::count& taken = taken_[kind.get()];
    if (!taken)
        taken = std::make_shared<std::atomic<std::size_t>>(0);
    if (*taken >= kind->options.max_per_session)
        return nullptr;
    auto seat = std::make_shared<const subscription_seat>(taken);
    auto made =
        std::make_shared<notified_subscription>(kind, last_id_ + 1, empty, std::move(seat), shared_from_this(), its);
    open_.emplace(last_id_ + 1, made);
    ++last_id_;
    return made;
}

std::shared_ptr<subscription_state> session_subscriptions::take(std::uint64_t id,
                                                                const subscription_kind& kind) noexcept
{
    const std::lock_guard alone(mutex_);
    const auto found = open_.find(id);
    if (found == open_.end() || &found->second->kind() != &kind)
        return nullptr;
    return extract(found);
}

void session_subscriptions::forget(std::uint64_t id) noexcept
{
    std::shared_ptr<subscription_state> gone; // after the lock: its end comes here, too
    const std::lock_guard alone(mutex_);
    if (const auto found = open_.find(id); found != open_.end())
        gone = extract(found);
}

std::shared_ptr<subscription_state> session_subscriptions::extract(map::iterator one) noexcept
{
    std::shared_ptr<subscription_state> taken = std::move(one->second);
    open_.erase(one);
    return taken;
}

void session_subscriptions::end_all() noexcept
{
    map all;
    {
        const std::lock_guard alone(mutex_);
        has_ended_ = true;
        all.swap(open_);
    }
    for (const auto& [id, one] : all)
        one->end();
}

/// Kept with the session: its end is the session's.
class subscription_registry::entry {
public:
    entry(std::shared_ptr<subscription_registry> of, std::shared_ptr<session_link> its) noexcept
        : of_(std::move(of)), its_(std::move(its))
    {
    }
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    ~entry()
    {
        if (const std::shared_ptr<session_subscriptions> all = of_->find(its_.get())) {
            of_->erase(its_.get());
            all->end_all();
        }
    }

private:
    const std::shared_ptr<subscription_registry> of_;
    const std::shared_ptr<session_link> its_; // so that no other session has its address
};

std::shared_ptr<session_subscriptions> subscription_registry::of(const std::shared_ptr<session_link>& its)
{
    if (std::shared_ptr<session_subscriptions> known = find(its.get()))
        return known;
    // Where the session ends before it has run what is posted, the entry goes with that.
    const auto kept = std::make_shared<entry>(shared_from_this(), its);
    std::shared_ptr<session_subscriptions> made = insert(its.get());
    using entries = std::vector<std::shared_ptr<entry>>; // there may be several tables
    const bool is_posted = its->post([kept](live_session& now) {
        entries* const all = now.attached<entries>();
        (all ? *all : now.attach(entries())).push_back(kept);
    });
    return is_posted ? made : nullptr;
}

std::shared_ptr<session_subscriptions> subscription_registry::find(const session_link* its) const noexcept
{
    const std::lock_guard alone(mutex_);
    const auto found = sessions_.find(its);
    return found == sessions_.end() ? nullptr : found->second;
}

std::shared_ptr<session_subscriptions> subscription_registry::insert(const session_link* its)
{
    auto made = std::make_shared<session_subscriptions>();
    const std::lock_guard alone(mutex_);
    return sessions_.try_emplace(its, std::move(made)).first->second;
}

void subscription_registry::erase(const session_link* its) noexcept
{
    const std::lock_guard alone(mutex_);
    sessions_.erase(its);
}

} // namespace partyline
