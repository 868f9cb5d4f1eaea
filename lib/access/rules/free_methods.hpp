#pragma once

#include <array>
#include <string_view>

namespace partyline::access {

/// What each admitted peer may call: it shows nothing that is not judged by itself (lists by their entries, completions
/// and subscriptions by what they are for, which who serves them asks the view). These are exactly the methods of
/// MCP, and not all that end on "/list" or begin with "notifications/": a method of somebody's own is to be named.
inline constexpr std::array<std::string_view, 18> free_methods = {
    "initialize",
    "server/discover",
    "ping",
    "logging/setLevel",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "subscriptions/listen",
    "completion/complete",
    "resources/subscribe",
    "resources/unsubscribe",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/tasks/status",
    "rpc.discover",
};

} // namespace partyline::access
