#pragma once

#include <sys/types.h>

namespace partyline::test {

/// Whether a process of this number runs; a zombie does not.
bool is_running(pid_t pid);

/// Waits for a process that is not our child to go: one that was killed may still run for a moment.
bool is_gone_soon(pid_t pid);

} // namespace partyline::test
