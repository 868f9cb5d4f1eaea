#include "transport/platform/sockets.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace partyline {

std::optional<peer_identity::credentials> local_credentials(int socket) noexcept
{
    peer_identity::credentials found;
    if (::getpeereid(socket, &found.user, &found.group) != 0)
        return std::nullopt;
    socklen_t size = sizeof found.process;
    ::getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &found.process, &size); // else it stays 0
    return found;
}

bool drop_openings(int) noexcept
{
    return false;
}

} // namespace partyline
