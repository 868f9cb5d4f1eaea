#include "gateway/resource_watchers.hpp"

#include <algorithm>
#include <iterator>

namespace gateway {

bool resource_watchers::has_room(const attached_client& by) const
{
    const auto found = watched_.find(&by);
    return found == watched_.end() || found->second.size() < most_of_one;
}

bool resource_watchers::remove(const attached_client& by, std::string_view uri)
{
    if (const auto found = watched_.find(&by); found != watched_.end()) {
        if (const auto one = found->second.find(uri); one != found->second.end())
            found->second.erase(one);
    }
    return !is_watched(uri);
}

std::vector<std::string> resource_watchers::remove_all(const attached_client& gone)
{
    const auto its = watched_.extract(&gone);
    std::vector<std::string> left;
    if (its)
        std::copy_if(its.mapped().begin(), its.mapped().end(), std::back_inserter(left),
                     [this](const std::string& uri) { return !is_watched(uri); });
    return left;
}

bool resource_watchers::is_watched(std::string_view uri, const attached_client& by) const
{
    const auto found = watched_.find(&by);
    return found != watched_.end() && found->second.contains(uri);
}

bool resource_watchers::is_watched(std::string_view uri) const
{
    return std::any_of(watched_.begin(), watched_.end(), [&](const auto& each) { return each.second.contains(uri); });
}

std::set<std::string> resource_watchers::all() const
{
    std::set<std::string> together;
    for (const auto& [by, its] : watched_)
        together.insert(its.begin(), its.end());
    return together;
}

} // namespace gateway
