// The client that the conformance suite of MCP judges: it does with the server at the URL that is its last argument
// what there is to do, and answers what it is asked. A command before the URL is given the URL, too, and is the server
// then, by its standard input and output: mcp_conformance_client [GATEWAY --stdio] URL

#include "conformance_login.hpp"

#include <partyline/http/mcp_client.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/session/task.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;

namespace {

std::string_view variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

// What somebody enters who takes what is there, and otherwise anything that fits.
json::value entry_for(const json::object& property)
{
    if (const json::value* const given = property.if_contains("default"))
        return *given;
    if (const json::value* const choice = property.if_contains("enum"))
        return choice->at(0);
    const json::value* const type = property.if_contains("type");
    const std::string_view kind = type && type->is_string() ? std::string_view(type->get_string()) : "string";
    if (kind == "boolean")
        return true;
    if (kind == "number" || kind == "integer")
        return 5;
    if (kind == "object")
        return json::object();
    if (kind == "array")
        return json::array();
    return "text";
}

json::object entries_for(const json::object& schema)
{
    json::object entries;
    const json::value* const properties = schema.if_contains("properties");
    if (!properties || !properties->is_object())
        return entries;
    for (const auto& [name, property] : properties->get_object()) {
        if (property.is_object())
            entries[name] = entry_for(property.get_object());
    }
    return entries;
}

// Calls that do not succeed are the server's to judge.
partyline::task<void> call(mcp::client& client, std::string tool, json::object arguments)
{
    try {
        const mcp::tool_answer answer = co_await client.call_tool(tool, std::move(arguments));
        std::cout << tool << ": " << answer.text() << '\n';
    } catch (const std::exception& e) {
        std::cout << tool << ": " << e.what() << '\n';
    }
}

partyline::task<void> use_tools(mcp::client& client, json::array given)
{
    const std::vector<mcp::tool_info> tools = co_await client.tools();
    if (!given.empty()) {
        for (const json::value& one : given) {
            json::object arguments = one.at("arguments").as_object();
            std::string name(one.at("name").as_string());
            co_await call(client, std::move(name), std::move(arguments));
        }
        co_return;
    }
    for (const mcp::tool_info& tool : tools) {
        json::object arguments = entries_for(tool.input_schema);
        co_await call(client, tool.name, std::move(arguments));
    }
}

partyline::task<void> use_rest(mcp::client& client)
{
    const json::object& has = client.server().capabilities;
    if (has.contains("resources")) {
        const std::vector<mcp::resource_info> resources = co_await client.resources();
        for (const mcp::resource_info& one : resources)
            co_await client.read_resource(one.uri);
    }
    if (has.contains("prompts")) {
        const std::vector<mcp::prompt_info> prompts = co_await client.prompts();
        for (const mcp::prompt_info& one : prompts)
            co_await client.get_prompt(one.name);
    }
}

partyline::task<void> use(mcp::client& client, json::array calls)
{
    co_await client.start();
    if (client.server().capabilities.contains("tools"))
        co_await use_tools(client, std::move(calls));
    co_await use_rest(client);
    co_await client.close();
}

json::array given_calls()
{
    const std::string_view context = variable("MCP_CONFORMANCE_CONTEXT");
    if (context.empty())
        return {};
    const json::value whole = json::parse(context);
    const json::value* const calls = whole.as_object().if_contains("toolCalls");
    return calls ? calls->as_array() : json::array();
}

mcp::client connect(const asio::any_io_executor& executor, std::vector<std::string> words, mcp::client_options how)
{
    if (words.size() == 1) {
        partyline::http::client_options way;
        way.tokens = tokens_for(executor, words.front());
        return mcp::client(partyline::http::mcp_client(executor, words.front(), std::move(way)), std::move(how));
    }
    const gateway_login login = login_by_gateway();
    words.insert(words.begin() + 1, login.options.begin(), login.options.end());
    partyline::child_options child;
    child.variables = login.variables;
    child.errors = partyline::child_stderr::capture;
    child.on_stderr_line = [executor](std::string_view line) {
        const std::string_view told = "log in at ";
        std::cerr << line << '\n';
        if (const std::size_t found = line.find(told); found != line.npos)
            visit_page(executor, std::string(line.substr(found + told.size())));
    };
    return mcp::client(partyline::child_process(executor, std::move(words), std::move(child)), std::move(how));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    asio::io_context context(1);
    mcp::client_options how;
    how.era =
        variable("MCP_CONFORMANCE_PROTOCOL_VERSION") < "2026-07-28" ? mcp::wanted_era::legacy : mcp::wanted_era::modern;
    mcp::client client = connect(context.get_executor(), {argv + 1, argv + argc}, std::move(how));
    client.on_elicit(
        [](const mcp::elicit_request& asked) { return mcp::elicit_answer::accept(entries_for(asked.schema)); });
    client.on_sample([](const mcp::sample_request&) {
        mcp::sampling_answer said;
        said.model = "sampler";
        said.content = {{"type", "text"}, {"text", "text"}};
        return said;
    });
    client.set_roots({{"file:///srv", "srv"}});
    int code = 0;
    co_spawn(context.get_executor(), use(client, given_calls()), [&](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const std::exception& e) {
            std::cerr << e.what() << '\n';
            code = 1;
            context.stop();
        }
    });
    context.run();
    return code;
}
