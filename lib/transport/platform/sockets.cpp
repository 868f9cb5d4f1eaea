// Linux.

#include "transport/platform/sockets.hpp"

#include <array>
#include <cstdint>

#include <linux/filter.h>
#include <sys/socket.h>

namespace partyline {

std::optional<peer_identity::credentials> local_credentials(int socket) noexcept
{
    ucred found;
    socklen_t size = sizeof found;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0)
        return std::nullopt;
    return peer_identity::credentials{found.pid, found.uid, found.gid};
}

// By the flags of a segment: one with SYN and without ACK opens a connection. Shut down, the socket would reset those
// who wait in it.
bool drop_openings(int socket) noexcept
{
    constexpr std::uint32_t flags_at = 13;
    constexpr std::uint32_t syn = 0x02;
    constexpr std::uint32_t ack = 0x10;
    constexpr std::uint32_t whole = 0xffffffff;
    std::array<sock_filter, 5> steps{{BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags_at),
                                      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, syn | ack),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, syn, 0, 1), BPF_STMT(BPF_RET | BPF_K, 0),
                                      BPF_STMT(BPF_RET | BPF_K, whole)}};
    const sock_fprog all{static_cast<unsigned short>(steps.size()), steps.data()};
    return ::setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &all, sizeof all) == 0;
}

} // namespace partyline
