#include "workloads.hpp"

#include "bench/driver/wire.hpp"
#include "contenders.hpp"
#include "mcp_workloads.hpp"
#include "measure.hpp"
#include "tls_workloads.hpp"
#include "websocket_workloads.hpp"

#include <string>
#include <utility>

namespace bench::http {
namespace {

contender beast(job work)
{
    return server_of("Beast, without JSON-RPC", program::beast, std::move(work));
}

contender partyline(std::string name, job work, std::vector<target> targets = {})
{
    return server_of(std::move(name), program::echo_server, std::move(work), std::move(targets));
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

workload beside_connections(sizes size)
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

} // namespace

std::vector<workload> all_workloads(sizes size)
{
    std::vector<workload> all{echo("http-post", "POST of an echo of 16 bytes, 64 connections with a call each",
                                   posts(1, size(100000, 3000)), 0.85),
                              echo("http-pipelined",
                                   "POST of an echo of 16 bytes, 64 connections with 32 calls pipelined",
                                   posts(32, size(200000, 6400)), 0.15),
                              events(size), idle_connections(size), beside_connections(size)};
#if PARTYLINE_HAS_MCP
    for (workload& each : mcp_workloads(size))
        all.push_back(std::move(each));
#endif
    for (workload& each : websocket_workloads(size))
        all.push_back(std::move(each));
    for (workload& each : tls_workloads(size))
        all.push_back(std::move(each));
    return all;
}

} // namespace bench::http
