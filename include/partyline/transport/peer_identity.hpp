#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <string>

#include <sys/types.h>

namespace partyline {

/// Who is at the other end of a connection that a `server` has accepted, as far as the system knows.
struct peer_identity {
    /// Who has connected to a Unix socket, at the time of that (`SO_PEERCRED`). The process may have ended since, and
    /// may have handed the connection on; one that can't be seen from here has the number 0.
    struct credentials {
        /// Its number as this process sees it; 0 where it can't be seen.
        ::pid_t process = 0;
        /// Its user, by the effective id.
        ::uid_t user = 0;
        /// Its group, by the effective id.
        ::gid_t group = 0;
    };
    /// Of a Unix socket; unset of any other.
    std::optional<credentials> local;
    /// Where a TCP connection comes from. That says nothing about who it is: every local user may connect from
    /// loopback.
    std::optional<boost::asio::ip::tcp::endpoint> address;
    /// Who the peer is, as far as that was verified: the subject of the certificate that it has shown (TLS). Empty:
    /// nobody has asked.
    std::string principal = {};
};

} // namespace partyline
