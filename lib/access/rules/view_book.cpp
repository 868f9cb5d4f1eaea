#include "access/rules/view_book.hpp"

#include <algorithm>

namespace partyline::access {

std::shared_ptr<const rule_view> view_book::find(std::string_view principal, const std::vector<std::string>& scopes)
{
    std::string fits = rules_->fits(principal, scopes);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = views_.find(fits); found != views_.end())
            return found->second;
    }
    if (size() >= most_views())
        return std::make_shared<const rule_view>(rules_, std::move(fits), rule_view::verdicts::found_each_time,
                                                 proofs_);
    auto made = std::make_shared<const rule_view>(rules_, fits, rule_view::verdicts::kept, proofs_);
    const std::lock_guard lock(mutex_);
    return views_.try_emplace(std::move(fits), std::move(made)).first->second;
}

std::size_t view_book::most_views() const noexcept
{
    std::size_t patterns = 0;
    for (std::size_t kind = 0; kind < name_kinds; ++kind)
        patterns += rules_->names(static_cast<name_kind>(kind)).names.size();
    return std::min(max_views, max_verdicts / patterns); // there are those of free methods
}

std::size_t view_book::size() const
{
    const std::lock_guard lock(mutex_);
    return views_.size();
}

} // namespace partyline::access
