#include "rpc/subscriptions/session_subscriptions.hpp"

#include "rpc/subscriptions/notified_subscription.hpp"
#include "rpc/subscriptions/subscription_kind.hpp"

#include <utility>

namespace partyline {

std::shared_ptr<subscription_state> session_subscriptions::open(const std::shared_ptr<const subscription_kind>& kind,
                                                                const std::shared_ptr<session_link>& link,
                                                                empty_optionals empty)
{
    const std::lock_guard alone(mutex_);
    if (has_ended_)
        return nullptr;
    subscription_slot::counter& taken = taken_[kind.get()];
    if (!taken)
        taken = std::make_shared<std::atomic<std::size_t>>(0);
    if (*taken >= kind->options.max_per_session)
        return nullptr;
    auto slot = std::make_shared<const subscription_slot>(taken);
    auto made =
        std::make_shared<notified_subscription>(kind, last_id_ + 1, empty, std::move(slot), shared_from_this(), link);
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
    std::shared_ptr<subscription_state> gone; // after the lock: its end may come here, too
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

} // namespace partyline
