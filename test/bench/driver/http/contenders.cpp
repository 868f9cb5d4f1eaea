#include "contenders.hpp"

#include "measure.hpp"

#include <utility>

namespace bench::http {

job posts(std::size_t at_once, std::size_t requests)
{
    return {.over_port = posting,
            .method = "echo",
            .fill = text_of(16),
            .requests = requests,
            .at_once = at_once,
            .connections = connections};
}

contender server_of(std::string name, program which, job work, std::vector<target> targets)
{
    return {.name = std::move(name),
            .which = which,
            .work = std::move(work),
            .targets = std::move(targets),
            .served = service::http_rpc};
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

} // namespace bench::http
