#pragma once

#include "tool_limits.hpp"
#include "tool_progress.hpp"
#include "tool_types.hpp"
#include "tools/commands/command_list.hpp"
#include "tools/files/root_set.hpp"

#include <partyline/session/task.hpp>

namespace tools {

/// Runs one of the programs that are allowed, in a folder of the roots, and reports each line that it writes. (A
/// program that runs may read what it likes: that is for whoever allows it to decide.)
///
/// Fails with       tool_error: it may not be run, or can't be started
/// Cancellation     as `run_command` of a `command`
/// Lifetime         what is referred to outlives it
partyline::task<run_result> run_tool(const root_set& roots, const command_list& allowed, const tool_limits& limits,
                                     run_arguments what, tool_progress& progress);

} // namespace tools
