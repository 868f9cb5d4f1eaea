#pragma once

#include <partyline/config.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace partyline {

/// The bounds of a `request_quota`.
struct quota_limits {
    /// How many requests and notifications a second, on average. 0: there is no such bound.
    double requests_per_second = 0;
    /// How many may come at once after a pause; at least 1 counts. Only with `requests_per_second`.
    std::uint32_t burst = 1;
    /// How many requests may be in flight at the same time, but for those of open-ended methods
    /// (`method_options::open_ended`), which last as long as the peer likes. 0: there is no such bound.
    std::uint32_t at_once = 0;
};

/// A bound for the requests of one principal over all its conversations. A request beyond it is answered -31002 "Too
/// many requests" with `data.retry_after_ms`, a notification is dropped and counted (`session_counters::dropped`).
///
/// Lifetime: shared by the sessions that have it in `session_options::quota`.
/// Thread safety: all of it, from any thread.
class PARTYLINE_EXPORT request_quota {
public:
    /// A clock that is never set.
    using clock = std::chrono::steady_clock;

    /// Begins with the whole burst.
    explicit request_quota(const quota_limits& limits) noexcept;

    /// Its bounds.
    const quota_limits& limits() const noexcept { return limits_; }

    /// For sessions: takes one request, which `release()` gives back at its end. Returns nothing where it was taken,
    /// and else after which time to try again.
    std::optional<std::chrono::milliseconds> take(clock::time_point now) noexcept;
    /// For sessions: the same of what does not count as in flight, a notification or a request of an open-ended method:
    /// it counts with the rate, and there is nothing to give back.
    std::optional<std::chrono::milliseconds> take_from_rate(clock::time_point now) noexcept;
    /// For sessions: a request that was taken has ended.
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
