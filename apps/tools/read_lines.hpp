#pragma once

#include "stop_check.hpp"
#include "tool_limits.hpp"
#include "tool_types.hpp"
#include "tools/files/root_set.hpp"

namespace tools {

/// Reads lines of a text file. It blocks: run it on a pool. Throws tool_error when they can't be read,
/// operation_aborted when it is to stop.
read_result read_lines(const root_set& roots, const tool_limits& limits, const read_arguments& what,
                       const stop_check& is_stopped = {});

} // namespace tools
