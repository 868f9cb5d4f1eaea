#pragma once

#include <spawn.h>
#include <sys/types.h>

namespace partyline {

/// posix_spawn on a thread that has a descriptor table of its own: a copy of ours in which all above 2 are
/// close-on-exec. What other threads open meanwhile is not in it, and ours stays as it is. Linux from 5.11; before that
/// where unshare is allowed, and /proc is mounted. Returns an errno, or 0.
///
/// (To have the child close a list of our descriptors would miss what another thread opens after the list was made. To
/// mark ours would change what others pass on to their children. A fork would have to do all that posix_spawn does.)
int spawn_apart(pid_t& pid, const char* file, const posix_spawn_file_actions_t& actions,
                const posix_spawnattr_t& attributes, char* const* arguments, char* const* environment);

} // namespace partyline
