// The attribute closes all that no file action has made.

#include "transport/platform/spawn.hpp"

namespace partyline {

int close_others_in_child(posix_spawn_file_actions_t&, posix_spawnattr_t& attributes)
{
    short flags = 0;
    ::posix_spawnattr_getflags(&attributes, &flags);
    return ::posix_spawnattr_setflags(&attributes, static_cast<short>(flags | POSIX_SPAWN_CLOEXEC_DEFAULT));
}

int spawn(pid_t& pid, const char* file, const posix_spawn_file_actions_t& actions, const posix_spawnattr_t& attributes,
          char* const* arguments, char* const* environment)
{
    return ::posix_spawn(&pid, file, &actions, &attributes, arguments, environment);
}

} // namespace partyline
