#pragma once

#include <partyline/config.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace partyline {

/// The bounds of a `request_quota`.
struct quota_limits {
    /// Requests and notifications a second, on average. 0: there is no such bound.
    double requests_per_second = 0;
    /// The number that may come at once after a pause; less than 1 counts as 1. Only with `requests_per_second`.
    std::uint32_t burst = 1;
    /// Most requests in flight at the same time, but for those of open-ended methods (`method_options::open_ended`),
    /// which last as long as the peer likes. 0: there is no such bound.
    std::uint32_t at_once = 0;
};

/// A bound for the requests of one principal over all its conversations. A request beyond it is answered -31002 "Too
/// many requests" with `data.retry_after_ms`, a notification is dropped and counted (`session_counters::dropped`).
///
/// Lifetime: shared by the sessions that have it in `session_options::quota`.
/// Thread safety: all of it, from any thread.
class PARTYLINE_EXPORT request_quota {
public:
    /// A monotonic clock.
    using clock = std::chrono::steady_clock;

    /// Makes a quota with the whole burst available.
    explicit request_quota(const quota_limits& limits) noexcept;

    /// The bounds of the quota.
    const quota_limits& limits() const noexcept { return limits_; }

    /// For sessions: takes one request, which `release()` gives back at its end. Returns nothing where it was taken,
    /// and else the time after which to try again.
    std::optional<std::chrono::milliseconds> take(clock::time_point now) noexcept;
    /// For sessions: takes a message that does not count as in flight, a notification or a request of an open-ended
    /// method: it counts with the rate, and is not given back.
    std::optional<std::chrono::milliseconds> take_from_rate(clock::time_point now) noexcept;
    /// For sessions: gives back a request that has ended.
    void release() noexcept;

private:
    std::optional<std::chrono::milliseconds> spend(clock::time_point now) noexcept;

    const quota_limits limits_;
    std::mutex mutex_;
    double tokens_;
    std::optional<clock::time_point> counted_;
    std::uint32_t in_flight_ = 0;
};

} // namespace partyline
