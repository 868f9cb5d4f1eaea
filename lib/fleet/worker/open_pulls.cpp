#include "fleet/worker/open_pulls.hpp"

namespace partyline::fleet {

std::uint64_t open_pulls::open(std::size_t count, time_point ends)
{
    all_.emplace(++last_number_, pull{count, ends});
    asked_ += count;
    return last_number_;
}

void open_pulls::on_item()
{
    heard_until_ = last_number_;
    if (all_.empty())
        return;
    --asked_;
    if (--all_.begin()->second.count == 0)
        all_.erase(all_.begin());
}

bool open_pulls::on_status(std::uint64_t number)
{
    const auto found = all_.find(number);
    if (found == all_.end())
        return false;
    heard_until_ = last_number_;
    erase(found);
    return true;
}

void open_pulls::end_all() noexcept
{
    all_.clear();
    asked_ = 0;
}

bool open_pulls::end_until(time_point now)
{
    bool is_any_unheard = false;
    while (!all_.empty() && all_.begin()->second.ends <= now) {
        is_any_unheard |= all_.begin()->first > heard_until_;
        erase(all_.begin());
    }
    return is_any_unheard;
}

void open_pulls::erase(map::iterator one)
{
    asked_ -= one->second.count;
    all_.erase(one);
}

std::optional<open_pulls::time_point> open_pulls::next_end() const
{
    return all_.empty() ? std::nullopt : std::optional(all_.begin()->second.ends);
}

} // namespace partyline::fleet
