#pragma once

#include "tool_limits.hpp"
#include "tool_progress.hpp"
#include "tool_types.hpp"
#include "tools/files/root_set.hpp"

#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace tools {

/// Hashes files on a pool, some at a time, and reports after each of these lots. What can't be read is part of the
/// result.
///
/// Cancellation     what runs on the pool stops at its next piece of a file; then operation_aborted
/// Lifetime         roots and limits outlive the pool; `progress` outlives this
partyline::task<hash_result> hash_files(const root_set& roots, const tool_limits& limits, hash_arguments what,
                                        boost::asio::any_io_executor pool, tool_progress& progress);

} // namespace tools
