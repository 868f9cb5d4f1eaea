#include "session/group/group_state.hpp"

#include <partyline/session/session_link.hpp>

#include <algorithm>
#include <utility>

namespace partyline {

bool group_state::insert(const void* key, std::shared_ptr<group_member> added)
{
    const std::lock_guard alone(mutex_);
    if (members_.size() >= forget_at_)
        forget_ended();
    const bool is_request = added->is_request();
    if (is_request && requests_ >= facts_->options.max_requests)
        return false;
    const bool is_new = members_.try_emplace(key, std::move(added)).second;
    requests_ += is_request;
    return is_new;
}

// With twice as many as there are now it happens again, so that each pays for a few.
void group_state::forget_ended() noexcept
{
    std::erase_if(members_, [](const auto& one) { return !one.second->is_open(); });
    constexpr std::size_t least = 16;
    forget_at_ = std::max(least, 2 * members_.size());
}

bool group_state::erase(const void* key) noexcept
{
    const std::lock_guard alone(mutex_);
    const auto found = members_.find(key);
    if (found == members_.end())
        return false;
    found->second->clear();
    requests_ -= found->second->is_request();
    members_.erase(found);
    return true;
}

std::size_t group_state::send(const broadcast_ptr& what, const void* except)
{
    const std::lock_guard alone(mutex_);
    std::size_t count = 0;
    for (auto one = members_.begin(); one != members_.end();) {
        if (!one->second->is_open()) {
            one = members_.erase(one);
            continue;
        }
        if (one->first != except) {
            one->second->send(what);
            ++count;
        }
        ++one;
    }
    return count;
}

std::vector<std::shared_ptr<session_link>> group_state::sessions() const
{
    std::vector<std::shared_ptr<session_link>> all;
    const std::lock_guard alone(mutex_);
    for (const auto& [key, one] : members_)
        if (std::shared_ptr<session_link> its = one->is_open() ? one->link() : nullptr)
            all.push_back(std::move(its));
    return all;
}

std::size_t group_state::size() const
{
    const std::lock_guard alone(mutex_);
    return static_cast<std::size_t>(
        std::count_if(members_.begin(), members_.end(), [](const auto& one) { return one.second->is_open(); }));
}

} // namespace partyline
