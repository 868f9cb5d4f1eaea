#include "asking_server.hpp"

#include <string>
#include <utility>

namespace mcp = partyline::mcp;

namespace mcp_test {
namespace {

partyline::task<std::string> clean(mcp::context& c)
{
    const auto sure = co_await c.elicit<confirm>("sure", "Delete 4 files?");
    if (!sure)
        co_return sure.action() == mcp::elicit_action::decline ? "declined" : "cancelled";
    co_return sure->yes ? "deleted" : "kept";
}

partyline::task<std::string> ask_all(mcp::context& c)
{
    mcp::form<confirm> form("form", "Yes?");
    mcp::url page("page", "Look there", "https://example.org/");
    mcp::sample sample("sample", mcp::sampling_request("Say something", 10));
    mcp::roots roots("roots");
    const auto [yes, looked, said, folders] =
        co_await c.ask(std::move(form), std::move(page), std::move(sample), std::move(roots));
    co_return std::string(yes && yes->yes ? "yes" : "no") + ' ' + std::string(to_string(looked)) + ' ' + said.text() +
        ' ' + folders.at(0).uri;
}

partyline::task<std::string> ask_in_turn(mcp::context& c)
{
    const mcp::elicit_action looked = co_await c.elicit_url("page", "Look there", "https://example.org/");
    const mcp::sampling_request wish("Say something", 10);
    const mcp::sampling_answer said = co_await c.sample("sample", wish);
    const std::vector<mcp::root> folders = co_await c.roots("roots");
    co_return std::string(to_string(looked)) + ' ' + said.text() + ' ' + folders.at(0).name;
}

partyline::task<std::string> forgive(mcp::context& c)
{
    try {
        co_await c.elicit<confirm>("sure", "Really?");
    } catch (const mcp::tool_error& refused) {
        co_return refused.what();
    }
    co_return "answered";
}

} // namespace

mcp::server asking_server(const mcp::run_options& run)
{
    mcp::tool_options options;
    options.run = run;
    mcp::server server("asking", "1");
    server.add_tool("clean", "Cleans.", clean, options);
    server.add_tool("ask_all", "Asks several things at once.", ask_all, options);
    server.add_tool("ask_in_turn", "Asks one thing after the other.", ask_in_turn, options);
    server.add_tool("forgive", "Goes on without an answer.", forgive, options);
    return server;
}

} // namespace mcp_test
