#pragma once

#include <partyline/protocol/error.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// An id that nobody can guess: 192 random bits as text that may stand in a field of HTTP. Throws `std::runtime_error`
/// where the system has none.
std::string make_task_id();

/// ISO 8601, in UTC, to the millisecond.
std::string iso_time(std::chrono::system_clock::time_point when);

/// The beginning of a text, if it is long, without a character that is cut in two.
std::string shortened(std::string_view message);

/// An error as it stands in a reply, as JSON text; an internal one where there is none.
std::string error_text(const std::optional<error_object>& error);

/// A string as JSON text.
std::string quoted_text(std::string_view text);

/// Logs that a task has failed by a fault of the server's own: to `log`, or where that is empty to stderr. It says of
/// which tool the task is, and not its id, by which whoever reads it could have the result.
void log_lost_task(const std::function<void(std::string_view)>& log, std::string_view tool, std::string_view what,
                   std::string_view cause) noexcept;

} // namespace partyline::mcp
