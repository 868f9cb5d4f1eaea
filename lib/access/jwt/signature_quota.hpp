#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

namespace partyline::access {

/// Bounds how many signatures are verified: 1,000 a second, of which 100 at once, as a token bucket, and fewer where
/// each costs much. A flood of tokens that nobody knows takes a tenth of a core, and no more, and peers who are known
/// wait for it for a few milliseconds at a time. Unlike `request_quota` it runs by a clock that may be set.
///
/// Thread safety: all of it, from any thread.
class signature_quota {
public:
    using clock = std::chrono::system_clock;
    static constexpr double per_second = 1000;
    static constexpr double burst = 100;

    /// Takes one, which costs as much as so many usual ones. False where there is none left.
    bool take(clock::time_point now, unsigned cost = 1) noexcept
    {
        const std::lock_guard lock(mutex_);
        const double passed = std::chrono::duration<double>(now - counted_).count();
        if (passed > 0 || passed < -1) // set back; by less, another thread may only have looked at it later
            counted_ = now;
        if (passed > 0)
            left_ = passed < 1 ? std::min(left_ + passed * per_second, burst) : burst;
        if (left_ < cost)
            return false;
        left_ -= cost;
        return true;
    }

    /// That of tokens in this process: however many gates it has, their work is done by the same cores.
    static signature_quota& of_process() noexcept
    {
        static signature_quota one;
        return one;
    }
    /// That of proofs, apart: who sends forged ones keeps no token from being checked.
    static signature_quota& of_proofs() noexcept
    {
        static signature_quota one;
        return one;
    }

private:
    std::mutex mutex_;
    double left_ = burst;
    clock::time_point counted_;
};

} // namespace partyline::access
