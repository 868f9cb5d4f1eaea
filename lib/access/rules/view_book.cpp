#include "access/rules/view_book.hpp"

namespace partyline::access {

std::shared_ptr<const rule_view> view_book::find(std::string_view principal, const std::vector<std::string>& scopes)
{
    std::string fits = rules_->fits(principal, scopes);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = views_.find(fits); found != views_.end())
            return found->second;
    }
    auto made = std::make_shared<const rule_view>(rules_, fits);
    const std::lock_guard lock(mutex_);
    if (views_.size() >= max_views && !views_.contains(fits))
        return made;
    return views_.try_emplace(std::move(fits), std::move(made)).first->second;
}

std::size_t view_book::size() const
{
    const std::lock_guard lock(mutex_);
    return views_.size();
}

} // namespace partyline::access
