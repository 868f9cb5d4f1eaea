#pragma once

#include "mcp/server/features/feature.hpp"

#include <string>

namespace partyline::mcp {

/// Whoever is told of what changes in a server: a session, and by that its `subscriptions/listen`.
/// Thread safety: a session's are called from any thread, and from several at a time; the others on its executor.
class change_listener {
public:
    /// The list of these has changed.
    virtual void on_list_changed(feature_kind of) noexcept = 0;
    /// There are other methods, and no list has changed by that.
    virtual void on_methods_changed() noexcept {}
    /// What has this URI has changed. Throws `std::bad_alloc`; then it has not been told.
    virtual void on_resource_updated(const std::string& uri) = 0;

protected:
    ~change_listener() = default;
};

/// The notification that tells of a list; resources and templates share one.
std::string_view list_changed_method(feature_kind of) noexcept;

} // namespace partyline::mcp
