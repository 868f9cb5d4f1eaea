#include "gateway/resource_watchers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gateway {

bool resource_watchers::has_room(const attached_client& by) const
{
    const auto found = watched_.find(&by);
    return found == watched_.end() || found->second.size() < most_of_one;
}

void resource_watchers::add(const attached_client& by, const std::string& uri, kept_bytes::share kept)
{
    watched_[&by].try_emplace(uri, std::move(kept));
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
    if (!its)
        return left;
    for (const auto& [uri, kept] : its.mapped()) {
        if (!is_watched(uri))
            left.push_back(uri);
    }
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
        std::transform(its.begin(), its.end(), std::inserter(together, together.end()),
                       [](const auto& each) { return each.first; });
    return together;
}

} // namespace gateway
