#include "supervisor/restart_rules.hpp"

#include <algorithm>
#include <limits>

namespace partyline {
namespace {

// Also for what is no number: then the least.
double within(double value, double least, double most) noexcept
{
    return value > least ? std::min(value, most) : least;
}

// `most` where that would overflow.
steady_duration times(steady_duration one, double factor, steady_duration most) noexcept
{
    const double count = static_cast<double>(one.count()) * factor;
    return count < static_cast<double>(most.count()) ? steady_duration(static_cast<steady_duration::rep>(count)) : most;
}

} // namespace

void restart_rules::on_start(steady_time now)
{
    ready_.reset();
    while (!starts_.empty() && due_time(starts_.front(), policy_.start_window) <= now)
        starts_.pop_front();
    starts_.push_back(now);
    if (starts_.size() > std::max<std::size_t>(policy_.max_starts, 1))
        starts_.pop_front();
}

restart_rules::decision restart_rules::on_end(steady_time now, child_outcome how, double chance)
{
    if (how == child_outcome::not_started && !has_ever_started_)
        return {verdict::hopeless};
    has_ever_started_ = true;
    if (how == child_outcome::success && policy_.after == restart_after::failure)
        return {verdict::over};
    if (ready_ && due_time(*ready_, policy_.stable_after) <= now)
        delay_.reset();
    delay_ = next_delay();
    if (*delay_ == steady_duration::max())
        return {verdict::over};
    const steady_duration delay = shortened(*delay_, chance);
    if (is_too_often(due_time(now, delay)))
        return {verdict::too_often};
    return {verdict::again, delay};
}

steady_duration restart_rules::next_delay() noexcept
{
    const steady_duration none = steady_duration::zero();
    if (policy_.first_delay == steady_duration::max())
        return policy_.first_delay;
    const steady_duration longer = delay_
                                       ? times(*delay_, within(policy_.factor, 1, std::numeric_limits<double>::max()),
                                               steady_duration::max() - steady_duration(1))
                                       : policy_.first_delay;
    return std::clamp(longer, none, std::max(policy_.max_delay, none));
}

steady_duration restart_rules::shortened(steady_duration delay, double chance) const noexcept
{
    return times(delay, 1 - within(policy_.jitter, 0, 1) * within(chance, 0, 1), delay);
}

// A window that is never over holds every start there was.
bool restart_rules::is_too_often(steady_time next_start) const noexcept
{
    const bool are_so_many = policy_.max_starts != 0 && starts_.size() >= policy_.max_starts;
    return are_so_many && due_time(starts_.front(), policy_.start_window) > next_start;
}

} // namespace partyline
