#include "transport/child/spawn_plan.hpp"

#include "transport/ignored_hang_up.hpp"
#include "transport/platform/spawn.hpp"
#include "transport/raised_descriptor_limit.hpp"

#include <csignal>
#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace partyline {
namespace {

// They can fail for want of memory only.
void check_memory(int failed)
{
    if (failed != 0)
        throw std::bad_alloc();
}

} // namespace

spawn_plan::spawn_plan()
{
    check_memory(::posix_spawn_file_actions_init(&actions_));
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    sigdelset(&signals, SIGHUP); // nohup is meant for all who come after
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

spawn_plan::~spawn_plan()
{
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
}

void spawn_plan::place(int descriptor, int number)
{
    check_memory(::posix_spawn_file_actions_adddup2(&actions_, descriptor, number));
}

void spawn_plan::drop(int number)
{
    check_memory(::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_WRONLY, 0));
}

void spawn_plan::enter(const std::string& directory)
{
    check_memory(::posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str()));
}

void spawn_plan::close_others()
{
    check_memory(close_others_in_child(actions_, attributes_));
}

int spawn_plan::run(pid_t& pid, const std::string& file, char* const* arguments, char* const* environment) const
{
    const ignored_hang_up inherited;
    const int failed = spawn(pid, file.c_str(), actions_, attributes_, arguments, environment);
    if (failed == 0)
        raised_descriptor_limit::restore_in(pid);
    return failed;
}

} // namespace partyline
