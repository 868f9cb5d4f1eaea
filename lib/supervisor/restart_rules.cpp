#include "supervisor/restart_rules.hpp"

#include <algorithm>

namespace partyline {
namespace {

// The largest of all means never.
back_off::rule delays_of(const restart_policy& policy) noexcept
{
    const steady_duration longest = std::min(policy.max_delay, steady_duration::max() - steady_duration(1));
    return {policy.first_delay, policy.factor, longest, policy.jitter};
}

} // namespace

restart_rules::restart_rules(const restart_policy& policy) noexcept : policy_(policy), delays_(delays_of(policy)) {}

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
        return {next_step::hopeless};
    has_ever_started_ = true;
    const bool is_well = how == child_outcome::success && policy_.after == restart_after::failure;
    if (is_well || policy_.first_delay == steady_duration::max())
        return {next_step::over};
    if (ready_ && due_time(*ready_, policy_.stable_after) <= now)
        delays_.reset();
    const steady_duration delay = delays_.next(chance);
    if (is_too_often(due_time(now, delay)))
        return {next_step::too_often};
    return {next_step::again, delay};
}

// A window that is never over holds every start there was.
bool restart_rules::is_too_often(steady_time next_start) const noexcept
{
    const bool are_so_many = policy_.max_starts != 0 && starts_.size() >= policy_.max_starts;
    return are_so_many && due_time(starts_.front(), policy_.start_window) > next_start;
}

} // namespace partyline
