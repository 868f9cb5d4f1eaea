#pragma once

#include "command_group.hpp"
#include "output_lines.hpp"

#include <partyline/session/task.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tools {

/// A command to run.
struct command {
    std::string program;            ///< an absolute path
    std::vector<std::string> words; ///< its name and its arguments
    int folder = -1;                ///< a descriptor of where it runs
};

struct command_limits {
    std::chrono::steady_clock::duration time = std::chrono::minutes(1);
    /// From SIGTERM until SIGKILL, once its time is over or it is cancelled.
    std::chrono::steady_clock::duration grace = std::chrono::seconds(2);
    /// Of its output, as much is kept.
    std::size_t output_bytes = std::size_t(64) << 10;
};

struct command_result {
    command_end end;
    std::string output; ///< valid UTF-8: beginning and end, see bounded_output
    std::uint64_t bytes_left_out = 0;
    bool has_timed_out = false;
};

/// Runs a command to its end, and tells its output, errors included, line by line as it comes.
///
/// Completes with   how it ended, and what it wrote. Nothing of its group is left then: what it leaves behind at its
///                  end is killed. (Who ought to live on leaves the group by setsid.)
/// Fails with       tool_error: it can't be started; what `on_line` throws, when the command has been ended
/// Cancellation     its group gets SIGTERM and, after the grace, SIGKILL; then operation_aborted. Lines are told no
///                  more
/// Lifetime         `what.folder` is open until it has begun
partyline::task<command_result> run_command(command what, command_limits limits, output_lines::line_hook on_line);

} // namespace tools
