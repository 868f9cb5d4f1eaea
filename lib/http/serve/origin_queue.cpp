#include "http/serve/origin_queue.hpp"

#include "transport/socket/address_count.hpp"

#include <utility>

namespace partyline::http {

void origin_queue::add(member& one, const boost::asio::ip::address& from)
{
    const boost::asio::ip::address key = origin_of(from);
    origin& of = origins_[key];
    of.from = key;
    if (of.is_linked())
        by_size_.erase(by_size_.iterator_to(of));
    of.members.push_back(one);
    by_size_.insert(of);
    one.of_ = &of;
    ++size_;
}

void origin_queue::remove(member& one) noexcept
{
    origin* const of = std::exchange(one.of_, nullptr);
    if (!of)
        return;
    by_size_.erase(by_size_.iterator_to(*of));
    of->members.erase(of->members.iterator_to(one));
    if (of->members.empty())
        origins_.erase(of->from);
    else
        by_size_.insert(*of);
    --size_;
}

} // namespace partyline::http
