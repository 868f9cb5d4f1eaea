#pragma once

#include "tool_progress.hpp"
#include "tool_types.hpp"

#include <partyline/session/task.hpp>

namespace tools {

/// Waits, and reports every second. Cancellation: as of a timer.
partyline::task<wait_result> wait_tool(wait_arguments what, tool_progress& progress);

} // namespace tools
