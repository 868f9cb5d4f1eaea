#pragma once

#include <partyline/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline {

/// A host, by name or number, and a port. Loopback unless told otherwise.
struct tcp_address {
    /// A name or a number; of IPv6 without brackets.
    std::string host = "127.0.0.1";
    /// The port; 0 where none is given.
    std::uint16_t port = 0;

    friend bool operator==(const tcp_address&, const tcp_address&) = default;
};

/// Reads an address as people write it: "example.org:8080", "10.0.0.7:8080", "[::1]:8080"; ":8080" and "8080" are on
/// 127.0.0.1. Throws `std::invalid_argument` with a text that names it.
///
///     const partyline::tcp_address at = partyline::parse_tcp_address("[::1]:8080");
///     server.listen_tcp(at.host, at.port);
PARTYLINE_EXPORT tcp_address parse_tcp_address(std::string_view text);

/// Returns the text of an address: "127.0.0.1:8080", "[::1]:8080".
PARTYLINE_EXPORT std::string to_string(const tcp_address& address);

} // namespace partyline
