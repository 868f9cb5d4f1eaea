#include "access/rules/name_table.hpp"

#include <algorithm>

namespace partyline::access {

name_table::slot name_table::add(const name_pattern& pattern)
{
    auto& slots = pattern.is_prefix ? prefix_slots_ : exact_;
    const auto [found, is_new] = slots.try_emplace(pattern.name, static_cast<slot>(above_.size()));
    if (is_new) {
        above_.push_back(none);
        if (pattern.is_prefix)
            prefixes_.push_back({pattern.name, found->second});
    }
    return found->second;
}

void name_table::finish()
{
    std::sort(prefixes_.begin(), prefixes_.end(), [](const prefix& a, const prefix& b) { return a.text < b.text; });
    std::vector<std::uint32_t>
        open; // the prefixes that the next one may begin with, each of which begins with those before
    for (std::uint32_t i = 0; i < prefixes_.size(); ++i) {
        while (!open.empty() && !prefixes_[i].text.starts_with(prefixes_[open.back()].text))
            open.pop_back();
        prefix_above_.push_back(open.empty() ? none : open.back());
        above_[prefixes_[i].is] = open.empty() ? none : prefixes_[open.back()].is;
        order_.push_back(prefixes_[i].is);
        open.push_back(i);
    }
    for (const auto& [name, is] : exact_) {
        above_[is] = find_prefix(name);
        order_.push_back(is);
    }
    prefix_slots_.clear();
}

// What begins a name stands before it in order, and all between the two begin with it as well: so the last one that
// stands before the name is it, or begins with it.
name_table::slot name_table::find_prefix(std::string_view name) const noexcept
{
    const auto behind = std::upper_bound(prefixes_.begin(), prefixes_.end(), name,
                                         [](std::string_view text, const prefix& one) { return text < one.text; });
    if (behind == prefixes_.begin())
        return none;
    auto candidate = static_cast<std::uint32_t>(behind - prefixes_.begin() - 1);
    while (candidate != none && !name.starts_with(prefixes_[candidate].text))
        candidate = prefix_above_[candidate];
    return candidate == none ? none : prefixes_[candidate].is;
}

} // namespace partyline::access
