#pragma once

#include <chrono>

namespace partyline {

/// The time that far from `now`; the end of time where there is no such time: `duration::max()` means never.
inline std::chrono::steady_clock::time_point deadline(std::chrono::steady_clock::time_point now,
                                                      std::chrono::steady_clock::duration after) noexcept
{
    using time_point = std::chrono::steady_clock::time_point;
    return after >= time_point::max() - now ? time_point::max() : now + after;
}

} // namespace partyline
