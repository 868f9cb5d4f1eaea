// By a second call: in between, another thread may start a process that gets the descriptor, unless it is started by
// this library, which passes on none (spawn_apple.cpp).

#include "transport/platform/descriptors.hpp"

#include <fcntl.h>
#include <sys/event.h>
#include <unistd.h>

namespace partyline {
namespace {

int mark(int descriptor) noexcept
{
    if (descriptor >= 0)
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int mark_both(int result, const int (&pair)[2]) noexcept
{
    if (result == 0) {
        mark(pair[0]);
        mark(pair[1]);
    }
    return result;
}

} // namespace

int create_socket(int family, int type, int protocol) noexcept
{
    return mark(::socket(family, type, protocol));
}

int open_socket_pair(int (&pair)[2]) noexcept
{
    return mark_both(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), pair);
}

int open_pipe(int (&pair)[2]) noexcept
{
    return mark_both(::pipe(pair), pair);
}

int accept_connection(int listening, sockaddr* from, socklen_t* size) noexcept
{
    const int accepted = mark(::accept(listening, from, size));
    if (accepted >= 0)
        ::fcntl(accepted, F_SETFL, O_NONBLOCK);
    return accepted;
}

owned_descriptor open_process_end(pid_t process) noexcept
{
    owned_descriptor end(mark(::kqueue()));
    struct kevent wanted;
    EV_SET(&wanted, process, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, nullptr);
    if (!end || ::kevent(end.get(), &wanted, 1, nullptr, 0, nullptr) != 0)
        return {};
    return end;
}

} // namespace partyline
