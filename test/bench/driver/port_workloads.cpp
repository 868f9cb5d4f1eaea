#include "contenders.hpp"

namespace bench {
namespace {

// A server of others that gives back what it gets.
contender returning(service served, job work)
{
    switch (served) {
    case service::websocket: return {"Beast, without JSON-RPC", program::beast_websocket, std::move(work)};
    case service::tls: return {"asio::ssl, without JSON-RPC", program::asio_tls, std::move(work)};
    case service::https_rpc: return {"Beast over asio::ssl, without JSON-RPC", program::beast_https, std::move(work)};
    default: return {"Beast, without JSON-RPC", program::beast, std::move(work)};
    }
}

contender partyline(service served, std::string name, job work, std::vector<target> targets = {})
{
    return reached_by(served, echo_server(std::move(name), std::move(work), std::move(targets)));
}

workload echo(service served, std::string name, std::string title, const job& work, double ratio)
{
    return {std::move(name),
            std::move(title),
            "call",
            speed_and_peak,
            {reached_by(served, returning(served, work))},
            {partyline(served, "partyline-echo", work, {{"ratio", ratio}})}};
}

// Lines over TLS are what all that is idle over TLS is measured against.
workload idle(service served, std::string name, std::string before, std::size_t count, std::string after,
              double each_bytes)
{
    const job work{.how = holding_connections, .method = "echo", .idle = count};
    const service beside = facts_of(served).is_encrypted ? service::tls : served;
    return in_rounds(3, {std::move(name),
                         before + grouped(count) + " idle connections, after one " + after + " over each",
                         "connection",
                         {"each_bytes"},
                         {reached_by(beside, returning(beside, work))},
                         {for_many(partyline(served, "partyline-echo", work, {{"each_bytes", each_bytes}}))}});
}

// A result in parts of 16 bytes. (Progress would not do: where the client is behind, the latest takes the place of
// others.)
workload events(sizes size)
{
    constexpr std::size_t a_call = 5000;
    const job work{.how = notifying,
                   .method = "parts",
                   .fill = fixed(R"({"count":5000,"bytes":16})", R"({"parts":5000})"),
                   .requests = size(40, 4),
                   .at_once = a_call};
    return {"http-events",
            "Notifications from a handler as events of a stream, 5,000 for one call",
            "notification",
            speed,
            {partyline(service::tcp, "partyline-echo, a line each on TCP", work)},
            {partyline(service::http_rpc, "partyline-echo, an event each", work, {{"ratio", 1.5}}),
             partyline(service::streams, "partyline-echo, a line each on pipes", work)}};
}

workload beside_connections(sizes size)
{
    const std::size_t count = size(10000, 500);
    job work = posts(1, size(10000, 500));
    work.how = beside_idle;
    const contender alone = for_many(partyline(service::http_rpc, "partyline-echo, alone", work));
    work.idle = count;
    return {"http-crowd",
            "1,000 calls a second beside " + grouped(count) + " idle connections and " + grouped(count / 100) +
                " that send a head byte by byte",
            "call",
            {"p99_us", "p50_us", "max_us", "cpu_us"},
            {alone},
            {for_many(partyline(service::http_rpc, "partyline-echo, beside them", work, {{"ratio", 2}}))}};
}

} // namespace

std::vector<workload> http_workloads(sizes size)
{
    const auto post = service::http_rpc;
    return {
        with_peers(echo(post, "http-post", "POST of an echo of 16 bytes, 64 connections with a call each",
                        posts(1, size(100000, 3000)), 0.85)),
        with_peers(echo(post, "http-pipelined", "POST of an echo of 16 bytes, 64 connections with 32 calls pipelined",
                        posts(32, size(200000, 6400)), 0.15)),
        events(size), idle(post, "http-idle", "", size(10000, 500), "POST", 2048), beside_connections(size)};
}

std::vector<workload> websocket_workloads(sizes size)
{
    const auto websocket = service::websocket;
    const std::string before = "WebSocket: ";
    return {
        with_peers(echo(websocket, "websocket-echo", before + "an echo of 16 bytes, 64 connections with a call each",
                        posts(1, size(100000, 3000)), 0.6)),
        with_peers(echo(websocket, "websocket-pipelined",
                        before + "an echo of 16 bytes, 64 connections with 32 calls pipelined",
                        posts(32, size(400000, 6400)), 0.6)),
        idle(websocket, "websocket-idle", before, size(10000, 500), "call", 6 * 1024)};
}

std::vector<workload> tls_workloads(sizes size)
{
    const std::string before = "TLS 1.3: ";
    const std::size_t count = size(10000, 300);
    const job one = posts(1, size(100000, 3000));
    return {echo(service::tls, "https-session",
                 before + "an echo of 16 bytes by lines, 64 connections with a call each", one, 1.1),
            echo(service::tls, "https-session-pipelined",
                 before + "an echo of 16 bytes by lines, 64 connections with 32 calls pipelined",
                 posts(32, size(400000, 6400)), 1.1),
            echo(service::https_rpc, "https-post",
                 before + "POST of an echo of 16 bytes, 64 connections with a call each", one, 1),
            idle(service::tls, "https-idle-session", before, count, "call by a line", 20 * 1024),
            idle(service::https_rpc, "https-idle-post", before, count, "POST", 20 * 1024)};
}

} // namespace bench
