#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

class relay;

/// Which client has subscribed to which resource (resources/subscribe), each by the text of its URI as it stands in JSON.
///
/// Thread safety: none.
class resource_watchers {
public:
    void add(const relay& by, std::string_view uri) { watched_[std::string(uri)].insert(&by); }
    /// True where nobody is left that watches it.
    bool remove(const relay& by, std::string_view uri);
    /// Of a client that has gone. Returns what nobody watches any more.
    std::vector<std::string> remove_all(const relay& gone);
    bool is_watched(std::string_view uri, const relay& by) const;
    std::vector<std::string> all() const;

private:
    std::map<std::string, std::set<const relay*>, std::less<>> watched_;
};

} // namespace gateway
