#include "everything_client.hpp"

#include "packages.hpp"

#include <partyline/rpc/method_table.hpp>

#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

// What a user's model would say. A prompt that asks for a refusal gets one.
asio::awaitable<json::value> sample(gate& allowed, json::value params)
{
    const json::value text = params.at_pointer("/messages/0/content/text");
    co_await allowed.wait();
    if (text.as_string().find("refuse") != json::string::npos)
        throw rpc_error(-1, "the user said no");
    const std::string said = "<" + std::string(text.as_string()) + ">";
    json::value answer{{"role", "assistant"}, {"model", "sampler"}, {"content", {{"type", "text"}, {"text", said}}}};
    co_return answer;
}

} // namespace

everything_client::everything_client(child_options how)
{
    add_methods();
    start_server({"node", package("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"}, std::move(how));
    initialize();
}

void everything_client::add_methods()
{
    methods.add("sampling/createMessage", [this](json::value params) { return sample(sampling, std::move(params)); });
    methods.add("roots/list", [](json::value) {
        return json::value{{"roots", {{{"uri", "file:///srv/party"}, {"name", "party"}}}}};
    });
    methods.add("elicitation/create", [](json::value params) {
        const json::value asked = params.at_pointer("/requestedSchema/properties/name/type");
        return json::value{{"action", "accept"}, {"content", {{"name", asked}}}};
    });
    for (const char* method : {"notifications/progress", "notifications/message", "notifications/tools/list_changed"})
        listen_to(method);
}

void everything_client::initialize()
{
    json::value params{
        {"protocolVersion", "2025-06-18"},
        {"clientInfo", {{"name", "partyline"}, {"version", "1"}}},
        {"capabilities", {{"sampling", json::object()}, {"elicitation", json::object()}, {"roots", json::object()}}}};
    introduction = result_of(start("initialize", std::move(params))).as_object();
    notify("notifications/initialized");
    // It asks for the roots when it is asked for them first, or else after a while, maybe when it is to end.
    text_of(start_tool("get-roots-list"));
}

pending everything_client::start_tool(std::string_view name, json::object arguments, json::value progress_token)
{
    json::object params{{"name", name}, {"arguments", std::move(arguments)}};
    if (!progress_token.is_null())
        params["_meta"] = {{"progressToken", std::move(progress_token)}};
    return start("tools/call", std::move(params));
}

std::string everything_client::text_of(const pending& tool_call)
{
    std::string text;
    const json::value result = result_of(tool_call);
    for (const json::value& part : result.at("content").as_array())
        text += part.at("text").as_string();
    return text;
}

} // namespace partyline::test
