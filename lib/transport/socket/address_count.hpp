#pragma once

#include <partyline/config.hpp>

#include <boost/asio/ip/address.hpp>

#include <cstddef>
#include <map>

namespace partyline {

/// What stands for all addresses of one origin: whoever is on this machine has all of 127.0.0.0/8 and ::1; on another
/// one, 64 bits of an IPv6 address.
PARTYLINE_EXPORT boost::asio::ip::address origin_of(boost::asio::ip::address from);

/// How many connections there are from each address. Of IPv6 the network of 64 bits counts: whoever has one address of
/// it has them all. An IPv4 address is the same however it is written.
/// Thread safety: none.
class address_count {
public:
    explicit address_count(std::size_t max) noexcept : max_(max) {}

    /// One more from there; false: there are as many as there may be.
    bool add(const boost::asio::ip::address& from);
    /// One that was added has ended.
    void remove(const boost::asio::ip::address& from);

private:
    std::size_t max_;
    std::map<boost::asio::ip::address, std::size_t> counts_;
};

} // namespace partyline
