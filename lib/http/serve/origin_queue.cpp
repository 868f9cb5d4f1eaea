#include "http/serve/origin_queue.hpp"

#include <utility>

namespace partyline::http {

void origin_queue::add(member& one, std::string_view origin_name)
{
    auto found = origins_.find(origin_name);
    if (found == origins_.end())
        found = origins_.try_emplace(std::string(origin_name)).first;
    origin& of = found->second;
    of.name = found->first;
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
        origins_.erase(origins_.find(of->name));
    else
        by_size_.insert(*of);
    --size_;
}

} // namespace partyline::http
