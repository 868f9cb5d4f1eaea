#include "transport/address_count.hpp"

#include <algorithm>

namespace partyline {
namespace {

namespace ip = boost::asio::ip;

ip::address origin_of(const ip::address& from)
{
    if (from.is_v4())
        return from;
    const ip::address_v6 six = from.to_v6();
    if (six.is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, six);
    ip::address_v6::bytes_type bytes = six.to_bytes();
    if (!six.is_loopback())
        std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    return ip::address_v6(bytes);
}

} // namespace

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
