#pragma once

#include <chrono>

namespace partyline::fleet {

/// A time as both clocks show it: intervals are measured by one that nobody sets, deadlines of other machines are read
/// by the other.
struct moment {
    std::chrono::steady_clock::time_point steady;
    std::chrono::system_clock::time_point wall;
};

} // namespace partyline::fleet
