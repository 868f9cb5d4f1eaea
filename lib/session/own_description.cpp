#include "session/own_description.hpp"

#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partyline {

int open_own_description(int descriptor) noexcept
{
    struct stat status;
    if (::fstat(descriptor, &status) != 0)
        return -1;
    if (!S_ISFIFO(status.st_mode) && !(S_ISCHR(status.st_mode) && ::isatty(descriptor)))
        return -1;
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    const int access = ::fcntl(descriptor, F_GETFL) & O_ACCMODE;
    return ::open(path, access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

} // namespace partyline
