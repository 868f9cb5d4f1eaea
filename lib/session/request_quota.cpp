#include <partyline/session/request_quota.hpp>

#include <algorithm>
#include <cmath>

namespace partyline {
namespace {

// What is at once too much ends with whichever request ends first: nobody knows when.
constexpr std::chrono::milliseconds at_once_retry{1000};
constexpr std::chrono::milliseconds longest_retry = std::chrono::hours(24);

} // namespace

request_quota::request_quota(const quota_limits& limits) noexcept
    : limits_(limits), tokens_(std::max<std::uint32_t>(limits.burst, 1))
{
}

std::optional<std::chrono::milliseconds> request_quota::take(clock::time_point now) noexcept
{
    const std::lock_guard lock(mutex_);
    if (limits_.at_once != 0 && in_flight_ >= limits_.at_once)
        return at_once_retry;
    if (const auto later = spend(now))
        return later;
    ++in_flight_;
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> request_quota::take_from_rate(clock::time_point now) noexcept
{
    const std::lock_guard lock(mutex_);
    return spend(now);
}

void request_quota::release() noexcept
{
    const std::lock_guard lock(mutex_);
    if (in_flight_ != 0)
        --in_flight_;
}

// A token bucket: it fills with the rate, up to the burst, and each request takes one.
std::optional<std::chrono::milliseconds> request_quota::spend(clock::time_point now) noexcept
{
    const double rate = limits_.requests_per_second;
    if (!(rate > 0))
        return std::nullopt;
    if (counted_ && now > *counted_) {
        const double passed = std::chrono::duration<double>(now - *counted_).count();
        tokens_ = std::min<double>(tokens_ + passed * rate, std::max<std::uint32_t>(limits_.burst, 1));
    }
    if (!counted_ || now > *counted_)
        counted_ = now;
    if (tokens_ >= 1) {
        tokens_ -= 1;
        return std::nullopt;
    }
    const double wait = std::max(std::ceil((1 - tokens_) / rate * 1000), 1.0);
    return std::chrono::milliseconds(
        static_cast<std::chrono::milliseconds::rep>(std::min<double>(wait, longest_retry.count())));
}

} // namespace partyline
