#include "transport/platform/spawn_apart.hpp"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace partyline {
namespace {

bool close_above_standard(unsigned flags) noexcept
{
    return ::syscall(SYS_close_range, unsigned(STDERR_FILENO + 1), ~0u, flags) == 0;
}

// In /proc "self" is the process, whose table is another.
int mark_listed() noexcept
{
    const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir("/proc/thread-self/fd"), ::closedir);
    if (!list)
        return errno;
    while (const dirent* const entry = ::readdir(list.get())) {
        const int descriptor = std::atoi(entry->d_name); // of "." it makes 0
        if (descriptor > STDERR_FILENO)
            ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

// Of the calling thread, from now on.
int take_own_table() noexcept
{
    if (close_above_standard(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC))
        return 0;
    return ::unshare(CLONE_FILES) == 0 ? mark_listed() : errno;
}

} // namespace

int spawn_apart(pid_t& pid, const char* file, const posix_spawn_file_actions_t& actions,
                const posix_spawnattr_t& attributes, char* const* arguments, char* const* environment)
try {
    int failed = 0;
    std::thread([&] {
        failed = take_own_table();
        if (failed != 0)
            return;
        failed = ::posix_spawn(&pid, file, &actions, &attributes, arguments, environment);
        close_above_standard(0); // join() returns before the kernel has closed this table, which still has our pipes
    }).join();
    return failed;
} catch (const std::system_error& no_thread) {
    return no_thread.code().value();
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

} // namespace partyline
