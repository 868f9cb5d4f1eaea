#include "workloads.hpp"

#include "bench/driver/http/workloads.hpp"
#include "contenders.hpp"
#include "echo_workloads.hpp"
#include "mcp_workloads.hpp"
#include "wire.hpp"

#include <utility>

namespace bench {
namespace {

workload typed(std::string method, std::string title, content fill, std::size_t requests,
               std::vector<target> targets = {})
{
    const job work{.how = pipelined, .method = method, .fill = std::move(fill), .requests = requests};
    job raw = work;
    raw.method = "echo_raw";
    raw.echoes = true;
    return {.name = "typed-" + method,
            .title = std::move(title),
            .unit = "request",
            .shown = speed,
            .compared = "cpu_us",
            .reference = {yardstick(work)},
            .contenders = {bench_server("partyline, the same text raw", raw),
                           bench_server("partyline, typed", work, std::move(targets))}};
}

workload round_trip(sizes size)
{
    const job work{.how = ping_pong, .method = "echo", .fill = text_of(16), .requests = size(20000, 500)};
    job raw = work;
    raw.method = "echo_raw";
    return {.name = "ping-pong",
            .title = "Round trip of one call at a time, 16 bytes",
            .unit = "request",
            .shown = {"p50_us", "p90_us", "p99_us", "max_us", "cpu_us"},
            .compared = "p50_us",
            .reference = {cat(work)},
            .contenders = {yardstick(work), bench_server("partyline, raw text", raw),
                           echo_server("partyline-echo, coroutine", work, {{"ratio", 1.2}})},
            .has_peers = true};
}

// Where the system has another core for the client, a server may stay awake for the next call; on a core of its own, as
// in the other round trip, it never does.
workload free_round_trip(sizes size)
{
    workload made = round_trip(size);
    made.name = "ping-pong-free";
    made.title = "Round trip of one call at a time, 16 bytes (not pinned: the server may stay awake)";
    made.is_pinned = false;
    made.has_peers = false;
    for (contender& server : made.contenders) {
        if (server.which == program::echo_server)
            server.targets = {{"ratio", 0.75}};
    }
    return made;
}

contender many_at_once(std::size_t at_once, std::size_t requests, std::vector<target> targets = {})
{
    const job work{.how = in_flight, .method = "delay", .fill = {}, .requests = requests, .at_once = at_once};
    contender made = bench_server("partyline, " + grouped(at_once) + " at once", work, std::move(targets));
    if (at_once > 1000) // one more is asked when they are
        made.options = "--max-in-flight=" + std::to_string(at_once + 1);
    if (at_once > 500000)
        made.options += " --max-in-flight-bytes=1073741824";
    return made;
}

workload waiting(sizes size)
{
    const std::size_t many = size(100000, 10000);
    const std::size_t most = size(1000000, 30000);
    return {.name = "in-flight",
            .title = "Requests that wait on timers, in bursts",
            .unit = "request",
            .shown = {"cpu_us", "memory_bytes"},
            .compared = "cpu_us",
            .reference = {many_at_once(1000, size(100000, 10000))},
            .contenders = {many_at_once(many, many, {{"memory_bytes", 1024}}),
                           many_at_once(most, most, {{"cpu_us", 4}, {"ratio", 1.7}})},
            .max_rounds = 3};
}

workload cancels(sizes size)
{
    constexpr int request_cancelled = -32800;
    const std::size_t requests = size(100000, 10000);
    const auto held = [requests](const char* name, const char* method, std::optional<int> error,
                                 std::vector<target> targets) {
        const job work{
            .how = cancelled, .method = method, .fill = nothing_for("true"), .requests = requests, .error = error};
        return with_options(bench_server(name, work, std::move(targets)),
                            "--max-in-flight=" + std::to_string(requests + 1));
    };
    return {
        .name = "cancel",
        .title = "Cancelling " + grouped(requests) + " requests in flight",
        .unit = "cancel",
        .shown = {"cpu_us", "memory_bytes"},
        .compared = {},
        .reference = {},
        .contenders = {
            held("partyline, handler takes the code and returns", "hold_returning", {}, {{"cpu_us", 3}}),
            held("partyline, handler takes the code and throws", "hold", request_cancelled, {}),
            held("partyline, handler lets the exception through", "hold_throwing", request_cancelled, {{"cpu_us", 4}}),
            held("partyline, handler's frame is dropped", "hold_dropped", request_cancelled, {{"cpu_us", 1.5}})}};
}

workload notifications(sizes size)
{
    constexpr std::size_t a_call = 5000;
    const auto sending = [calls = size(40, 4)](const char* name, const char* method, content fill) {
        return bench_server(
            name, {.how = notifying, .method = method, .fill = std::move(fill), .requests = calls, .at_once = a_call});
    };
    return {.name = "notify",
            .title = "Progress and other notifications from a handler, 5,000 for one call",
            .unit = "notification",
            .shown = speed,
            .compared = {},
            .reference = {},
            .contenders = {sending("partyline, progress", "progress", progress_of(a_call)),
                           sending("partyline, notify", "notify", notifications_of(a_call))}};
}

workload pool(sizes size)
{
    constexpr std::uint32_t rounds = 50000; // some 50 µs
    const auto computing = [requests = size(10000, 1000)](const char* name, const char* method) {
        return bench_server(name, {.how = pipelined, .method = method, .fill = work_of(rounds), .requests = requests});
    };
    return {.name = "pool",
            .title = "Handlers that compute, on a pool of 2 threads (not pinned)",
            .unit = "request",
            .shown = {"per_second", "cpu_us"},
            .compared = "per_second",
            .reference = {computing("partyline, on the session's strand", "work_inline")},
            .contenders = {computing("partyline, on the pool", "work")},
            .is_pinned = false};
}

workload starts(sizes)
{
    const job work{.how = starting, .method = "echo"};
    return {.name = "start",
            .title = "Start of the process to its first reply",
            .unit = "start",
            .shown = {"start_ms"},
            .compared = "start_ms",
            .reference = {yardstick(work)},
            .contenders = {cat(work), echo_server("partyline-echo", work, {{"ratio", 1.15}})},
            .has_peers = true};
}

workload idling(sizes size)
{
    const std::size_t milliseconds = size(10000, 1000);
    const job work{.how = idle, .method = "echo", .at_once = milliseconds};
    return {.name = "idle",
            .title = "CPU time of an idle server in " + std::to_string(milliseconds / 1000) + " s",
            .unit = "run",
            .shown = {"idle_ms"},
            .compared = {},
            .reference = {},
            .contenders = {echo_server("partyline-echo", work, {{"idle_ms", 1}})},
            .max_rounds = 1};
}

} // namespace

std::vector<workload> all_workloads(bool is_quick)
{
    const sizes size(is_quick);
    std::vector<workload> all = echo_workloads(size);
#if PARTYLINE_HAS_MCP
    for (workload& each : mcp_workloads(size))
        all.push_back(std::move(each));
#endif
    for (workload each : {typed("add", "Typed parameters: the sum of two numbers", two_numbers(), size(200000, 10000)),
                          typed("describe", "Typed parameters: a struct with a list and a struct in it, there and back",
                                description(), size(100000, 5000), {{"ratio", 0.6}}),
                          round_trip(size), free_round_trip(size), waiting(size), cancels(size), notifications(size),
                          pool(size), starts(size), idling(size)})
        all.push_back(std::move(each));
    for (workload& each : http::all_workloads(size))
        all.push_back(std::move(each));
    return all;
}

} // namespace bench
