#pragma once

#include <partyline/config.hpp>

#include <chrono>
#include <optional>

namespace partyline {

/// A random number from 0 up to, but not including, 1.
PARTYLINE_EXPORT double random_part();

/// The delays between tries that fail: each longer than the one before by a factor, up to the longest, and of each a
/// random part is left out, so that many who lost the same server do not come back together.
///
/// Flow: `next()` after each failure, `reset()` after a success. It asks neither a clock nor for random numbers.
class PARTYLINE_EXPORT back_off {
public:
    using duration = std::chrono::steady_clock::duration;

    /// What makes no sense is taken for the nearest that does; what would overflow is the longest.
    struct rule {
        duration first;    // negative: none
        double factor = 2; // at least 1
        duration longest;  // also of the first one
        double jitter;     // from 0 to 1: how much of a delay may be left out
    };

    explicit back_off(const rule& by) noexcept;

    /// The next delay. `random` is from 0, which leaves nothing out, up to 1.
    duration next(double random) noexcept;
    /// The delays begin afresh.
    void reset() noexcept { last_.reset(); }

private:
    rule by_;
    std::optional<duration> last_; // as it was without its random part
};

} // namespace partyline
