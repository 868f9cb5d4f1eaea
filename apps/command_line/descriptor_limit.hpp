#pragma once

#include <sys/types.h>

namespace command_line {

/// Raises the soft limit of open descriptors to one less than the hard one: there may be as many connections as the
/// system allows. Child processes get the limit from before, those of `partyline::child_process` by themselves.
void raise_descriptor_limit();

/// For a child process that was started in another way, and just now.
void restore_descriptor_limit(pid_t child);

} // namespace command_line
