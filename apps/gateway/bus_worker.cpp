#include "gateway/bus_worker.hpp"

#include "command_line/bounded_run.hpp"
#include "command_line/closed_descriptors.hpp"
#include "command_line/listening_program.hpp"
#include "command_line/observer.hpp"
#include "gateway/bus_numbers.hpp"
#include "gateway/log_line.hpp"
#include "gateway/orphan_reaper.hpp"
#include "gateway/servers.hpp"
#include "gateway/watched_bus.hpp"

#include <partyline/fleet/worker.hpp>
#include <partyline/mcp/method_names.hpp>
#include <partyline/run_stdio.hpp>
#include <partyline/session/memory_budget.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;
using partyline::session_options;

namespace gateway {
namespace {

partyline::fleet::worker_options worker_options_of(const options& how, servers& all,
                                                   const command_line::observer& observer)
{
    partyline::fleet::worker_options its;
    its.session = how.http.server.session;
    its.session.executor_is_serial = true; // the program has one thread
    its.session.log = log_line;
    its.session.drain_timeout = how.drain;
    observer.observe(its.session);
    its.max_calls = how.max_calls;
    its.session_maker = [&all](session_options& session) { return all.serve_session(session); };
    its.max_sessions = how.http.server.mcp.sessions;
    its.is_ready = [&all] { return all.are_well(); };
    return its;
}

} // namespace

int serve_worker(options how)
{
    if (const partyline::error_code why = partyline::child_process::check(how.command))
        throw std::invalid_argument("cannot start '" + how.command.front() + "': " + why.message());
    command_line::occupy_closed_descriptors();
    if (const std::size_t bytes = how.http.server.memory_bytes; bytes != 0)
        how.http.server.session.budget = std::make_shared<partyline::memory_budget>(bytes);
    if (::getpid() == 1)
        fork_orphan_reaper();
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    asio::io_context context(1);
    servers all(context.get_executor(), how, observer);
    const watched_bus bus(how.bus->network);
    partyline::fleet::worker worker(
        context.get_executor(), bus.get(), how.bus->service,
        [&all](session_options& session) { return all.serve_call(session); }, worker_options_of(how, all, observer));

    const command_line::read_numbers numbers(observer,
                                             [&] { return numbers_of(bus.get().counters(), worker.counters()); });
    command_line::bounded_run running(context, "partyline-gateway", how.drain);
    const auto end = [&] {
        worker.close();
        running.begin_end();
    };
    all.on_failure(end);
    command_line::listening_program::duties duties;
    duties.end = end;
    duties.on_stop = [&running] { running.stop(); };
    command_line::listening_program program(context, "partyline-gateway", *how.http.manager, std::move(duties));
    program.on_listening();
    worker.async_run([&all](partyline::error_code) { all.stop(); });
    running.run();
    return all.have_failed() ? partyline::exit_codes::stream_failed : program.exit_code();
}

} // namespace gateway
