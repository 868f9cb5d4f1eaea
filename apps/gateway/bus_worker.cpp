#include "gateway/bus_worker.hpp"

#include "command_line/bounded_run.hpp"
#include "command_line/closed_descriptors.hpp"
#include "command_line/listening_program.hpp"
#include "command_line/observer.hpp"
#include "gateway/bus_numbers.hpp"
#include "gateway/log_line.hpp"
#include "gateway/serve_clients.hpp"
#include "gateway/servers.hpp"
#include "gateway/watched_bus.hpp"

#include <partyline/fleet/worker.hpp>
#include <partyline/mcp/method_names.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>

#include <memory>
#include <utility>

namespace asio = boost::asio;
using partyline::session_options;

namespace gateway {
namespace {

partyline::fleet::worker_options worker_options_of(const options& how, servers& all,
                                                   const std::shared_ptr<const server_totals>& totals,
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
    its.is_ready = [totals] { return totals->are_well(); };
    return its;
}

} // namespace

int serve_worker(options how)
{
    command_line::occupy_closed_descriptors();
    prepare(how);
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    asio::io_context context(1);
    const auto totals = std::make_shared<server_totals>(how);
    servers all(context.get_executor(), how, observer, totals);
    const watched_bus bus(how.bus->network);
    partyline::fleet::worker worker(
        context.get_executor(), bus.get(), how.bus->service,
        [&all](session_options& session) { return all.serve_call(session); },
        worker_options_of(how, all, totals, observer));
    const command_line::read_numbers numbers(observer,
                                             [&] { return numbers_of(bus.get().counters(), worker.counters()); });
    command_line::bounded_run running(context, "partyline-gateway", how.drain);
    const auto end = [&] {
        worker.close();
        running.begin_end();
    };
    totals->on_failure(end);
    command_line::listening_program::duties duties;
    duties.end = end;
    duties.on_stop = [&running] { running.stop(); };
    command_line::listening_program program(context, "partyline-gateway", *how.http.manager, std::move(duties));
    program.on_listening();
    worker.async_run([&all](partyline::error_code) { all.stop(); });
    running.run();
    return totals->have_failed() ? partyline::exit_codes::stream_failed : program.exit_code();
}

} // namespace gateway
