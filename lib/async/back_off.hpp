#pragma once

#include <partyline/config.hpp>

#include <chrono>
#include <optional>

namespace partyline {

/// Returns a random number from 0 up to, but not including, 1.
PARTYLINE_EXPORT double random_part();

/// Delays between failed attempts. Each delay is longer than the one before by a factor, up to a maximum. A random part
/// of each is subtracted, so that clients that lost the same server do not return at the same moment.
///
/// Flow: `next()` after each failure, `reset()` after a success. The class uses neither a clock nor a random source.
class PARTYLINE_EXPORT back_off {
public:
    using duration = std::chrono::steady_clock::duration;

    /// A value out of its range is replaced by the nearest valid one; a delay that would overflow is the longest.
    struct rule {
        duration first;    // not negative
        double factor = 2; // at least 1
        duration longest;  // at least 0; limits `first`, too
        double jitter;     // from 0 to 1: the part of a delay that may be subtracted
    };

    explicit back_off(const rule& by) noexcept;

    /// Returns the next delay. `random` is from 0, which subtracts nothing, to 1.
    duration next(double random) noexcept;
    /// Starts again with the first delay.
    void reset() noexcept { last_.reset(); }

private:
    rule by_;
    std::optional<duration> last_; // before the subtraction
};

} // namespace partyline
