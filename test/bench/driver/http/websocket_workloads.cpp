#include "websocket_workloads.hpp"

#include "bench/driver/wire.hpp"
#include "contenders.hpp"
#include "measure.hpp"

#include <string>
#include <utility>

namespace bench::http {
namespace {

contender beast_websocket(job work)
{
    return reached_by(service::websocket,
                      server_of("Beast, without JSON-RPC", program::beast_websocket, std::move(work)));
}

contender partyline_websocket(job work, std::vector<target> targets)
{
    return reached_by(service::websocket,
                      server_of("partyline-echo", program::echo_server, std::move(work), std::move(targets)));
}

workload echo(std::string name, std::string title, const job& work)
{
    return {.name = std::move(name),
            .title = std::move(title),
            .unit = "call",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {beast_websocket(work)},
            .contenders = {partyline_websocket(work, {{"ratio", 0.6}})},
            .has_peers = true};
}

workload idle(sizes size)
{
    constexpr double at_most = 6 * 1024;
    const std::size_t count = size(10000, 500);
    const job work{.over_port = holding_connections, .method = "echo", .idle = count};
    return {.name = "websocket-idle",
            .title = "WebSocket: " + grouped(count) + " idle connections, after one call over each",
            .unit = "connection",
            .shown = {"each_bytes"},
            .compared = "each_bytes",
            .reference = {beast_websocket(work)},
            .contenders = {for_many(partyline_websocket(work, {{"each_bytes", at_most}}))},
            .max_rounds = 3};
}

} // namespace

std::vector<workload> websocket_workloads(sizes size)
{
    return {echo("websocket-echo", "WebSocket: an echo of 16 bytes, 64 connections with a call each",
                 posts(1, size(100000, 3000))),
            echo("websocket-pipelined", "WebSocket: an echo of 16 bytes, 64 connections with 32 calls pipelined",
                 posts(32, size(400000, 6400))),
            idle(size)};
}

} // namespace bench::http
