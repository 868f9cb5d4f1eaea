#include "inheritable_sockets.hpp"

#include <atomic>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<int> inheritable = 0;

void note(int type)
{
    if ((type & SOCK_CLOEXEC) == 0)
        ++inheritable;
}

} // namespace

namespace partyline::test {

int inheritable_sockets() noexcept
{
    return inheritable;
}

} // namespace partyline::test

// In place of the C library's.
extern "C" {

int socket(int domain, int type, int protocol) noexcept
{
    note(type);
    return static_cast<int>(::syscall(SYS_socket, domain, type, protocol));
}

int socketpair(int domain, int type, int protocol, int ends[2]) noexcept
{
    note(type);
    return static_cast<int>(::syscall(SYS_socketpair, domain, type, protocol, ends));
}

int accept(int listening, sockaddr* address, socklen_t* size)
{
    note(0);
    return static_cast<int>(::syscall(SYS_accept4, listening, address, size, 0));
}

} // extern "C"
