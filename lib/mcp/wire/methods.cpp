#include "mcp/wire/methods.hpp"

#include <partyline/mcp/method_names.hpp>

#include <algorithm>
#include <array>

namespace partyline::mcp {
namespace {

constexpr std::array legacy_alone{methods::initialize, methods::ping, methods::set_log_level, methods::subscribe,
                                  methods::unsubscribe};
constexpr std::array modern_alone{methods::discover, methods::listen};

constexpr std::array client_notifications{
    std::string_view("notifications/initialized"), std::string_view("notifications/cancelled"),
    std::string_view("notifications/progress"), std::string_view("notifications/roots/list_changed")};
// Besides those that clients send.
constexpr std::array sent_by_servers{std::string_view("sampling/createMessage"),
                                     std::string_view("elicitation/create"),
                                     std::string_view("roots/list"),
                                     std::string_view("notifications/message"),
                                     std::string_view("notifications/tools/list_changed"),
                                     std::string_view("notifications/prompts/list_changed"),
                                     std::string_view("notifications/resources/list_changed"),
                                     std::string_view("notifications/resources/updated"),
                                     std::string_view("notifications/subscriptions/acknowledged"),
                                     std::string_view("notifications/elicitation/complete")};

constexpr std::array protocol_topics{filter_names::tools, filter_names::prompts, filter_names::resources,
                                     filter_names::uris};

template <class Names>
bool is_among(const Names& names, std::string_view method) noexcept
{
    return std::find(names.begin(), names.end(), method) != names.end();
}

} // namespace

std::vector<std::string> method_names()
{
    std::vector<std::string> all;
    for (const std::string_view name :
         {methods::initialize, methods::discover, methods::listen, methods::list_tools, methods::call_tool,
          methods::list_resources, methods::list_templates, methods::read_resource, methods::subscribe,
          methods::unsubscribe, methods::list_prompts, methods::get_prompt, methods::complete, methods::set_log_level,
          methods::ping})
        all.emplace_back(name);
    all.insert(all.end(), client_notifications.begin(), client_notifications.end());
    return all;
}

bool is_client_notification(std::string_view method) noexcept
{
    return is_among(client_notifications, method);
}

bool is_protocol_topic(std::string_view member) noexcept
{
    return is_among(protocol_topics, member);
}

bool is_of_protocol(std::string_view method)
{
    return is_among(sent_by_servers, method) || is_among(method_names(), method);
}

bool is_of_other_era(std::string_view method, era now) noexcept
{
    return now == era::modern ? is_among(legacy_alone, method) : is_among(modern_alone, method);
}

} // namespace partyline::mcp
