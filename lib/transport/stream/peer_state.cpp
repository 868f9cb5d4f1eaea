#include <partyline/transport/detail/peer_state.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifdef __linux__
#include <linux/sockios.h>
#endif

namespace partyline::detail {

namespace {

#ifdef POLLRDHUP
constexpr short end_of_input = POLLRDHUP;
#else
constexpr short end_of_input = 0; // it is seen when it is read
#endif

bool has_event(int socket, short asked) noexcept
{
    pollfd state{socket, asked, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (asked | POLLERR | POLLHUP)) != 0;
}

} // namespace

bool has_hung_up(int socket) noexcept
{
    return has_event(socket, 0);
}

bool has_ended_input(int socket) noexcept
{
    return has_event(socket, end_of_input);
}

std::size_t unread_bytes(int socket) noexcept
{
#ifdef SIOCOUTQ
    int count = 0;
    if (::ioctl(socket, SIOCOUTQ, &count) == 0 && count > 0)
        return static_cast<std::size_t>(count);
#else
    static_cast<void>(socket);
#endif
    return 0;
}

bool drop_urgent(int socket) noexcept
{
    char urgent;
    return ::recv(socket, &urgent, 1, MSG_OOB | MSG_DONTWAIT) == 1;
}

} // namespace partyline::detail
