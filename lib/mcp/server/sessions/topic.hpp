#pragma once

#include "mcp/server/features/feature.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/server/listen_topic.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// A member of the filter of `subscriptions/listen`, and the notification that its listeners get.
struct topic {
    std::string_view member;
    std::string_view notification;
    topic_kind kind;
};

// The protocol's own.
inline constexpr topic tools_topic{filter_names::tools, "notifications/tools/list_changed", topic_kind::flag};
inline constexpr topic prompts_topic{filter_names::prompts, "notifications/prompts/list_changed", topic_kind::flag};
inline constexpr topic resources_topic{filter_names::resources, "notifications/resources/list_changed",
                                       topic_kind::flag};
inline constexpr topic uris_topic{filter_names::uris, "notifications/resources/updated", topic_kind::keys};

/// The topic of a list. Resources and templates share one.
constexpr const topic& topic_of(feature_kind list) noexcept
{
    switch (list) {
    case feature_kind::tool: return tools_topic;
    case feature_kind::prompt: return prompts_topic;
    default: return resources_topic;
    }
}

/// The params of a notification without the subscription's id: members as JSON text, each with a comma after it.
struct told_params {
    std::string members = {};
    std::string meta = {}; // of `_meta`
};
/// Null: there are none.
using told_params_ptr = std::shared_ptr<const told_params>;

inline std::size_t bytes_of(const told_params_ptr& params) noexcept
{
    return params ? params->members.size() + params->meta.size() : 0;
}

/// The params that were published to a key of an extension's topic.
struct publication {
    std::shared_ptr<const topic> about;
    std::string key;
    told_params_ptr params;
};

/// An open `subscriptions/listen`. Its session calls it with each change, on the session's executor.
class topic_listener {
public:
    virtual void on_change(const topic& about, const std::string& key, const told_params_ptr& params) = 0;

protected:
    ~topic_listener() = default;
};

} // namespace partyline::mcp
