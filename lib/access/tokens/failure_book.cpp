#include "access/tokens/failure_book.hpp"

#include "transport/socket/is_loopback.hpp"

#include <algorithm>

namespace partyline::access {

// A user has a /64 at least. IPv4 is what IPv6 calls it (::ffff:0:0/96), which is in no such network of another.
failure_book::network failure_book::network_of(const boost::asio::ip::address& address) noexcept
{
    network found = {};
    if (address.is_v4()) {
        const auto bytes = address.to_v4().to_bytes();
        found[10] = found[11] = 0xff;
        std::copy(bytes.begin(), bytes.end(), found.begin() + 12);
        return found;
    }
    const auto bytes = address.to_v6().to_bytes();
    const bool is_v4 = address.to_v6().is_v4_mapped();
    std::copy(bytes.begin(), is_v4 ? bytes.end() : bytes.begin() + 8, found.begin());
    return found;
}

bool failure_book::is_throttled(const boost::asio::ip::address& address, time_point now) noexcept
{
    const std::lock_guard lock(mutex_);
    const record* const found = records_.find(network_of(address));
    return found && found->is_throttled(now);
}

void failure_book::on_refusal(const boost::asio::ip::address& address, time_point now)
{
    if (is_loopback(address))
        return;
    const network from = network_of(address);
    const std::lock_guard lock(mutex_);
    const record* const found = records_.find(from);
    record next = found ? *found : record();
    if (next.is_throttled(now))
        return;
    if (next.refusals == 0 || next.refusals >= most_refusals || now < next.since || now - next.since >= window)
        next = {0, now};
    if (++next.refusals == most_refusals)
        next.since = now;
    records_.put(from, next);
}

std::size_t failure_book::size() const
{
    const std::lock_guard lock(mutex_);
    return records_.size();
}

} // namespace partyline::access
