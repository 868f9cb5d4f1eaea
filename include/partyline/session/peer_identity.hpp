#pragma once

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace partyline {

/// An end of a TCP connection, without the sockets that come with the header of `boost::asio::ip::tcp::endpoint`.
struct ip_endpoint {
    /// The address of the machine.
    boost::asio::ip::address ip = {};
    /// The port there.
    std::uint16_t port = 0;

    /// Whether both endpoints are the same.
    bool operator==(const ip_endpoint&) const = default;
};

/// The peer of a conversation, as far as it is known: the system's facts about its connection, and the result of
/// authentication.
struct peer_identity {
    /// The process that has connected to a Unix socket, at the time of the connection (`SO_PEERCRED`). The process may
    /// have ended since, and may have passed the connection on.
    struct credentials {
        /// The id of the process as this process sees it; 0 where it can't be seen.
        ::pid_t process = 0;
        /// The effective user id.
        ::uid_t user = 0;
        /// The effective group id.
        ::gid_t group = 0;
    };
    /// The process at the other end of a Unix socket; unset for any other.
    std::optional<credentials> local = {};
    /// The remote endpoint of a TCP connection. The endpoint does not identify the peer: every local user may connect
    /// from loopback.
    std::optional<ip_endpoint> address = {};
    /// The verified name of the peer: the subject of the certificate that it has shown (TLS), or the principal that
    /// authentication has found. Empty: the peer was not authenticated.
    std::string principal = {};
    /// The source that vouches for `principal`: an issuer's URL, "token", "certificate", "user". Principals of
    /// different sources are different peers, even where they have the same name. Empty where `principal` is.
    std::string source = {};
    /// The scopes that the source grants, for views and handlers; sorted. A session does not read them.
    std::vector<std::string> scopes = {};
    /// The time when the grant ends, for views and handlers; a session does not end by itself then. Unset: never.
    std::optional<std::chrono::system_clock::time_point> until = {};
};

} // namespace partyline
