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
    /// The machine.
    boost::asio::ip::address ip = {};
    /// The port of the connection there.
    std::uint16_t port = 0;

    /// Whether both are the same.
    bool operator==(const ip_endpoint&) const = default;
};

/// The peer of a conversation, as far as it is known: what the system says of its connection, and what authentication
/// has found out.
struct peer_identity {
    /// The process that has connected to a Unix socket, at the time of that (`SO_PEERCRED`). It may have ended since,
    /// and may have handed the connection on; one that can't be seen from here has the number 0.
    struct credentials {
        /// Its number as this process sees it; 0 where it can't be seen.
        ::pid_t process = 0;
        /// Its user, by the effective id.
        ::uid_t user = 0;
        /// Its group, by the effective id.
        ::gid_t group = 0;
    };
    /// Of a Unix socket; unset of any other.
    std::optional<credentials> local = {};
    /// Where a TCP connection comes from. That says nothing about who it is: every local user may connect from
    /// loopback.
    std::optional<ip_endpoint> address = {};
    /// Who the peer is, as far as that was verified: the subject of the certificate that it has shown (TLS), or what
    /// authentication has found. Empty: nobody has asked.
    std::string principal = {};
    /// What vouches for `principal`: an issuer's URL, "token", "certificate", "user". Principals of different sources
    /// are different peers, even where they have the same name. Empty where `principal` is.
    std::string source = {};
    /// The scopes that the source grants, for views and handlers; sorted. A session does not read them.
    std::vector<std::string> scopes = {};
    /// When the grant ends, for views and handlers; a session does not end by itself then. Unset: never.
    std::optional<std::chrono::system_clock::time_point> until = {};
};

} // namespace partyline
