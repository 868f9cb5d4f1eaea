#pragma once

#include <spawn.h>
#include <sys/types.h>

namespace partyline {

// How a process is started that gets of our descriptors only 0, 1 and 2, as its file actions make them: no other,
// whether it is close-on-exec or not, and none that another thread opens meanwhile. Both return an errno, or 0.

/// The last step of a plan.
int close_others_in_child(posix_spawn_file_actions_t& actions, posix_spawnattr_t& attributes);

/// posix_spawn of a plan that has got this step.
int spawn(pid_t& pid, const char* file, const posix_spawn_file_actions_t& actions, const posix_spawnattr_t& attributes,
          char* const* arguments, char* const* environment);

} // namespace partyline
