#include "gateway/serve_clients.hpp"

#include "gateway/orphan_reaper.hpp"
#include "gateway/servers.hpp"

#include <partyline/session/memory_budget.hpp>
#include <partyline/transport/child_process.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;

namespace gateway {

void prepare(options& how)
{
    if (const std::size_t bytes = how.http.server.memory_bytes; bytes != 0)
        how.http.server.session.budget = std::make_shared<partyline::memory_budget>(bytes);
    if (how.command.empty())
        return;
    if (const partyline::error_code why = partyline::child_process::check(how.command))
        throw std::invalid_argument("cannot start '" + how.command.front() + "': " + why.message());
    if (::getpid() == 1)
        fork_orphan_reaper();
}

int serve_clients(asio::io_context& context, const options& how, const command_line::observer& observer,
                  std::function<bool()> is_healthy, command_line::http_service service)
{
    command_line::http_options http = how.http;
    http.server.is_healthy = std::move(is_healthy);
    http.server.times.drain = request_time(how);
    observer.observe(http.server.session);
    http.server.access = observer.counted(http.access);
    service.longest_end = how.http.server.times.lame_duck + how.http.server.times.drain;
    service.watch = observer.watch();
    return command_line::serve_http(context, http, "partyline-gateway", service);
}

} // namespace gateway
