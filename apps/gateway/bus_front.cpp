#include "gateway/bus_front.hpp"

#include "command_line/observer.hpp"
#include "gateway/bus_numbers.hpp"
#include "gateway/bus_relay.hpp"
#include "gateway/kept_bytes.hpp"
#include "gateway/of_each_thread.hpp"
#include "gateway/relay.hpp"
#include "gateway/serve_clients.hpp"
#include "gateway/shared_front.hpp"
#include "gateway/trace_member.hpp"
#include "gateway/watched_bus.hpp"

#include <partyline/mcp/method_names.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

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
partyline::served_methods maker_of_calls(std::shared_ptr<shared_front> front, const options& how, protocol speaks)
{
    return [front = std::move(front), &how, speaks](session_options& session) {
        return serve(session, std::make_shared<bus_relay>(speaks, front, std::nullopt), how);
    };
}

// A connection that may have a session of MCP, which ends as those do that come by requests.
partyline::served_methods maker_of_connections(std::shared_ptr<shared_front> front, const options& how, protocol speaks)
{
    return [front = std::move(front), &how, speaks](session_options& session) {
        session.idle_timeout = how.http.server.mcp.idle;
        return serve(session, std::make_shared<bus_relay>(speaks, front, session_client{session.peer}), how);
    };
}

partyline::served_methods maker_of_sessions(std::shared_ptr<shared_front> front, const options& how)
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
    partyline::http::forwarding_makers mcp{maker_of_sessions(front, how), maker_of_calls(front, how, protocol::mcp)};
    mcp.mirrored = [front](std::string_view tool) { return front->tools()->mirrored(tool); };
    http.add_rpc("/rpc", maker_of_calls(front, how, protocol::plain));
    http.add_websocket("/ws", maker_of_connections(front, how, protocol::either));
    http.add_websocket("/mcp/ws", maker_of_connections(front, how, protocol::mcp),
                       partyline::http::websocket_kind::mcp);
    http.add_sessions(maker_of_connections(front, how, protocol::either));
    http.add_mcp("/mcp", std::move(mcp));
}

partyline::fleet::front_totals totals_of(const of_each_thread<shared_front>& fronts)
{
    partyline::fleet::front_totals all;
    fronts.each([&all](shared_front& one) { add(all, one.calls().counters()); });
    return all;
}

// A part of what a front takes. What clients have over HTTP and WebSocket is bounded there, where an idle session makes
// room for a new one; so here a client may have as many sessions as calls.
partyline::fleet::front_options bounds_of_thread(std::size_t threads)
{
    partyline::fleet::front_options bounds;
    bounds.max_calls = std::max<std::size_t>(1, bounds.max_calls / threads);
    bounds.max_sessions_per_client = std::max<std::size_t>(1, bounds.max_calls / 2);
    bounds.max_bytes /= threads;
    return bounds;
}

// The context runs until the sessions of all threads have ended: workers are to hear of it.
void close(const of_each_thread<shared_front>& fronts, asio::io_context& context)
{
    fronts.each([](shared_front& one) { one.calls().close(); });
    fronts.end(context, [](shared_front& its, std::shared_ptr<const void> until_over) {
        its.lasting().keep_until_over(std::move(until_over));
    });
}

} // namespace

int serve_front(options how)
{
    prepare(how);
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    // Both are used by further threads until the context has gone.
    const watched_bus bus(how.bus->network);
    const front_settings settings{how, observer.passed_calls(), part_for_kept(how.http.server.session.budget)};
    asio::io_context context(1);
    of_each_thread<shared_front> fronts;
    std::optional<command_line::read_numbers> numbers; // once there are all
    command_line::http_service service;
    service.add = [&](partyline::http::server& server) {
        const partyline::fleet::front_options bounds = bounds_of_thread(server.threads());
        fronts.add_to(server, [&](partyline::http::server& of_thread, const asio::any_io_executor& executor) {
            partyline::fleet::front calls(executor, bus.get(), how.bus->service, bounds);
            const auto its = std::make_shared<shared_front>(executor, std::move(calls), settings);
            serve_calls(of_thread, its, how);
            return its;
        });
        numbers.emplace(observer, [&] { return numbers_of(bus.get().counters(), totals_of(fronts)); });
    };
    service.on_end = [&] { close(fronts, context); };
    return serve_clients(context, how, observer, [&bus] { return bus.is_well(); }, std::move(service));
}

} // namespace gateway
