#include "gateway/thread_servers.hpp"

#include "command_line/observer.hpp"
#include "command_line/serve_http.hpp"
#include "gateway/end_of_thread.hpp"
#include "gateway/orphan_reaper.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/run_stdio.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;

namespace gateway {
thread_servers::thread_servers(asio::io_context& context, const options& how, const command_line::observer& observer)
    : context_(context), options_(how), observer_(observer), totals_(servers::make_totals(how))
{
}

void thread_servers::add_to(partyline::http::server& http)
{
    std::vector<std::shared_ptr<listed_tools>> tools;
    http.add_by_thread([&](partyline::http::server& part, const asio::any_io_executor& executor) {
        const auto its = std::make_shared<servers>(executor, options_, observer_, totals_);
        its->add_to(part);
        tools.push_back(its->tools());
        if (!threads_.empty())
            keep_until_end(executor, its);
        threads_.push_back({executor, its});
    });
    listed_tools::connect(tools);
}

std::function<bool()> thread_servers::health() const
{
    return [totals = totals_, command = options_.command] {
        return totals->are_well() && !partyline::child_process::check(command);
    };
}

void thread_servers::on_failure(std::function<void()> told)
{
    totals_->on_failure([&context = context_, told = std::move(told)] { asio::post(context, told); });
}

void thread_servers::stop()
{
    const auto running =
        std::make_shared<asio::executor_work_guard<asio::io_context::executor_type>>(context_.get_executor());
    for (const of_thread& one : threads_)
        asio::post(one.executor, [its = one.its, running] { its->stop(running); });
}

int serve(options how)
{
    if (const partyline::error_code why = partyline::child_process::check(how.command))
        throw std::invalid_argument("cannot start '" + how.command.front() + "': " + why.message());
    if (const std::size_t bytes = how.http.server.memory_bytes; bytes != 0)
        how.http.server.session.budget = std::make_shared<partyline::memory_budget>(bytes);
    if (::getpid() == 1)
        fork_orphan_reaper();
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    asio::io_context context(1);
    thread_servers all(context, how, observer);
    command_line::http_options http = how.http;
    http.server.is_healthy = all.health();
    http.server.times.drain = request_time(how);
    observer.observe(http.server.session);
    http.server.access = observer.counted(http.access);
    command_line::http_service service;
    service.add = [&all](partyline::http::server& server) { all.add_to(server); };
    service.on_begin = [&all](std::function<void()> end) { all.on_failure(std::move(end)); };
    service.on_end = [&all] { all.stop(); };
    service.longest_end = how.http.server.times.lame_duck + how.http.server.times.drain;
    service.watch = observer.watch();
    const int code = command_line::serve_http(context, http, "partyline-gateway", service);
    return all.have_failed() ? partyline::exit_codes::stream_failed : code;
}

} // namespace gateway
