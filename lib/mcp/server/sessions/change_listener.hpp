#pragma once

#include "mcp/server/features/feature.hpp"
#include "mcp/server/sessions/topic.hpp"

#include <string>

namespace partyline::mcp {

/// A session, as the server tells it of changes, which it sends to its client.
/// Thread safety: called from any thread, and from several at a time. A change whose call throws `std::bad_alloc` is
/// not sent.
class change_listener {
public:
    /// The list of these has changed.
    virtual void on_list_changed(feature_kind of) noexcept = 0;
    /// There are other methods, and no list has changed by that.
    virtual void on_methods_changed() noexcept = 0;
    /// What has this URI has changed.
    virtual void on_resource_updated(const std::string& uri) = 0;
    /// Something was published to a key that the session's client listens to.
    virtual void on_published(const publication& what) = 0;

protected:
    ~change_listener() = default;
};

} // namespace partyline::mcp
