#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace partyline::access {

/// Reads a time as RFC 3339 writes it: "2027-01-01T00:00:00Z", "2027-01-01T02:00:00.5+02:00". Nothing for any other
/// text. A time that the clock has no number for is the last that it has.
std::optional<std::chrono::system_clock::time_point> read_timestamp(std::string_view text) noexcept;

} // namespace partyline::access
