#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

class relay;

/// Which client has subscribed to which resource (resources/subscribe), by its URI.
///
/// Thread safety: none.
class resource_watchers {
public:
    /// How many one client may have: what a client makes us keep is bounded.
    static constexpr std::size_t most_of_one = 1000;

    bool has_room(const relay& by) const;
    void add(const relay& by, const std::string& uri) { watched_[&by].insert(uri); }
    /// True where nobody is left that watches it.
    bool remove(const relay& by, std::string_view uri);
    /// Of a client that has gone. Returns what nobody watches any more.
    std::vector<std::string> remove_all(const relay& gone);
    bool is_watched(std::string_view uri, const relay& by) const;
    std::set<std::string> all() const;

private:
    using uris = std::set<std::string, std::less<>>;

    bool is_watched(std::string_view uri) const;

    std::map<const relay*, uris> watched_;
};

} // namespace gateway
