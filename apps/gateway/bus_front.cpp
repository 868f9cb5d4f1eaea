#include "gateway/bus_front.hpp"

#include "command_line/observer.hpp"
#include "command_line/serve_http.hpp"
#include "gateway/bus_numbers.hpp"
#include "gateway/bus_relay.hpp"
#include "gateway/end_of_thread.hpp"
#include "gateway/kept_bytes.hpp"
#include "gateway/relay.hpp"
#include "gateway/servers.hpp"
#include "gateway/trace_member.hpp"
#include "gateway/watched_bus.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/session/memory_budget.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using partyline::session_options;

namespace gateway {
namespace {

std::shared_ptr<const partyline::dispatcher> serve(session_options& session, const std::shared_ptr<bus_relay>& client,
                                                   const options& how)
{
    session.profile = &client->profile();
    if (how.tells_traces)
        read_traces(session);
    return bus_relay::methods_of(client);
}

// Requests of whoever sends them.
partyline::http::conversation_maker maker_of_calls(std::shared_ptr<shared_front> front, const options& how,
                                                   protocol speaks)
{
    return [front = std::move(front), &how, speaks](session_options& session) {
        return serve(session, std::make_shared<bus_relay>(speaks, front, std::nullopt), how);
    };
}

// A connection that may have a session of MCP, which ends as those do that come by requests.
partyline::http::conversation_maker maker_of_connections(std::shared_ptr<shared_front> front, const options& how,
                                                         protocol speaks)
{
    return [front = std::move(front), &how, speaks](session_options& session) {
        session.idle_timeout = how.http.server.mcp.idle;
        return serve(session, std::make_shared<bus_relay>(speaks, front, session_client{session.peer}), how);
    };
}

partyline::http::conversation_maker maker_of_sessions(std::shared_ptr<shared_front> front, const options& how)
{
    return [front = std::move(front), &how](session_options& session) {
        const auto client = std::make_shared<relay>(protocol::mcp, front->lasting().for_session(session.peer));
        session.profile = &client->profile();
        if (how.tells_traces)
            read_traces(session);
        return relay::methods_of(client);
    };
}

void serve_calls(partyline::http::server& http, const std::shared_ptr<shared_front>& front, const options& how)
{
    partyline::http::forwarding_makers mcp;
    mcp.session = maker_of_sessions(front, how);
    mcp.connection = maker_of_calls(front, how, protocol::mcp);
    mcp.mirrored = [front](std::string_view tool) { return front->tools()->mirrored(tool); };
    http.add_rpc("/rpc", maker_of_calls(front, how, protocol::plain));
    http.add_websocket("/ws", maker_of_connections(front, how, protocol::either));
    http.add_websocket("/mcp/ws", maker_of_connections(front, how, protocol::mcp),
                       partyline::http::websocket_kind::mcp);
    http.add_sessions(maker_of_connections(front, how, protocol::either));
    http.add_mcp("/mcp", std::move(mcp));
}

partyline::fleet::front_totals totals_of(const std::vector<std::shared_ptr<shared_front>>& fronts)
{
    partyline::fleet::front_totals all;
    for (const std::shared_ptr<shared_front>& one : fronts)
        add(all, one->calls().counters());
    return all;
}

// A part of what a front takes.
partyline::fleet::front_options bounds_of_thread(partyline::http::server& server)
{
    std::size_t threads = 0;
    server.add_by_thread([&](partyline::http::server&, const asio::any_io_executor&) { ++threads; });
    partyline::fleet::front_options bounds;
    bounds.max_calls = std::max<std::size_t>(1, bounds.max_calls / threads);
    bounds.max_bytes /= threads;
    return bounds;
}

// The context runs until the sessions of all threads have ended: workers are to hear of it.
void close(const std::vector<std::shared_ptr<shared_front>>& fronts, asio::io_context& context)
{
    const auto running =
        std::make_shared<asio::executor_work_guard<asio::io_context::executor_type>>(context.get_executor());
    for (const std::shared_ptr<shared_front>& one : fronts) {
        one->calls().close();
        asio::post(one->lasting().get_executor(), [one, running] { one->lasting().stop(running); });
    }
}

} // namespace

int serve_front(options how)
{
    if (const std::size_t bytes = how.http.server.memory_bytes; bytes != 0)
        how.http.server.session.budget = std::make_shared<partyline::memory_budget>(bytes);
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    const watched_bus bus(how.bus->network); // further threads ask for its health until the context has gone
    asio::io_context context(1);
    const front_settings settings{how, observer.passed_calls(), part_for_kept(how.http.server.session.budget)};
    std::vector<std::shared_ptr<shared_front>> fronts; // one for each thread
    std::optional<command_line::read_numbers> numbers; // once there are all
    command_line::http_options http = how.http;
    http.server.times.drain = request_time(how);
    http.server.is_healthy = [&bus] { return bus.is_well(); };
    observer.observe(http.server.session);
    http.server.access = observer.counted(http.access);
    command_line::http_service service;
    service.add = [&](partyline::http::server& server) {
        std::vector<std::shared_ptr<listed_tools>> tools;
        const partyline::fleet::front_options bounds = bounds_of_thread(server);
        server.add_by_thread([&](partyline::http::server& of_thread, const asio::any_io_executor& executor) {
            partyline::fleet::front calls(executor, bus.get(), how.bus->service, bounds);
            const auto front = std::make_shared<shared_front>(executor, std::move(calls), settings);
            serve_calls(of_thread, front, how);
            tools.push_back(front->tools());
            if (!fronts.empty())
                keep_until_end(executor, front);
            fronts.push_back(front);
        });
        listed_tools::connect(tools);
        numbers.emplace(observer, [&] { return numbers_of(bus.get().counters(), totals_of(fronts)); });
    };
    service.on_end = [&] { close(fronts, context); };
    const auto& times = how.http.server.times;
    service.longest_end = times.lame_duck + times.drain;
    service.watch = observer.watch();
    return command_line::serve_http(context, http, "partyline-gateway", service);
}

} // namespace gateway
