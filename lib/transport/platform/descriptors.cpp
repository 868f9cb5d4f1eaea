// By flags, as POSIX has it since 2024; by a pidfd, which Linux alone has.

#include "transport/platform/descriptors.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace partyline {

int create_socket(int family, int type, int protocol) noexcept
{
    return ::socket(family, type | SOCK_CLOEXEC, protocol);
}

int open_socket_pair(int (&pair)[2]) noexcept
{
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
}

int open_pipe(int (&pair)[2]) noexcept
{
    return ::pipe2(pair, O_CLOEXEC);
}

int accept_connection(int listening, sockaddr* from, socklen_t* size) noexcept
{
    return ::accept4(listening, from, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

owned_descriptor open_process_end(pid_t process) noexcept
{
#ifdef SYS_pidfd_open
    return owned_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))); // close-on-exec by itself
#else
    static_cast<void>(process);
    errno = ENOSYS;
    return {};
#endif
}

} // namespace partyline
