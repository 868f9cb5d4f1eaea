// A client of the Model Context Protocol: it starts a server, uses what that offers, and answers what it asks.
//
//   example-mcp_client example-mcp_server

#include <partyline/mcp/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace mcp = partyline::mcp;
using namespace std::chrono_literals;
using partyline::named;

partyline::task<void> use_tools(mcp::client& server)
{
    for (const mcp::tool_info& tool : co_await server.tools())
        std::cout << tool.name << ": " << tool.description << '\n';

    mcp::call_hooks limits; // (in co_await g++ 12 compiles no braces)
    limits.timeout = 60s;
    const auto added = co_await server.call_tool("add_note", named("name", "milk", "text", "Two bottles"), limits);
    std::cout << added.text() << '\n';

    const auto found = co_await server.call_tool("find_notes", named("text", "bottle"), limits);
    for (const std::string& name : found.as<std::vector<std::string>>()) // the result as C++ has it
        std::cout << "found " << name << '\n';

    // A tool that fails is an answer, for the model; what is wrong for the program is thrown.
    const auto refused = co_await server.call_tool("remove_note", named("name", "coal"), limits);
    std::cout << (refused.is_error ? "failed: " : "done: ") << refused.text() << '\n';
    const auto removed = co_await server.call_tool("remove_note", named("name", "milk"), limits);
    std::cout << removed.text() << '\n';
}

partyline::task<void> use_others(mcp::client& server)
{
    const auto bread = co_await server.read_resource("notes://bread");
    std::cout << bread.text() << '\n';
    try {
        co_await server.read_resource("notes://milk");
    } catch (const partyline::rpc_error& error) {
        std::cout << error.what() << '\n';
    }
    const auto prompt = co_await server.get_prompt("tidy");
    std::cout << prompt.messages.at(0).text() << '\n';
}

partyline::task<void> use(mcp::client& server)
{
    co_await server.start(); // finds out which revisions the server has
    std::cout << server.server().info.name << '\n';
    co_await use_tools(server);
    co_await use_others(server);
    co_await server.close(); // in order: the server's input ends, and it is reaped
}

int main(int argc, char** argv)
{
    boost::asio::io_context context;
    mcp::client server(context.get_executor(), {argv + 1, argv + argc});
    // What has a handler the server may ask for. A user is to be asked in its place.
    server.on_elicit([](const mcp::elicit_request& asked) {
        std::cout << asked.message << " Yes.\n";
        return mcp::elicit_answer::accept(boost::json::object{{"yes", true}});
    });
    co_spawn(context.get_executor(), use(server), [](std::exception_ptr failed) {
        if (failed)
            std::rethrow_exception(failed); // out of run()
    });
    context.run();
}
