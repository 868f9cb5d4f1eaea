// Where posix_spawn itself closes descriptors from a number on: glibc from 2.34, FreeBSD from 13.1.

#include "transport/platform/spawn.hpp"

#include <unistd.h>

namespace partyline {

int close_others_in_child(posix_spawn_file_actions_t& actions, posix_spawnattr_t&)
{
    return ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
}

int spawn(pid_t& pid, const char* file, const posix_spawn_file_actions_t& actions, const posix_spawnattr_t& attributes,
          char* const* arguments, char* const* environment)
{
    return ::posix_spawn(&pid, file, &actions, &attributes, arguments, environment);
}

} // namespace partyline
