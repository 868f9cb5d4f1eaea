#include "contenders.hpp"

namespace bench {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;

workload short_echo(sizes size)
{
    const auto by = [requests = size(200000, 10000)](const char* method) { return echoing(method, 16, requests); };
    return {"echo",
            "Echo of 16 bytes, pipelined",
            "request",
            speed_and_peak,
            {yardstick(by("echo"))},
            {cat(by("echo")), bench_server("partyline, raw text", by("echo_raw"), {{"ratio", by_build(0.36, 0.31)}}),
             bench_server("partyline, plain function", by("echo_plain"), {{"ratio", 0.52}}),
             bench_server("partyline, coroutine", by("echo"), {{"ratio", by_build(0.62, 0.55)}}),
             bench_server("partyline, asio::awaitable", by("echo_awaitable")),
             echo_server("partyline-echo, coroutine", by("echo"), {{"ratio", by_build(0.62, 0.55)}}),
             bench_server("partyline, coroutine, due timer", by("echo_timer"), {{"ratio", by_build(1.45, 1.3)}}),
             bench_server("partyline, coroutine, post", by("echo_post"), {{"ratio", 1.25}})}};
}

// What the headers cost: the peers, which know no other framing, have the same reference.
workload framed_echo(sizes size)
{
    const job work = echoing("echo", 16, size(200000, 10000));
    return {"content-length",
            "Echo of 16 bytes behind a Content-Length header, and one a line",
            "request",
            speed_and_peak,
            {bench_server("partyline, coroutine, one a line", work)},
            {by_length(bench_server("partyline, coroutine, Content-Length", work, {{"ratio", 1.15}})),
             by_length(echo_server("partyline-echo, coroutine, Content-Length", work, {{"ratio", 1.15}}))}};
}

workload long_echo(std::string name, std::string title, std::size_t bytes, std::size_t requests,
                   std::vector<target> targets = {})
{
    const job work = echoing("echo", bytes, requests);
    return {std::move(name),
            std::move(title),
            "request",
            speed_and_peak,
            {yardstick(work)},
            {cat(work), bench_server("partyline, raw text", echoing("echo_raw", bytes, requests)),
             bench_server("partyline, plain function", echoing("echo_plain", bytes, requests)),
             echo_server("partyline-echo, coroutine", work, std::move(targets))}};
}

workload huge_echo(sizes size)
{
    const std::size_t bytes = size(64, 8) * mebibyte;
    const std::string raised = "--max-message-bytes=" + std::to_string(bytes + mebibyte);
    const job work = echoing("echo", bytes, 1);
    return {"echo-64m",
            "Echo of " + std::to_string(bytes / mebibyte) + " MiB",
            "request",
            {"wall_ms", "cpu_us", "peak_mib", "peak_per_message"},
            {yardstick(work)},
            {with_options(bench_server("partyline, raw text", echoing("echo_raw", bytes, 1)), raised),
             with_options(echo_server("partyline-echo, coroutine", work, {{"ratio", 0.9}, {"peak_per_message", 3.2}}),
                          raised)}};
}

workload batches(sizes size)
{
    const auto by = [requests = size(200000, 10000)](const char* method, std::size_t batch) {
        job made = echoing(method, 16, requests);
        made.batch = batch;
        return made;
    };
    return {"batch",
            "Echo of 16 bytes in batches of 1,000 (the yardstick knows none: one by one)",
            "request",
            speed,
            {yardstick(by("echo", 0))},
            {bench_server("partyline, raw text", by("echo_raw", 1000)),
             echo_server("partyline-echo, coroutine", by("echo", 1000))}};
}

} // namespace

std::vector<workload> echo_workloads(sizes size)
{
    return {
        with_peers(short_echo(size)),
        with_peers(framed_echo(size)),
        long_echo("echo-1k", "Echo of 1 KiB, pipelined", kibibyte, size(50000, 3000), {{"ratio", 1}, {"peak_mib", 8}}),
        with_peers(long_echo("echo-64k", "Echo of 64 KiB, pipelined", 64 * kibibyte, size(500, 50), {{"ratio", 1}})),
        long_echo("echo-1m", "Echo of 1 MiB, pipelined", mebibyte, size(100, 4)),
        huge_echo(size),
        batches(size)};
}

} // namespace bench
