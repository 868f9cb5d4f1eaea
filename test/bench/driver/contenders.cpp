#include "contenders.hpp"

#include <utility>

namespace bench {

double by_build(double plain, double profiled)
{
    return PARTYLINE_HAS_PROFILE ? profiled : plain;
}

job echoing(std::string method, std::size_t bytes, std::size_t requests)
{
    return {.how = pipelined, .method = std::move(method), .fill = text_of(bytes), .requests = requests};
}

contender cat(job work)
{
    work.method = "echo";
    return {.name = "cat", .which = program::cat, .work = std::move(work)};
}

contender yardstick(job work)
{
    work.method = "echo";
    work.echoes = true;
    return {.name = "yardstick", .which = program::yardstick, .work = std::move(work)};
}

contender echo_server(std::string name, job work, std::vector<target> targets)
{
    return {
        .name = std::move(name), .which = program::echo_server, .work = std::move(work), .targets = std::move(targets)};
}

contender bench_server(std::string name, job work, std::vector<target> targets)
{
    return {.name = std::move(name),
            .which = program::bench_server,
            .work = std::move(work),
            .targets = std::move(targets)};
}

contender with_options(contender server, std::string options)
{
    server.options = std::move(options);
    return server;
}

contender by_length(contender server)
{
    server.how = framing::content_length;
    return with_options(std::move(server), "--framing=content-length");
}

} // namespace bench
