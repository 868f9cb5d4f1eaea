#include "contenders.hpp"

namespace bench {
namespace {

workload typed(std::string method, std::string title, content fill, std::size_t requests,
               std::vector<target> targets = {})
{
    const job work{.how = pipelined, .method = method, .fill = std::move(fill), .requests = requests};
    job raw = work;
    raw.method = "echo_raw";
    raw.echoes = true;
    return {"typed-" + method,
            std::move(title),
            "request",
            speed,
            {yardstick(work)},
            {bench_server("partyline, the same text raw", raw),
             bench_server("partyline, typed", work, std::move(targets))}};
}

workload round_trip(std::string name, std::string more, job work, double ratio)
{
    work.how = ping_pong;
    job raw = work;
    raw.method = "echo_raw";
    return {std::move(name),
            "Round trip of one call at a time, 16 bytes" + more,
            "request",
            {"p50_us", "p90_us", "p99_us", "max_us", "cpu_us"},
            {cat(work)},
            {yardstick(work), bench_server("partyline, raw text", raw),
             echo_server("partyline-echo, coroutine", work, {{"ratio", ratio}})}};
}

contender many_at_once(std::size_t at_once, std::size_t requests, std::vector<target> targets = {})
{
    const job work{.how = in_flight, .method = "delay", .requests = requests, .at_once = at_once};
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
    return {"in-flight",
            "Requests that wait on timers, in bursts",
            "request",
            {"cpu_us", "memory_bytes"},
            {many_at_once(1000, many)},
            {many_at_once(many, many, {{"memory_bytes", 1024}}),
             many_at_once(most, most, {{"cpu_us", 4}, {"ratio", 1.7}})}};
}

workload cancels(sizes size)
{
    constexpr int request_cancelled = -32800;
    const std::size_t requests = size(100000, 10000);
    const auto held = [requests](const char* name, const char* method, std::optional<int> error,
                                 std::vector<target> targets) {
        const job work{
            .how = cancelled, .method = method, .fill = fixed("{}", "true"), .requests = requests, .error = error};
        return with_options(bench_server(name, work, std::move(targets)),
                            "--max-in-flight=" + std::to_string(requests + 1));
    };
    return {"cancel",
            "Cancelling " + grouped(requests) + " requests in flight",
            "cancel",
            {"cpu_us", "memory_bytes"},
            {},
            {held("partyline, handler takes the code and returns", "hold_returning", {}, {{"cpu_us", 3}}),
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
    return {"notify",
            "Progress and other notifications from a handler, 5,000 for one call",
            "notification",
            speed,
            {},
            {sending("partyline, progress", "progress", progress_of(a_call)),
             sending("partyline, notify", "notify", notifications_of(a_call))}};
}

workload pool(sizes size)
{
    constexpr std::uint32_t rounds = 50000; // some 50 µs
    const auto computing = [requests = size(10000, 1000)](const char* name, const char* method) {
        return bench_server(name, {.how = pipelined, .method = method, .fill = work_of(rounds), .requests = requests});
    };
    return {"pool",
            "Handlers that compute, on a pool of 2 threads (not pinned)",
            "request",
            {"per_second", "cpu_us"},
            {computing("partyline, on the session's strand", "work_inline")},
            {computing("partyline, on the pool", "work")}};
}

workload starts()
{
    const job work{.how = starting, .method = "echo"};
    return {"start",           "Start of the process to its first reply",
            "start",           {"start_ms"},
            {yardstick(work)}, {cat(work), echo_server("partyline-echo", work, {{"ratio", 1.15}})}};
}

workload idling(sizes size)
{
    const std::size_t milliseconds = size(10000, 1000);
    const job work{.how = idle, .method = "echo", .at_once = milliseconds};
    return {"idle", "CPU time of an idle server in " + std::to_string(milliseconds / 1000) + " s",
            "run",  {"idle_ms"},
            {},     {echo_server("partyline-echo", work, {{"idle_ms", 1}})}};
}

workload not_pinned(workload measured)
{
    measured.is_pinned = false;
    return measured;
}

} // namespace

// Where the system has another core for the client, a server may stay awake for the next call; on a core of its own, as
// in the other round trip, it never does.
std::vector<workload> method_workloads(sizes size)
{
    const job call = echoing("echo", 16, size(20000, 500));
    return {typed("add", "Typed parameters: the sum of two numbers", two_numbers(), size(200000, 10000)),
            typed("describe", "Typed parameters: a struct with a list and a struct in it, there and back",
                  description(), size(100000, 5000), {{"ratio", 0.6}}),
            with_peers(round_trip("ping-pong", "", call, 1.2)),
            not_pinned(round_trip("ping-pong-free", " (not pinned: the server may stay awake)", call, 0.75)),
            in_rounds(3, waiting(size)),
            cancels(size),
            notifications(size),
            not_pinned(pool(size)),
            with_peers(starts()),
            in_rounds(1, idling(size))};
}

} // namespace bench
