#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace partyline::http {

/// Reads a date in each of the three forms that there are (RFC 9110 §5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT" and those
/// of old. `today` decides about the century of a year of two digits.
std::optional<std::chrono::sys_seconds> read_http_date(std::string_view text, std::chrono::sys_seconds today);

} // namespace partyline::http
