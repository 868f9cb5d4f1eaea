#include "gateway/servers.hpp"

#include "gateway/log_line.hpp"
#include "gateway/relay.hpp"
#include "gateway/trace_member.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <utility>

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

servers::servers(asio::any_io_executor executor, const options& how, const command_line::observer& observer,
                 std::shared_ptr<server_totals> totals)
    : executor_(std::move(executor)), options_(how), observer_(observer), totals_(std::move(totals)),
      tools_(std::make_shared<listed_tools>(executor_))
{
}

child_server_options servers::child_options(bool is_shared) const
{
    child_server_options how;
    how.command = options_.command;
    how.exit_wait = exit_wait_of(options_);
    if (!is_shared)
        return how;
    if (options_.retry_after.count() != 0)
        how.retry_after = options_.retry_after;
    how.on_given_up = [totals = totals_](bool is_given_up) {
        is_given_up ? totals->note_given_up() : totals->note_sound();
    };
    return how;
}

std::shared_ptr<upstream> servers::make(protocol speaks, bool is_shared, server_totals::place taken)
{
    upstream_options how;
    how.open = [this, is_shared](server_use use) {
        return make_child_server(executor_, child_options(is_shared), std::move(use));
    };
    how.speaks = speaks;
    how.is_shared = is_shared;
    how.is_told_peers = options_.tells_peers;
    how.is_told_traces = options_.tells_traces;
    how.observe = observer_.passed_calls();
    how.kept = totals_->kept();
    how.running = &running_;
    how.log = log_line;
    if (is_shared && speaks == protocol::mcp) // a worker's are asked for by its fronts
        how.tools = tools_;
    if (is_shared)
        how.on_end = [totals = totals_](partyline::error_code why) {
            if (why)
                totals->note_failure();
        };
    how.taken = std::move(taken);
    return std::make_shared<upstream>(executor_, std::move(how));
}

std::shared_ptr<upstream> servers::for_session(protocol speaks)
{
    return options_.is_shared ? shared(speaks) : make(speaks, false, nullptr);
}

// A session over a connection of its own: by WebSocket, or without HTTP. It is not in the book of those that come by
// requests.
std::shared_ptr<const partyline::dispatcher> servers::serve_connection(protocol speaks,
                                                                       partyline::session_options& session)
{
    session.idle_timeout = options_.http.server.mcp.idle;
    session.drain_timeout = std::min<time_limits::duration>(std::chrono::seconds(5), request_time(options_));
    if (options_.is_shared)
        return serve(speaks, shared(speaks), session);
    server_totals::place taken = totals_->take_place();
    if (!taken)
        throw std::runtime_error("as many servers run for connections as --max-sessions lets");
    return serve(speaks, make(speaks, false, std::move(taken)), session);
}

std::shared_ptr<upstream> servers::shared(protocol speaks)
{
    std::shared_ptr<upstream>& one = speaks == protocol::mcp ? mcp_ : plain_;
    if (!one)
        one = make(speaks, true, nullptr);
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
    partyline::http::forwarding_makers make{
        [this](partyline::session_options& session) {
            return serve(protocol::mcp, for_session(protocol::mcp), session);
        },
        [this](partyline::session_options& session) { return serve(protocol::mcp, shared(protocol::mcp), session); }};
    make.mirrored = [this](std::string_view tool) { return tools_->mirrored(tool); };
    http.add_websocket("/ws", plain);
    http.add_websocket("/mcp/ws", mcp, partyline::http::websocket_kind::mcp);
    http.add_sessions(plain);
    http.add_mcp("/mcp", std::move(make));
}

void servers::stop(std::shared_ptr<const void> until_over)
{
    for (const auto& one : {plain_, mcp_}) {
        if (one)
            one->stop();
    }
    running_.keep_until_empty(std::move(until_over));
}

} // namespace gateway
