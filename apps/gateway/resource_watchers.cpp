#include "gateway/resource_watchers.hpp"

namespace gateway {

bool resource_watchers::remove(const relay& by, std::string_view uri)
{
    const auto found = watched_.find(uri);
    if (found == watched_.end())
        return true;
    found->second.erase(&by);
    if (!found->second.empty())
        return false;
    watched_.erase(found);
    return true;
}

std::vector<std::string> resource_watchers::remove_all(const relay& gone)
{
    std::vector<std::string> left;
    for (const std::string& uri : all()) {
        if (is_watched(uri, gone) && remove(gone, uri))
            left.push_back(uri);
    }
    return left;
}

bool resource_watchers::is_watched(std::string_view uri, const relay& by) const
{
    const auto found = watched_.find(uri);
    return found != watched_.end() && found->second.contains(&by);
}

std::vector<std::string> resource_watchers::all() const
{
    std::vector<std::string> uris;
    for (const auto& [uri, by] : watched_)
        uris.push_back(uri);
    return uris;
}

} // namespace gateway
