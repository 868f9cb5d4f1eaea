#include "tls_workloads.hpp"

#include "bench/driver/wire.hpp"
#include "contenders.hpp"
#include "measure.hpp"

#include <string>
#include <utility>

namespace bench::http {
namespace {

contender asio_tls(job work)
{
    return reached_by(service::tls, server_of("asio::ssl, without JSON-RPC", program::asio_tls, std::move(work)));
}

contender partyline(std::string name, service served, job work, std::vector<target> targets = {})
{
    return reached_by(served, server_of(std::move(name), program::echo_server, std::move(work), std::move(targets)));
}

workload echo(std::string name, std::string title, contender reference, contender ours)
{
    return {.name = std::move(name),
            .title = std::move(title),
            .unit = "call",
            .shown = {"cpu_us", "per_second", "peak_mib"},
            .compared = "cpu_us",
            .reference = {std::move(reference)},
            .contenders = {std::move(ours)}};
}

// Calls that go by lines.
workload session_echo(std::string name, std::string title, const job& work)
{
    return echo(std::move(name), std::move(title), asio_tls(work),
                partyline("partyline-echo", service::tls, work, {{"ratio", 1.1}}));
}

workload post_echo(std::string name, std::string title, const job& work)
{
    contender beast =
        reached_by(service::https_rpc, server_of("Beast over asio::ssl, without JSON-RPC", program::beast_https, work));
    return echo(std::move(name), std::move(title), std::move(beast),
                partyline("partyline-echo", service::https_rpc, work, {{"ratio", 1}}));
}

workload idle(std::string name, const std::string& after, service served, sizes size)
{
    constexpr double at_most = 20 * 1024;
    const std::size_t count = size(10000, 300);
    const job work{.over_port = holding_connections, .method = "echo", .idle = count};
    return {.name = std::move(name),
            .title = "TLS 1.3: " + grouped(count) + " idle connections, after one " + after + " over each",
            .unit = "connection",
            .shown = {"each_bytes"},
            .compared = "each_bytes",
            .reference = {asio_tls(work)},
            .contenders = {for_many(partyline("partyline-echo", served, work, {{"each_bytes", at_most}}))},
            .max_rounds = 3};
}

} // namespace

std::vector<workload> tls_workloads(sizes size)
{
    const job one = posts(1, size(100000, 3000));
    const job many = posts(32, size(400000, 6400));
    return {
        session_echo("https-session", "TLS 1.3: an echo of 16 bytes by lines, 64 connections with a call each", one),
        session_echo("https-session-pipelined",
                     "TLS 1.3: an echo of 16 bytes by lines, 64 connections with 32 calls pipelined", many),
        post_echo("https-post", "TLS 1.3: POST of an echo of 16 bytes, 64 connections with a call each", one),
        idle("https-idle-session", "call by a line", service::tls, size),
        idle("https-idle-post", "POST", service::https_rpc, size)};
}

} // namespace bench::http
