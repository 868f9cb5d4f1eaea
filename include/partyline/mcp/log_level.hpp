#pragma once

#include <partyline/config.hpp>

#include <boost/describe/enum.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::mcp {

/// How severe a message for the client's log is (RFC 5424).
enum class log_level : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };
BOOST_DESCRIBE_ENUM(log_level, debug, info, notice, warning, error, critical, alert, emergency)

/// Returns the text of a level: "warning".
PARTYLINE_EXPORT std::string_view to_string(log_level level) noexcept;
/// Finds the level with this text; empty for an unknown text.
PARTYLINE_EXPORT std::optional<log_level> find_log_level(std::string_view text) noexcept;

} // namespace partyline::mcp
