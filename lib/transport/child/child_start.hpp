#pragma once

#include "session/owned_descriptor.hpp"
#include "transport/child/process_group.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/transport/child_options.hpp>

#include <string>
#include <vector>

namespace partyline {

/// A child process that has just been started, and our ends of what it was given: non-blocking, close-on-exec, above 2.
struct started_child {
    process_group process;
    owned_descriptor input;  ///< what it reads
    owned_descriptor output; ///< what it writes
    owned_descriptor errors; ///< what it writes to standard error, when that is captured
    owned_descriptor end;    ///< readable when it has ended; none where the system has no such thing
};

/// Starts a process that leads a group of its own, with three descriptors, no signal blocked, and every one at its
/// default but for SIGHUP, which stays ignored where it is. No process-wide state is touched. Throws `system_error`
/// whose `what()` names the command and the reason; `std::invalid_argument` for what can't be a command.
started_child start_child(std::vector<std::string> command, const child_options& options);

/// Throws the `std::invalid_argument` that starting it would.
void check_child(const std::vector<std::string>& command, const child_options& options);

/// As `child_process::check`.
error_code check_file(const std::vector<std::string>& command, const child_options& options);

} // namespace partyline
