#include "workloads.hpp"

#include "contenders.hpp"
#include "quote.hpp"

#include <utility>

namespace bench {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;

// The sizes of one run: `--quick` is over in seconds.
class sizes {
public:
    explicit sizes(bool is_quick) : is_quick_(is_quick) {}
    std::size_t operator()(std::size_t full, std::size_t quick) const { return is_quick_ ? quick : full; }

private:
    bool is_quick_;
};

const std::vector<std::string> speed = {"cpu_us", "per_second"};

workload short_echo(sizes size)
{
    const auto by = [requests = size(200000, 10000)](const char* method) { return echoing(method, 16, requests); };
    return {.name = "echo",
            .title = "Echo of 16 bytes, pipelined",
            .unit = "request",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {yardstick(by("echo"))},
            .contenders = {cat(by("echo")), bench_server("partyline, raw text", by("echo_raw"), {{"ratio", 0.3}}),
                           bench_server("partyline, plain function", by("echo_plain"), {{"ratio", 0.5}}),
                           bench_server("partyline, coroutine", by("echo"), {{"ratio", 0.6}}),
                           echo_server("partyline-echo, coroutine", by("echo"), {{"ratio", 0.6}}),
                           bench_server("partyline, coroutine, due timer", by("echo_timer"), {{"ratio", 1.35}}),
                           bench_server("partyline, coroutine, post", by("echo_post"))},
            .has_peers = true};
}

// What the headers cost: the peers, which know no other framing, have the same reference.
workload framed_echo(sizes size)
{
    const job work = echoing("echo", 16, size(200000, 10000));
    return {
        .name = "content-length",
        .title = "Echo of 16 bytes behind a Content-Length header, and one a line",
        .unit = "request",
        .shown = {"cpu_us", "per_second", "peak_mib"},
        .compared = "cpu_us",
        .reference = {bench_server("partyline, coroutine, one a line", work)},
        .contenders = {by_length(bench_server("partyline, coroutine, Content-Length", work, {{"ratio", 1.15}})),
                       by_length(echo_server("partyline-echo, coroutine, Content-Length", work, {{"ratio", 1.15}}))},
        .has_peers = true};
}

workload long_echo(std::string name, std::string title, std::size_t bytes, std::size_t requests)
{
    return {.name = std::move(name),
            .title = std::move(title),
            .unit = "request",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {yardstick(echoing("echo", bytes, requests))},
            .contenders = {cat(echoing("echo", bytes, requests)),
                           bench_server("partyline, raw text", echoing("echo_raw", bytes, requests)),
                           bench_server("partyline, plain function", echoing("echo_plain", bytes, requests)),
                           echo_server("partyline-echo, coroutine", echoing("echo", bytes, requests))},
            .has_peers = bytes == 64 * kibibyte};
}

workload huge_echo(sizes size)
{
    const std::size_t bytes = size(64, 8) * mebibyte;
    const std::string raised = "--max-message-bytes=" + std::to_string(bytes + mebibyte);
    const job work = echoing("echo", bytes, 1);
    return {.name = "echo-64m",
            .title = "Echo of " + std::to_string(bytes / mebibyte) + " MiB",
            .unit = "request",
            .shown = {"wall_ms", "cpu_us", "peak_mib", "peak_per_message"},
            .compared = "wall_ms",
            .reference = {yardstick(work)},
            .contenders = {with_options(bench_server("partyline, raw text", echoing("echo_raw", bytes, 1)), raised),
                           with_options(echo_server("partyline-echo, coroutine", work,
                                                    {{"ratio", 0.9}, {"peak_per_message", 3.2}}),
                                        raised)}};
}

workload batches(sizes size)
{
    constexpr std::size_t a_batch = 1000;
    const std::size_t requests = size(200000, 10000);
    job batched = echoing("echo", 16, requests);
    batched.at_once = a_batch;
    job batched_raw = batched;
    batched_raw.method = "echo_raw";
    return {.name = "batch",
            .title = "Echo of 16 bytes in batches of 1,000 (the yardstick knows none: one by one)",
            .unit = "request",
            .shown = speed,
            .compared = "cpu_us",
            .reference = {yardstick(echoing("echo", 16, requests))},
            .contenders = {bench_server("partyline, raw text", batched_raw),
                           echo_server("partyline-echo, coroutine", batched)}};
}

workload typed(std::string method, std::string title, content fill, std::size_t requests)
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
            .contenders = {bench_server("partyline, the same text raw", raw), bench_server("partyline, typed", work)}};
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
            .contenders = {many_at_once(many, many, {{"memory_bytes", 1.8 * kibibyte}}),
                           many_at_once(most, most, {{"ratio", 1.2}})},
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
    return {.name = "cancel",
            .title = "Cancelling " + grouped(requests) + " requests in flight",
            .unit = "cancel",
            .shown = {"cpu_us", "memory_bytes"},
            .compared = {},
            .reference = {},
            .contenders = {held("partyline, handler takes the code and returns", "hold_returning", {}, {{"cpu_us", 3}}),
                           held("partyline, handler takes the code and throws", "hold", request_cancelled, {}),
                           held("partyline, handler lets the exception through", "hold_throwing", request_cancelled,
                                {{"cpu_us", 12}})}};
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
            .compared = {},
            .reference = {},
            .contenders = {cat(work), yardstick(work), echo_server("partyline-echo", work, {{"start_ms", 5}})},
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
    return {short_echo(size),
            framed_echo(size),
            long_echo("echo-1k", "Echo of 1 KiB, pipelined", kibibyte, size(50000, 3000)),
            long_echo("echo-64k", "Echo of 64 KiB, pipelined", 64 * kibibyte, size(500, 50)),
            long_echo("echo-1m", "Echo of 1 MiB, pipelined", mebibyte, size(100, 4)),
            huge_echo(size),
            batches(size),
            typed("add", "Typed parameters: the sum of two numbers", two_numbers(), size(200000, 10000)),
            typed("describe", "Typed parameters: a struct with a list and a struct in it, there and back",
                  description(), size(100000, 5000)),
            round_trip(size),
            waiting(size),
            cancels(size),
            notifications(size),
            pool(size),
            starts(size),
            idling(size)};
}

} // namespace bench
