#include "bench/http/workloads.hpp"

#include "bench/http/measure.hpp"
#include "bench/quote.hpp"

#include <string>
#include <utility>

namespace bench::http {
namespace {

constexpr std::size_t connections = 64;

job posts(std::size_t at_once, std::size_t requests)
{
    return {.over_port = posting,
            .method = "echo",
            .fill = text_of(16),
            .requests = requests,
            .at_once = at_once,
            .connections = connections};
}

contender server_of(std::string name, program which, job work, std::vector<target> targets = {})
{
    return {.name = std::move(name),
            .which = which,
            .work = std::move(work),
            .targets = std::move(targets),
            .served = service::http_rpc};
}

contender beast(job work)
{
    return server_of("Beast, without JSON-RPC", program::beast, std::move(work));
}

contender partyline(std::string name, job work, std::vector<target> targets = {})
{
    return server_of(std::move(name), program::echo_server, std::move(work), std::move(targets));
}

// As many connections as are measured, all of which come from loopback.
contender for_many(contender server)
{
    return with_options(std::move(server), "--max-connections=20000 --max-connections-per-address=20000");
}

workload echo(std::string name, std::string title, const job& work, double ratio)
{
    return {.name = std::move(name),
            .title = std::move(title),
            .unit = "call",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {beast(work)},
            .contenders = {partyline("partyline-echo", work, {{"ratio", ratio}})},
            .has_peers = true};
}

// A result in parts of 16 bytes. (Progress would not do: where the client is behind, the latest takes the place of
// others.)
content parts(std::size_t count)
{
    return [count](random_source&, std::string& params, std::string& result) {
        params += "{\"count\":" + std::to_string(count) + ",\"bytes\":16}";
        result += "{\"parts\":" + std::to_string(count) + "}";
    };
}

workload events(sizes size)
{
    constexpr std::size_t a_call = 5000;
    const auto telling = [calls = size(40, 4)](const char* name, service served, std::vector<target> targets = {}) {
        contender server = partyline(name,
                                     {.how = notifying,
                                      .over_port = notified,
                                      .method = "parts",
                                      .fill = parts(a_call),
                                      .requests = calls,
                                      .at_once = a_call},
                                     std::move(targets));
        server.served = served;
        return server;
    };
    return {.name = "http-events",
            .title = "Notifications from a handler as events of a stream, 5,000 for one call",
            .unit = "notification",
            .shown = speed,
            .compared = "cpu_us",
            .reference = {telling("partyline-echo, a line each on TCP", service::tcp)},
            .contenders = {telling("partyline-echo, an event each", service::http_rpc, {{"ratio", 1.5}}),
                           telling("partyline-echo, a line each on pipes", service::streams)}};
}

workload idle_connections(sizes size)
{
    const std::size_t count = size(10000, 500);
    const job work{.over_port = holding_connections, .method = "echo", .idle = count};
    return {.name = "http-idle",
            .title = grouped(count) + " idle connections, after one POST over each",
            .unit = "connection",
            .shown = {"each_bytes"},
            .compared = "each_bytes",
            .reference = {beast(work)},
            .contenders = {for_many(partyline("partyline-echo", work, {{"each_bytes", 2048}}))},
            .max_rounds = 3};
}

workload beside_crowd(sizes size)
{
    const std::size_t count = size(10000, 500);
    job work{.over_port = beside_idle,
             .method = "echo",
             .fill = text_of(16),
             .requests = size(10000, 500),
             .connections = connections};
    const contender alone = for_many(partyline("partyline-echo, alone", work));
    work.idle = count;
    return {.name = "http-crowd",
            .title = "1,000 calls a second beside " + grouped(count) + " idle connections and " + grouped(count / 100) +
                     " that send a head byte by byte",
            .unit = "call",
            .shown = {"p99_us", "p50_us", "max_us", "cpu_us"},
            .compared = "p99_us",
            .reference = {alone},
            .contenders = {for_many(partyline("partyline-echo, beside them", work, {{"ratio", 2}}))}};
}

#if PARTYLINE_HAS_MCP

workload through_gateway(sizes size)
{
    const job work = posts(1, size(100000, 3000));
    return {.name = "http-gateway",
            .title = "POST of an echo through the gateway to a server on standard streams, 64 connections with a call "
                     "each",
            .unit = "call",
            .shown = speed,
            .compared = "cpu_us",
            .reference = {partyline("partyline-echo", work)},
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

workload tool_calls(sizes size)
{
    job methods = posts(1, size(100000, 3000));
    methods.method = "echo_typed";
    const auto calling = [&](const char* name, protocol spoken) {
        job work = methods;
        work.method = "tools/call";
        work.fill = tool_call(spoken, 16);
        work.like = likeness::of_tool;
        return of_mcp(name, spoken, std::move(work));
    };
    return {.name = "http-mcp",
            .title = "MCP: POST of a call of a tool, 16 bytes, 64 clients with a call each",
            .unit = "call",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {server_of("partyline, a method that does the same", program::mcp_server, methods)},
            .contenders = {calling("partyline::mcp, in sessions", protocol::mcp_handshake),
                           calling("partyline::mcp, without one", protocol::mcp_stateless)},
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

#endif

} // namespace

std::vector<workload> all_workloads(sizes size)
{
    std::vector<workload> all{echo("http-post", "POST of an echo of 16 bytes, 64 connections with a call each",
                                   posts(1, size(100000, 3000)), 0.85),
                              echo("http-pipelined",
                                   "POST of an echo of 16 bytes, 64 connections with 32 calls pipelined",
                                   posts(32, size(200000, 6400)), 0.15),
                              events(size), idle_connections(size), beside_crowd(size)};
#if PARTYLINE_HAS_MCP
    for (workload each : {through_gateway(size), tool_calls(size), idle_sessions(size)})
        all.push_back(std::move(each));
#endif
    return all;
}

} // namespace bench::http
