#include "gateway/servers.hpp"

#include "command_line/observer.hpp"
#include "command_line/serve_http.hpp"
#include "gateway/child_server.hpp"
#include "gateway/log_line.hpp"
#include "gateway/orphan_reaper.hpp"
#include "gateway/relay.hpp"
#include "gateway/trace_member.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/run_stdio.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;
using partyline::http::time_limits;

namespace gateway {
namespace {

time_limits::duration exit_wait_of(const options& how)
{
    const time_limits::duration part = how.http.server.times.drain / 4;
    return std::clamp<time_limits::duration>(part, std::chrono::milliseconds(100), std::chrono::seconds(2));
}

} // namespace

// Behind --lame-duck-ms the end of all has one time, --http-drain-ms: the servers have a part of it for themselves,
// when requests have had theirs.
time_limits::duration request_time(const options& how)
{
    const time_limits::duration all = how.http.server.times.drain;
    return all - std::min<time_limits::duration>(all / 4, std::chrono::seconds(1));
}

servers::servers(asio::any_io_executor executor, const options& how, const command_line::observer& observer)
    : executor_(std::move(executor)), options_(how), observer_(observer)
{
    const std::shared_ptr<partyline::memory_budget>& all = how.http.server.session.budget;
    if (all)
        kept_ = std::make_shared<partyline::memory_budget>(all->limit() / 8, all);
}

std::shared_ptr<upstream> servers::make(protocol speaks, bool is_shared)
{
    upstream_options how;
    how.open = [this, is_shared](server_use use) {
        child_server_options child;
        child.command = options_.command;
        child.exit_wait = exit_wait_of(options_);
        if (is_shared && options_.retry_after.count() != 0)
            child.retry_after = options_.retry_after;
        return make_child_server(executor_, std::move(child), std::move(use));
    };
    how.speaks = speaks;
    how.is_shared = is_shared;
    how.is_told_peers = options_.tells_peers;
    how.is_told_traces = options_.tells_traces;
    how.observe = observer_.passed_calls();
    how.kept = kept_;
    how.running = &running_;
    how.log = log_line;
    if (is_shared)
        how.on_end = [this](partyline::error_code why) {
            if (!why)
                return;
            have_failed_ = true;
            if (on_failure_)
                on_failure_();
        };
    return std::make_shared<upstream>(executor_, std::move(how));
}

std::shared_ptr<upstream> servers::for_session(protocol speaks)
{
    if (options_.is_shared)
        return shared(speaks);
    return make(speaks, false);
}

// A session over a connection of its own: by WebSocket, or without HTTP. It is not in the book of those that come by
// requests.
std::shared_ptr<const partyline::dispatcher> servers::serve_connection(protocol speaks,
                                                                       partyline::session_options& session)
{
    const partyline::http::mcp_session_limits& bounds = options_.http.server.mcp;
    session.idle_timeout = bounds.idle;
    session.drain_timeout = std::min<time_limits::duration>(std::chrono::seconds(5), request_time(options_));
    std::erase_if(of_connections_, [](const auto& one) { return one.expired(); });
    if (of_connections_.size() >= bounds.sessions)
        throw std::runtime_error("as many servers run for connections as --max-sessions lets");
    std::shared_ptr<upstream> by = for_session(speaks);
    if (!options_.is_shared)
        of_connections_.push_back(by);
    return serve(speaks, std::move(by), session);
}

std::shared_ptr<upstream> servers::shared(protocol speaks)
{
    std::shared_ptr<upstream>& one = speaks == protocol::mcp ? mcp_ : plain_;
    if (!one)
        one = make(speaks, true);
    return one;
}

std::shared_ptr<const partyline::dispatcher> servers::serve(protocol speaks, std::shared_ptr<upstream> by,
                                                            partyline::session_options& session)
{
    const auto client = std::make_shared<relay>(speaks, std::move(by));
    session.profile = &client->profile();
    if (options_.tells_traces)
        read_traces(session);
    return relay::methods_of(client);
}

void servers::add_to(partyline::http::server& http)
{
    http.add_rpc("/rpc", [this](partyline::session_options& session) {
        return serve(protocol::plain, shared(protocol::plain), session);
    });
    const auto plain = [this](partyline::session_options& session) {
        return serve_connection(protocol::plain, session);
    };
    const auto mcp = [this](partyline::session_options& session) { return serve_connection(protocol::mcp, session); };
    partyline::http::forwarding_makers make;
    make.session = [this](partyline::session_options& session) {
        return serve(protocol::mcp, for_session(protocol::mcp), session);
    };
    make.connection = [this](partyline::session_options& session) {
        return serve(protocol::mcp, shared(protocol::mcp), session);
    };
    make.mirrored = [this](std::string_view tool) {
        return mcp_ ? mcp_->mirrored(tool) : partyline::mcp::mirrored_arguments();
    };
    http.add_websocket("/ws", plain);
    http.add_websocket("/mcp/ws", mcp, partyline::http::websocket_kind::mcp);
    http.add_sessions(plain);
    http.add_mcp("/mcp", std::move(make));
}

servers::~servers()
{
    for (const std::shared_ptr<upstream>& one : running_)
        one->release();
}

bool servers::are_well() const
{
    const auto is_well = [](const std::shared_ptr<upstream>& one) { return !one || one->is_well(); };
    return is_well(plain_) && is_well(mcp_) && !partyline::child_process::check(options_.command);
}

void servers::stop()
{
    for (const auto& one : {plain_, mcp_}) {
        if (one)
            one->stop();
    }
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
    servers all(context.get_executor(), how, observer);
    command_line::http_options http = how.http;
    http.server.is_healthy = [&all] { return all.are_well(); };
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
