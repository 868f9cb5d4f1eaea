#pragma once

#include <boost/asio/ip/address.hpp>

namespace partyline::http {

/// Whether an address belongs to a host of the public internet, by the registries of special addresses (RFC 6890). Not
/// so: private, shared, loopback and link-local ones (such as 169.254.169.254, where clouds tell secrets), unique-local
/// ones, multicast, the unspecified ones, those for documentation and tests, and all in IPv6 that stand for an address
/// of IPv4, but for the translated ones of NAT64 where that address is public.
bool is_public_address(const boost::asio::ip::address& address) noexcept;

} // namespace partyline::http
