#pragma once

#include <chrono>

namespace partyline::fleet {

/// A time as both clocks show it: intervals are measured by one that nobody sets, deadlines of other machines are read
/// by the other.
struct moment {
    std::chrono::steady_clock::time_point steady;
    std::chrono::system_clock::time_point wall;
};

inline moment current_moment()
{
    return {std::chrono::steady_clock::now(), std::chrono::system_clock::now()};
}

} // namespace partyline::fleet
