// Linux whose C library has no addclosefrom, such as musl.

#include "transport/platform/spawn.hpp"
#include "transport/platform/spawn_apart.hpp"

namespace partyline {

int close_others_in_child(posix_spawn_file_actions_t&, posix_spawnattr_t&)
{
    return 0;
}

int spawn(pid_t& pid, const char* file, const posix_spawn_file_actions_t& actions, const posix_spawnattr_t& attributes,
          char* const* arguments, char* const* environment)
{
    return spawn_apart(pid, file, actions, attributes, arguments, environment);
}

} // namespace partyline
