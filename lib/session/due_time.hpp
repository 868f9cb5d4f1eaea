#pragma once

#include <chrono>

namespace partyline {

// Durations are the user's, and their largest means never: none may overflow on its way to a timer.

using steady_time = std::chrono::steady_clock::time_point;
using steady_duration = std::chrono::steady_clock::duration;

/// `from + after`; `steady_time::max()`, which means never, where that would overflow, and `from` where `after` is
/// negative.
inline steady_time due_time(steady_time from, steady_duration after) noexcept
{
    if (after <= steady_duration::zero())
        return from;
    return after < steady_time::max() - from ? from + after : steady_time::max();
}

/// The same from now on.
inline steady_time due_time(steady_duration after) noexcept
{
    return due_time(std::chrono::steady_clock::now(), after);
}

/// `most - gone`, but at least zero; `steady_duration::max()`, which means for ever, stays as it is.
inline steady_duration time_left(steady_duration most, steady_duration gone) noexcept
{
    if (most == steady_duration::max())
        return most;
    return most > gone ? most - gone : steady_duration::zero();
}

/// A little more than `most`, which stays for ever where it is that.
inline steady_duration longer_by(steady_duration most, steady_duration little) noexcept
{
    return most < steady_duration::max() - little ? most + little : steady_duration::max();
}

} // namespace partyline
