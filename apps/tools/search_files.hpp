#pragma once

#include "tool_limits.hpp"
#include "tool_progress.hpp"
#include "tool_types.hpp"
#include "tools/files/root_set.hpp"

namespace tools {

/// Looks for a text in the files of a folder, or of all roots. It blocks: run it on a pool. Throws tool_error for
/// arguments that make no sense, operation_aborted when it is cancelled; what can't be read is part of the result.
search_result search_files(const root_set& roots, const tool_limits& limits, const search_arguments& what,
                           tool_progress& progress);

} // namespace tools
