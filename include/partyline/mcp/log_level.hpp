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

/// As it is written: "warning".
PARTYLINE_EXPORT std::string_view to_string(log_level level) noexcept;
/// The level that is written so; empty for what is none.
PARTYLINE_EXPORT std::optional<log_level> find_log_level(std::string_view text) noexcept;

} // namespace partyline::mcp
