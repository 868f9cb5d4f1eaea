#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace call {

using duration = std::chrono::steady_clock::duration;

/// Reads a number with a unit: 200ms, 5s, 1.5m, 2h. Throws `std::invalid_argument` with a text for the user.
duration parse_duration(std::string_view text);

/// A measured time, with a unit that suits it and three digits that count: 41.2 us, 3.50 ms, 12.0 s.
std::string to_text(duration time);

} // namespace call
