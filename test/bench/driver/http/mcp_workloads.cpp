#include "mcp_workloads.hpp"

#include "bench/driver/wire.hpp"
#include "contenders.hpp"
#include "measure.hpp"

#include <string>
#include <utility>

namespace bench::http {
namespace {

workload through_gateway(sizes size)
{
    const job work = posts(1, size(100000, 3000));
    return {.name = "http-gateway",
            .title = "POST of an echo through the gateway to a server on standard streams, 64 connections with a call "
                     "each",
            .unit = "call",
            .shown = speed,
            .compared = "cpu_us",
            .reference = {server_of("partyline-echo", program::echo_server, work)},
            .contenders = {
                server_of("partyline-gateway, and partyline-echo behind it", program::gateway, work, {{"ratio", 3}})}};
}

contender of_mcp(std::string name, protocol spoken, job work, std::vector<target> targets = {})
{
    contender made = server_of(std::move(name), program::mcp_server, std::move(work), std::move(targets));
    made.spoken = spoken;
    made.served = service::http_mcp;
    return made;
}

// By clients with a call each.
contender calling(std::string name, protocol spoken, std::size_t requests)
{
    job work = posts(1, requests);
    work.method = "tools/call";
    work.fill = tool_call(spoken, 16);
    work.like = likeness::of_tool;
    return of_mcp(std::move(name), spoken, std::move(work));
}

workload tool_calls(sizes size)
{
    const std::size_t requests = size(100000, 3000);
    job methods = posts(1, requests);
    methods.method = "echo_typed";
    return {.name = "http-mcp",
            .title = "MCP: POST of a call of a tool, 16 bytes, 64 clients with a call each",
            .unit = "call",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {server_of("partyline, a method that does the same", program::mcp_server, methods)},
            .contenders = {calling("partyline::mcp, in sessions", protocol::mcp_handshake, requests),
                           calling("partyline::mcp, without one", protocol::mcp_stateless, requests)},
            .has_peers = true};
}

workload tool_calls_through_gateway(sizes size)
{
    const contender direct = calling("partyline::mcp, in sessions", protocol::mcp_handshake, size(100000, 10000));
    contender of_each = direct;
    of_each.which = program::gateway;
    contender of_all = with_options(of_each, "--share");
    of_each.name = "partyline-gateway, a server for each session";
    of_all.name = "partyline-gateway, one server for all";
    return {.name = "http-gateway-mcp",
            .title = "MCP: call of a tool through a gateway to a server on standard streams, in sessions, " +
                     std::to_string(connections) + " clients with a call each",
            .unit = "call",
            .shown = speed,
            .compared = "cpu_us",
            .reference = {direct},
            .contenders = {of_each, of_all},
            .has_peers = true};
}

// What is asked first begins no session, which would be one too many.
workload idle_sessions(sizes size)
{
    const std::size_t count = size(10000, 500);
    const job work{.over_port = holding_streams, .method = "tools/call", .idle = count};
    return {.name = "http-sessions",
            .title = "MCP: " + grouped(count) + " idle sessions, each with an event stream",
            .unit = "session",
            .shown = {"each_bytes"},
            .compared = {},
            .reference = {},
            .contenders = {for_many(of_mcp("partyline::mcp", protocol::mcp_stateless, work, {{"each_bytes", 12288}}))},
            .max_rounds = 3};
}

} // namespace

std::vector<workload> mcp_workloads(sizes size)
{
    return {through_gateway(size), tool_calls(size), tool_calls_through_gateway(size), idle_sessions(size)};
}

} // namespace bench::http
