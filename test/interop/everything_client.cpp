#include "everything_client.hpp"

#include "support/child_process.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

std::vector<std::string> command()
{
    const std::string modules = PARTYLINE_INTEROP_PACKAGES "/node_modules/";
    return {"node", modules + "@modelcontextprotocol/server-everything/dist/index.js", "stdio"};
}

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

everything_client::everything_client(child_options options)
{
    session_options talking = make_options();
    talking.close_timeout = options.exit_wait;
    partyline::child_process server(context.get_executor(), command(), std::move(options));
    server_ = server.report();
    session_.emplace(std::move(server), make_methods(), std::move(talking));
    session_->async_run([this](error_code result) { ended_ = result; });
    initialize();
}

method_table everything_client::make_methods()
{
    method_table methods;
    methods.add("sampling/createMessage", [this](json::value params) { return sample(sampling, std::move(params)); });
    methods.add("roots/list", [](json::value) {
        return json::value{{"roots", {{{"uri", "file:///srv/party"}, {"name", "party"}}}}};
    });
    methods.add("elicitation/create", [](json::value params) {
        const json::value asked = params.at_pointer("/requestedSchema/properties/name/type");
        return json::value{{"action", "accept"}, {"content", {{"name", asked}}}};
    });
    for (const char* method : {"notifications/progress", "notifications/message", "notifications/tools/list_changed"}) {
        methods.add_notification(method, [this, method](json::value params) {
            heard.push_back({method, params.is_object() ? params.as_object() : json::object()});
        });
    }
    return methods;
}

session_options everything_client::make_options()
{
    session_options options;
    options.executor_is_serial = true;
    options.hook = [this](const message_event& event) -> std::optional<error_object> {
        if (event.what == message_event::kind::request)
            (event.way == message_event::direction::out ? our_ids : its_ids).emplace(event.id);
        return std::nullopt;
    };
    return options;
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

pending everything_client::start(std::string method, json::value params, call_options options,
                                 asio::cancellation_slot slot)
{
    auto call = std::make_shared<std::optional<settled>>();
    auto done = [call](error_code failed, call_result<json::value> reply) {
        BOOST_TEST_REQUIRE(!call->has_value());
        *call = settled{failed, std::move(reply)};
    };
    talk().async_call<json::value>(std::move(method), std::move(params), std::move(options),
                                   asio::bind_cancellation_slot(slot, std::move(done)));
    return call;
}

pending everything_client::start_tool(std::string_view name, json::object arguments, json::value progress_token)
{
    json::object params{{"name", name}, {"arguments", std::move(arguments)}};
    if (!progress_token.is_null())
        params["_meta"] = {{"progressToken", std::move(progress_token)}};
    return start("tools/call", std::move(params));
}

settled everything_client::wait(const pending& call)
{
    run_until([&] { return call->has_value(); });
    return **call;
}

std::string everything_client::text_of(const pending& tool_call)
{
    std::string text;
    const json::value result = result_of(tool_call);
    for (const json::value& part : result.at("content").as_array())
        text += part.at("text").as_string();
    return text;
}

void everything_client::notify(std::string method)
{
    std::optional<error_code> sent;
    talk().async_notify(std::move(method), nullptr, [&](error_code failed) { sent = failed; });
    run_until([&] { return sent.has_value(); });
    BOOST_TEST_REQUIRE(!*sent);
}

void everything_client::run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        context.restart();
        if (context.run_one_until(deadline) == 0)
            throw std::runtime_error("what is waited for does not happen");
    }
}

error_code everything_client::wait_end()
{
    run_until([&] { return ended_.has_value(); });
    return *ended_;
}

} // namespace partyline::test
