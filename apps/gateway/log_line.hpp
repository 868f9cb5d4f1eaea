#pragma once

#include "command_line/line_log.hpp"

#include <string>
#include <string_view>

namespace gateway {

/// Says a line on standard error.
inline void log_line(std::string_view line)
{
    command_line::say("partyline-gateway: " + std::string(line));
}

} // namespace gateway
