#include "transport/socket/address_count.hpp"

#include <algorithm>

namespace partyline {

namespace ip = boost::asio::ip;

ip::address origin_of(ip::address from)
{
    if (from.is_v6() && from.to_v6().is_v4_mapped())
        from = ip::make_address_v4(ip::v4_mapped, from.to_v6());
    if (from.is_loopback())
        return ip::address_v4::loopback();
    if (from.is_v4())
        return from;
    ip::address_v6::bytes_type bytes = from.to_v6().to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    return ip::address_v6(bytes);
}

bool address_count::add(const ip::address& from)
{
    std::size_t& count = counts_[origin_of(from)];
    if (count >= max_)
        return false; // there is an entry, since there is room for one
    ++count;
    return true;
}

void address_count::remove(const ip::address& from)
{
    const auto found = counts_.find(origin_of(from));
    if (found != counts_.end() && --found->second == 0)
        counts_.erase(found);
}

} // namespace partyline
