#pragma once

#include "gateway/kept_bytes.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

class attached_client;

/// Which client has subscribed to which resource (resources/subscribe), by its URI.
///
/// Thread safety: none.
class resource_watchers {
public:
    /// How many one client may have, whatever their bytes.
    static constexpr std::size_t most_of_one = 1000;

    bool has_room(const attached_client& by) const;
    /// `kept`: its bytes.
    void add(const attached_client& by, const std::string& uri, kept_bytes::share kept);
    /// True where no client watches it any more.
    bool remove(const attached_client& by, std::string_view uri);
    /// Forgets a client that has gone. Returns the URIs that no client watches any more.
    std::vector<std::string> remove_all(const attached_client& gone);
    bool is_watched(std::string_view uri, const attached_client& by) const;
    std::set<std::string> all() const;

private:
    using uris = std::map<std::string, kept_bytes::share, std::less<>>;

    bool is_watched(std::string_view uri) const;

    std::map<const attached_client*, uris> watched_;
};

} // namespace gateway
