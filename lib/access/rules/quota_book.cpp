#include "access/rules/quota_book.hpp"

#include <algorithm>

namespace partyline::access {
namespace {

bool are_equal(const quota_limits& a, const quota_limits& b) noexcept
{
    return a.requests_per_second == b.requests_per_second && a.burst == b.burst && a.at_once == b.at_once;
}

} // namespace

quota_limits limits_for(const std::vector<limit_entry>& limits, std::string_view principal) noexcept
{
    const std::string_view name = principal.empty() ? anonymous_principal : principal;
    for (auto one = limits.rbegin(); one != limits.rend(); ++one)
        if (!one->principals || any_fits(*one->principals, name))
            return one->limits;
    return {};
}

std::shared_ptr<request_quota> quota_book::find(const std::string& name, const quota_limits& limits)
{
    if (limits.requests_per_second <= 0 && limits.at_once == 0)
        return {};
    const std::lock_guard lock(mutex_);
    std::weak_ptr<request_quota>& kept = quotas_[name];
    std::shared_ptr<request_quota> quota = kept.lock();
    if (!quota || !are_equal(quota->limits(), limits)) {
        quota = std::make_shared<request_quota>(limits);
        kept = quota;
    }
    if (quotas_.size() >= sweep_at_)
        forget_unused();
    return quota;
}

// Each time that there are twice as many as were left by the last time, so that it costs nothing on average.
void quota_book::forget_unused()
{
    std::erase_if(quotas_, [](const auto& one) { return one.second.expired(); });
    sweep_at_ = std::max<std::size_t>(64, 2 * quotas_.size());
}

std::size_t quota_book::size() const
{
    const std::lock_guard lock(mutex_);
    return quotas_.size();
}

} // namespace partyline::access
