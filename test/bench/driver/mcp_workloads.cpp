#include "bench/servers/work.hpp"
#include "contenders.hpp"

namespace bench {
namespace {

contender of_methods(std::string name, job work)
{
    return {std::move(name), program::mcp_server, std::move(work)};
}

// After a handshake and without one.
template <class MakeJob>
std::vector<contender> of_tools(double ratio, MakeJob work)
{
    std::vector<contender> both;
    for (const auto& [name, spoken] : {std::pair("partyline::mcp, after a handshake", protocol::mcp_handshake),
                                       std::pair("partyline::mcp, without one", protocol::mcp_stateless)}) {
        contender made{name, program::mcp_server, work(spoken), {{"ratio", ratio}}, "--mcp"};
        made.spoken = spoken;
        both.push_back(std::move(made));
    }
    return both;
}

workload calls(sizes size)
{
    const job methods = echoing("echo_typed", 16, size(100000, 10000));
    return {"mcp-call",
            "MCP: a call of a tool that takes a struct and returns it, 16 bytes, pipelined",
            "call",
            speed_and_peak,
            {of_methods("partyline, a method that does the same", methods)},
            of_tools(2, [&](protocol spoken) { return tool_calls(spoken, methods); })};
}

workload lists(sizes size)
{
    const std::size_t requests = size(500, 100);
    job echoed = echoing("echo_raw", tool_list_bytes, requests);
    echoed.how = ping_pong;
    const auto listing = [requests](protocol spoken) {
        return job{.how = ping_pong,
                   .method = "tools/list",
                   .fill = tool_list(spoken, tool_count),
                   .requests = requests,
                   .like = likeness::tools_listed};
    };
    return {"mcp-list",
            "MCP: the list of " + std::to_string(tool_count) + " tools, one after the other",
            "request",
            {"cpu_us"},
            {of_methods("partyline, raw text of that length", echoed)},
            of_tools(1.2, listing)};
}

workload idle_sessions(sizes size)
{
    const std::size_t count = size(1000, 100);
    const auto holding = [count](std::string name, const std::string& kind) {
        const std::string number = std::to_string(count);
        const content fill = fixed(R"({"kind":")" + kind + R"(","count":)" + number + "}", number);
        return of_methods(std::move(name),
                          {.how = holding_sessions, .method = "open_sessions", .fill = fill, .at_once = count});
    };
    return {"mcp-sessions",
            "MCP: " + std::to_string(count) + " idle sessions, with the streams in memory that they use",
            "session",
            {"session_bytes"},
            {holding("partyline, of a method table", "plain")},
            {holding("partyline::mcp, after a handshake", "mcp_handshake"),
             holding("partyline::mcp, without one", "mcp_stateless")}};
}

contender on_port(std::string name, protocol spoken, job work, std::vector<target> targets = {})
{
    contender made{std::move(name), program::mcp_server, std::move(work), std::move(targets)};
    made.spoken = spoken;
    made.served = service::http_mcp;
    return made;
}

workload through_gateway(sizes size)
{
    const job work = posts(1, size(100000, 3000));
    const contender gateway{"partyline-gateway, and partyline-echo behind it", program::gateway, work, {{"ratio", 3}}};
    return {"http-gateway",
            "POST of an echo through the gateway to a server on standard streams, 64 connections with a call each",
            "call",
            speed,
            {reached_by(service::http_rpc, echo_server("partyline-echo", work))},
            {reached_by(service::http_rpc, gateway)}};
}

// By clients with a call each.
contender calling(std::string name, protocol spoken, std::size_t requests)
{
    return on_port(std::move(name), spoken, tool_calls(spoken, posts(1, requests)));
}

workload posted_calls(sizes size)
{
    const std::size_t requests = size(100000, 3000);
    job methods = posts(1, requests);
    methods.method = "echo_typed";
    return with_peers({"http-mcp",
                       "MCP: POST of a call of a tool, 16 bytes, 64 clients with a call each",
                       "call",
                       speed_and_peak,
                       {reached_by(service::http_rpc, of_methods("partyline, a method that does the same", methods))},
                       {calling("partyline::mcp, in sessions", protocol::mcp_handshake, requests),
                        calling("partyline::mcp, without one", protocol::mcp_stateless, requests)}});
}

workload calls_through_gateway(sizes size)
{
    const contender direct = calling("partyline::mcp, in sessions", protocol::mcp_handshake, size(100000, 10000));
    contender of_each = direct;
    of_each.which = program::gateway;
    contender of_all = with_options(of_each, "--share");
    of_each.name = "partyline-gateway, a server for each session";
    of_all.name = "partyline-gateway, one server for all";
    return with_peers({"http-gateway-mcp",
                       "MCP: call of a tool through a gateway to a server on standard streams, in sessions, "
                       "64 clients with a call each",
                       "call",
                       speed,
                       {direct},
                       {of_each, of_all}});
}

// What is asked first begins no session, which would be one too many.
workload idle_streams(sizes size)
{
    const std::size_t count = size(10000, 500);
    const job work{.how = holding_streams, .method = "tools/call", .idle = count};
    return {"http-sessions",
            "MCP: " + grouped(count) + " idle sessions, each with an event stream",
            "session",
            {"each_bytes"},
            {},
            {for_many(on_port("partyline::mcp", protocol::mcp_stateless, work, {{"each_bytes", 12288}}))}};
}

} // namespace

std::vector<workload> mcp_workloads(sizes size)
{
    return {with_peers(calls(size)), lists(size), idle_sessions(size)};
}

std::vector<workload> mcp_port_workloads(sizes size)
{
    return {through_gateway(size), posted_calls(size), calls_through_gateway(size), in_rounds(3, idle_streams(size))};
}

} // namespace bench
