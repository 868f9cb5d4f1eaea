#include "contenders.hpp"

namespace bench {

job echoing(std::string method, std::size_t bytes, std::size_t requests)
{
    return {.how = pipelined, .method = std::move(method), .fill = text_of(bytes), .requests = requests};
}

job posts(std::size_t at_once, std::size_t requests)
{
    job made = echoing("echo", 16, requests);
    made.at_once = at_once;
    made.connections = 64;
    return made;
}

job tool_calls(protocol spoken, job work)
{
    work.method = "tools/call";
    work.fill = tool_call(spoken, 16);
    work.like = likeness::of_tool;
    return work;
}

contender cat(job work)
{
    work.method = "echo";
    return {"cat", program::cat, std::move(work)};
}

contender yardstick(job work)
{
    work.method = "echo";
    work.echoes = true;
    return {"yardstick", program::yardstick, std::move(work)};
}

contender echo_server(std::string name, job work, std::vector<target> targets)
{
    return {std::move(name), program::echo_server, std::move(work), std::move(targets)};
}

contender bench_server(std::string name, job work, std::vector<target> targets)
{
    return {std::move(name), program::bench_server, std::move(work), std::move(targets)};
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

contender reached_by(service served, contender server)
{
    server.served = served;
    return server;
}

contender for_many(contender server)
{
    return with_options(std::move(server), "--max-connections=20000 --max-connections-per-address=20000");
}

workload with_peers(workload measured)
{
    measured.has_peers = true;
    return measured;
}

workload in_rounds(std::size_t most, workload measured)
{
    measured.max_rounds = most;
    return measured;
}

} // namespace bench
