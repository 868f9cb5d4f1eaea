#include "documents.hpp"

#include <stdexcept>
#include <utility>

namespace plain_text {

snapshot documents::open(const std::string& uri, std::int64_t version, std::string text)
{
    return open_[uri] = std::make_shared<const document>(version, text);
}

snapshot documents::change(const std::string& uri, std::int64_t version, const std::vector<text_change>& changes)
{
    snapshot& newest = at(uri);
    if (version <= newest->version())
        throw std::invalid_argument(uri + ": version " + std::to_string(version) + " came after version " +
                                    std::to_string(newest->version()));
    return newest = std::make_shared<const document>(newest->changed(version, changes));
}

void documents::close(const std::string& uri)
{
    at(uri);
    open_.erase(uri);
}

snapshot documents::find(const std::string& uri) const
{
    const auto found = open_.find(uri);
    return found == open_.end() ? nullptr : found->second;
}

snapshot& documents::at(const std::string& uri)
{
    const auto found = open_.find(uri);
    if (found == open_.end())
        throw std::invalid_argument(uri + ": not open");
    return found->second;
}

} // namespace plain_text
