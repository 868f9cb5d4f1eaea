#include "echo_workloads.hpp"

#include "contenders.hpp"

#include <string>
#include <utility>

namespace bench {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;

workload short_echo(sizes size)
{
    const auto by = [requests = size(200000, 10000)](const char* method) { return echoing(method, 16, requests); };
    return {.name = "echo",
            .title = "Echo of 16 bytes, pipelined",
            .unit = "request",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {yardstick(by("echo"))},
            .contenders = {cat(by("echo")),
                           bench_server("partyline, raw text", by("echo_raw"), {{"ratio", by_build(0.36, 0.31)}}),
                           bench_server("partyline, plain function", by("echo_plain"), {{"ratio", 0.52}}),
                           bench_server("partyline, coroutine", by("echo"), {{"ratio", by_build(0.62, 0.55)}}),
                           bench_server("partyline, asio::awaitable", by("echo_awaitable")),
                           echo_server("partyline-echo, coroutine", by("echo"), {{"ratio", by_build(0.62, 0.55)}}),
                           bench_server("partyline, coroutine, due timer", by("echo_timer"),
                                        {{"ratio", by_build(1.45, 1.3)}}),
                           bench_server("partyline, coroutine, post", by("echo_post"), {{"ratio", 1.25}})},
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

workload long_echo(std::string name, std::string title, std::size_t bytes, std::size_t requests,
                   std::vector<target> targets = {})
{
    return {
        .name = std::move(name),
        .title = std::move(title),
        .unit = "request",
        .shown = {"cpu_us", "per_second", "peak_mib"},
        .compared = "cpu_us",
        .reference = {yardstick(echoing("echo", bytes, requests))},
        .contenders = {cat(echoing("echo", bytes, requests)),
                       bench_server("partyline, raw text", echoing("echo_raw", bytes, requests)),
                       bench_server("partyline, plain function", echoing("echo_plain", bytes, requests)),
                       echo_server("partyline-echo, coroutine", echoing("echo", bytes, requests), std::move(targets))},
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

} // namespace

std::vector<workload> echo_workloads(sizes size)
{
    return {
        short_echo(size),
        framed_echo(size),
        long_echo("echo-1k", "Echo of 1 KiB, pipelined", kibibyte, size(50000, 3000), {{"ratio", 1}, {"peak_mib", 8}}),
        long_echo("echo-64k", "Echo of 64 KiB, pipelined", 64 * kibibyte, size(500, 50), {{"ratio", 1}}),
        long_echo("echo-1m", "Echo of 1 MiB, pipelined", mebibyte, size(100, 4)),
        huge_echo(size),
        batches(size)};
}

} // namespace bench
