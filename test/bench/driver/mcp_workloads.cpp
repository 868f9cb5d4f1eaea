#include "mcp_workloads.hpp"

#include "bench/servers/tools.hpp"
#include "contenders.hpp"
#include "mcp_content.hpp"

#include <string>
#include <utility>

namespace bench {
namespace {

contender of_methods(std::string name, job work)
{
    return {.name = std::move(name), .which = program::mcp_server, .work = std::move(work)};
}

contender of_tools(std::string name, protocol spoken, job work, double ratio)
{
    return {.name = std::move(name),
            .which = program::mcp_server,
            .work = std::move(work),
            .options = "--mcp",
            .targets = {{"ratio", ratio}},
            .spoken = spoken};
}

workload tool_calls(sizes size)
{
    constexpr std::size_t bytes = 16;
    const std::size_t requests = size(100000, 10000);
    const auto calling = [requests](const char* name, protocol spoken) {
        return of_tools(name, spoken,
                        {.how = pipelined,
                         .method = "tools/call",
                         .fill = tool_call(spoken, bytes),
                         .requests = requests,
                         .like = likeness::of_tool},
                        2);
    };
    return {.name = "mcp-call",
            .title = "MCP: a call of a tool that takes a struct and returns it, 16 bytes, pipelined",
            .unit = "call",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {of_methods("partyline, a method that does the same", echoing("echo_typed", bytes, requests))},
            .contenders = {calling("partyline::mcp, after a handshake", protocol::mcp_handshake),
                           calling("partyline::mcp, without one", protocol::mcp_stateless)},
            .has_peers = true};
}

workload tool_lists(sizes size)
{
    const std::size_t requests = size(500, 100);
    const auto listing = [requests](const char* name, protocol spoken) {
        return of_tools(name, spoken,
                        {.how = ping_pong,
                         .method = "tools/list",
                         .fill = tool_list(spoken, tool_count),
                         .requests = requests,
                         .like = likeness::tools_listed},
                        1.2);
    };
    job echoed = echoing("echo_raw", tool_list_bytes, requests);
    echoed.how = ping_pong;
    return {.name = "mcp-list",
            .title = "MCP: the list of " + std::to_string(tool_count) + " tools, one after the other",
            .unit = "request",
            .shown = {"cpu_us"},
            .compared = "cpu_us",
            .reference = {of_methods("partyline, raw text of that length", echoed)},
            .contenders = {listing("partyline::mcp, after a handshake", protocol::mcp_handshake),
                           listing("partyline::mcp, without one", protocol::mcp_stateless)}};
}

workload idle_sessions(sizes size)
{
    const std::size_t count = size(1000, 100);
    const auto holding = [count](std::string name, const char* kind) {
        return of_methods(
            std::move(name),
            {.how = holding_sessions, .method = "open_sessions", .fill = sessions_of(kind, count), .at_once = count});
    };
    return {.name = "mcp-sessions",
            .title = "MCP: " + std::to_string(count) + " idle sessions, with the streams in memory that they use",
            .unit = "session",
            .shown = {"session_bytes"},
            .compared = "session_bytes",
            .reference = {holding("partyline, of a method table", "plain")},
            .contenders = {holding("partyline::mcp, after a handshake", "mcp_handshake"),
                           holding("partyline::mcp, without one", "mcp_stateless")}};
}

} // namespace

std::vector<workload> mcp_workloads(sizes size)
{
    return {tool_calls(size), tool_lists(size), idle_sessions(size)};
}

} // namespace bench
