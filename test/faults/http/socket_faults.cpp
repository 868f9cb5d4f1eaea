#include "socket_faults.hpp"

#include <cerrno>

#include <sys/socket.h>
#include <sys/types.h>

namespace partyline::test {
namespace {

struct {
    socket_plan plan;
    std::size_t calls = 0;
    int lost = -1; // a socket

    socket_plan::kind next(int socket) noexcept
    {
        if (socket == lost)
            return socket_plan::kind::lose;
        if (plan.what == socket_plan::kind::none || ++calls != plan.strikes_at)
            return socket_plan::kind::none;
        if (plan.what == socket_plan::kind::lose)
            lost = socket;
        return plan.what;
    }
} sockets;

} // namespace

armed_sockets::armed_sockets(socket_plan plan) noexcept
{
    sockets = {plan};
}

armed_sockets::~armed_sockets()
{
    sockets = {};
}

bool armed_sockets::has_struck() const noexcept
{
    return sockets.calls >= sockets.plan.strikes_at;
}

template <class Call>
static ssize_t meddle(int socket, std::size_t size, Call call) noexcept
{
    switch (sockets.next(socket)) {
    case socket_plan::kind::lose: errno = ECONNRESET; return -1;
    case socket_plan::kind::refuse: errno = EAGAIN; return -1;
    case socket_plan::kind::shorten: return call(size != 0 ? 1 : 0);
    case socket_plan::kind::none: break;
    }
    return call(size);
}

} // namespace partyline::test

// The linker puts these in place of the C library's: see CMakeLists.txt.
extern "C" {
ssize_t __real_recv(int socket, void* data, std::size_t size, int flags);
ssize_t __real_send(int socket, const void* data, std::size_t size, int flags);

ssize_t __wrap_recv(int socket, void* data, std::size_t size, int flags);
ssize_t __wrap_recv(int socket, void* data, std::size_t size, int flags)
{
    return partyline::test::meddle(socket, size, [=](std::size_t n) { return __real_recv(socket, data, n, flags); });
}

ssize_t __wrap_send(int socket, const void* data, std::size_t size, int flags);
ssize_t __wrap_send(int socket, const void* data, std::size_t size, int flags)
{
    return partyline::test::meddle(socket, size, [=](std::size_t n) { return __real_send(socket, data, n, flags); });
}
}
