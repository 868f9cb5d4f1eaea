#pragma once

#include <boost/asio/ip/address.hpp>

namespace partyline {

/// Whether an address is one of this machine alone. Of a socket for both kinds of addresses, IPv4 connections come to
/// ::ffff:127.0.0.1.
inline bool is_loopback(const boost::asio::ip::address& address)
{
    namespace ip = boost::asio::ip;
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, address.to_v6()).is_loopback();
    return address.is_loopback();
}

} // namespace partyline
