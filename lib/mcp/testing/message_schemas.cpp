#include "mcp/testing/message_schemas.hpp"

#include "mcp/testing/published_schema.hpp"

#include <boost/json/value.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

struct typed {
    std::string_view name; // of a method
    std::string_view definition;
};

// What answers requests of a client.
constexpr typed results[] = {
    {"initialize", "InitializeResult"},
    {"ping", "EmptyResult"},
    {"logging/setLevel", "EmptyResult"},
    {"resources/subscribe", "EmptyResult"},
    {"resources/unsubscribe", "EmptyResult"},
    {"tools/list", "ListToolsResult"},
    {"tools/call", "CallToolResult"},
    {"resources/list", "ListResourcesResult"},
    {"resources/templates/list", "ListResourceTemplatesResult"},
    {"resources/read", "ReadResourceResult"},
    {"prompts/list", "ListPromptsResult"},
    {"prompts/get", "GetPromptResult"},
    {"completion/complete", "CompleteResult"},
    {"server/discover", "DiscoverResult"},
    {"subscriptions/listen", "SubscriptionsListenResult"},
};

// What answers requests of a server.
constexpr typed client_results[] = {
    {"sampling/createMessage", "CreateMessageResult"},
    {"elicitation/create", "ElicitResult"},
    {"roots/list", "ListRootsResult"},
    {"ping", "EmptyResult"},
};

constexpr typed client_sent[] = {
    {"initialize", "InitializeRequest"},
    {"ping", "PingRequest"},
    {"logging/setLevel", "SetLevelRequest"},
    {"resources/subscribe", "SubscribeRequest"},
    {"resources/unsubscribe", "UnsubscribeRequest"},
    {"tools/list", "ListToolsRequest"},
    {"tools/call", "CallToolRequest"},
    {"resources/list", "ListResourcesRequest"},
    {"resources/templates/list", "ListResourceTemplatesRequest"},
    {"resources/read", "ReadResourceRequest"},
    {"prompts/list", "ListPromptsRequest"},
    {"prompts/get", "GetPromptRequest"},
    {"completion/complete", "CompleteRequest"},
    {"server/discover", "DiscoverRequest"},
    {"subscriptions/listen", "SubscriptionsListenRequest"},
    {"notifications/initialized", "InitializedNotification"},
    {"notifications/cancelled", "CancelledNotification"},
    {"notifications/progress", "ProgressNotification"},
    {"notifications/roots/list_changed", "RootsListChangedNotification"},
};

constexpr typed server_sent[] = {
    {"sampling/createMessage", "CreateMessageRequest"},
    {"elicitation/create", "ElicitRequest"},
    {"roots/list", "ListRootsRequest"},
    {"ping", "PingRequest"},
    {"notifications/cancelled", "CancelledNotification"},
    {"notifications/progress", "ProgressNotification"},
    {"notifications/message", "LoggingMessageNotification"},
    {"notifications/tools/list_changed", "ToolListChangedNotification"},
    {"notifications/prompts/list_changed", "PromptListChangedNotification"},
    {"notifications/resources/list_changed", "ResourceListChangedNotification"},
    {"notifications/resources/updated", "ResourceUpdatedNotification"},
    {"notifications/elicitation/complete", "ElicitationCompleteNotification"},
    {"notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"},
};

struct typed_error {
    int code;
    std::string_view definition;
};

// Of 2026-07-28 alone.
constexpr typed_error errors[] = {
    {-32020, "HeaderMismatchError"},
    {-32021, "MissingRequiredClientCapabilityError"},
    {-32022, "UnsupportedProtocolVersionError"},
};

template <std::size_t Count>
std::string_view definition_of(const typed (&table)[Count], std::string_view name)
{
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const typed& one) { return one.name == name; });
    return found == std::end(table) ? std::string_view() : found->definition;
}

std::string envelope_of(const published_schema& by, bool is_error)
{
    const std::string text = is_error ? "JSONRPCErrorResponse" : "JSONRPCResultResponse";
    return by.has(text) ? text : is_error ? "JSONRPCError" : "JSONRPCResponse";
}

// The code is a number, since the envelope fits.
std::string error_problem(const json::object& message, const published_schema& by)
{
    const json::value& code = message.at("error").at("code");
    for (const typed_error& one : errors)
        if (code == one.code)
            return by.problem(message, one.definition);
    return {};
}

bool has_own_type(const json::object& result)
{
    const json::value* const type = result.if_contains("resultType");
    return type && type->is_string() && *type != "complete" && *type != "input_required";
}

std::string result_problem(const json::object& message, const published_schema& by, message_sender from,
                           std::string_view method, bool has_extensions)
{
    const json::object& result = message.at("result").as_object();
    const json::value* const type = result.if_contains("resultType");
    if (type && *type == "input_required")
        return by.problem(result, "InputRequiredResult");
    if (has_extensions && has_own_type(result))
        return {};
    const std::string_view definition =
        from == message_sender::server ? definition_of(results, method) : definition_of(client_results, method);
    if (has_extensions && definition.empty())
        return {};
    return definition.empty() ? "no result of " + std::string(method) + " is known" : by.problem(result, definition);
}

std::string sent_problem(const json::object& message, const published_schema& by, message_sender from,
                         bool has_extensions)
{
    std::string wrong = by.problem(message, message.contains("id") ? "JSONRPCRequest" : "JSONRPCNotification");
    if (!wrong.empty())
        return wrong;
    const std::string_view method = message.at("method").as_string();
    const bool is_server = from == message_sender::server;
    const std::string_view definition =
        is_server ? definition_of(server_sent, method) : definition_of(client_sent, method);
    if (!definition.empty())
        return by.problem(message, definition);
    return is_server && !has_extensions ? "no server sends " + std::string(method) : std::string();
}

} // namespace

std::string schema_problem(const json::object& message, revision r, message_sender by, std::string_view method,
                           bool has_extensions)
{
    const published_schema& published = published_schema::of(r);
    if (message.contains("method"))
        return sent_problem(message, published, by, has_extensions);
    const bool is_error = message.contains("error");
    std::string wrong = published.problem(message, envelope_of(published, is_error));
    if (!wrong.empty())
        return wrong;
    return is_error ? error_problem(message, published)
                    : result_problem(message, published, by, method, has_extensions);
}

} // namespace partyline::mcp
