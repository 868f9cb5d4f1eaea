#include <partyline/transport/detail/peer_state.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifdef __linux__
#include <linux/sockios.h>
#endif

namespace partyline::detail {

bool has_hung_up(int socket) noexcept
{
    pollfd state{socket, 0, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0;
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
