#pragma once

#include <partyline/mcp/revision.hpp>

#include <string_view>

namespace partyline::mcp {

// Names of the Model Context Protocol that several parts have to do with.

namespace methods {
inline constexpr std::string_view initialize = "initialize";
inline constexpr std::string_view discover = "server/discover";
inline constexpr std::string_view listen = "subscriptions/listen";
inline constexpr std::string_view list_tools = "tools/list";
inline constexpr std::string_view call_tool = "tools/call";
inline constexpr std::string_view list_resources = "resources/list";
inline constexpr std::string_view list_templates = "resources/templates/list";
inline constexpr std::string_view read_resource = "resources/read";
inline constexpr std::string_view subscribe = "resources/subscribe";
inline constexpr std::string_view unsubscribe = "resources/unsubscribe";
inline constexpr std::string_view list_prompts = "prompts/list";
inline constexpr std::string_view get_prompt = "prompts/get";
inline constexpr std::string_view complete = "completion/complete";
inline constexpr std::string_view set_log_level = "logging/setLevel";
inline constexpr std::string_view ping = "ping";
} // namespace methods

namespace filter_names { // of `subscriptions/listen`
inline constexpr std::string_view tools = "toolsListChanged";
inline constexpr std::string_view prompts = "promptsListChanged";
inline constexpr std::string_view resources = "resourcesListChanged";
inline constexpr std::string_view uris = "resourceSubscriptions";
} // namespace filter_names

namespace meta_names {
inline constexpr std::string_view protocol_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view client_info = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";
} // namespace meta_names

/// Whether the protocol has a notification of this name that clients send.
bool is_client_notification(std::string_view method) noexcept;

/// Whether the protocol has a request or notification of this name, whoever sends it.
bool is_of_protocol(std::string_view method);

/// Whether the protocol has a member of this name in the filter of `subscriptions/listen`.
bool is_protocol_topic(std::string_view member) noexcept;

/// Whether a method that one of the eras has is not one of this one.
bool is_of_other_era(std::string_view method, era now) noexcept;

} // namespace partyline::mcp
