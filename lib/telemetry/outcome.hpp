#pragma once

#include <partyline/session/served_event.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::telemetry {

/// How a request or a notification has ended, as metrics and the message log tell it.
enum class served_outcome : std::uint8_t { result, error, tool_error, refused, cancelled, lost, notification, dropped };
inline constexpr std::size_t served_outcomes = 8;

served_outcome outcome_of(const served_event& event) noexcept;
std::string_view to_string(served_outcome outcome) noexcept;

} // namespace partyline::telemetry
