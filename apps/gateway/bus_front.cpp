#include "gateway/bus_front.hpp"

#include "command_line/observer.hpp"
#include "command_line/serve_http.hpp"
#include "gateway/bus_relay.hpp"
#include "gateway/servers.hpp"
#include "gateway/trace_member.hpp"
#include "gateway/watched_bus.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/session/memory_budget.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
using partyline::session_options;

namespace gateway {
namespace {

void serve_calls(partyline::http::server& http, const std::shared_ptr<shared_front>& front, bool reads_traces)
{
    const auto maker = [front, reads_traces](protocol speaks) {
        return [front, reads_traces, speaks](session_options& session) {
            const auto client = std::make_shared<bus_relay>(speaks, front);
            session.profile = &client->profile();
            if (reads_traces)
                read_traces(session);
            return bus_relay::methods_of(client);
        };
    };
    partyline::http::forwarding_makers mcp;
    mcp.session = mcp.connection = maker(protocol::mcp);
    mcp.mirrored = [front](std::string_view tool) { return front->tools().mirrored(tool); };
    http.add_rpc("/rpc", maker(protocol::plain));
    http.add_websocket("/ws", maker(protocol::plain));
    http.add_websocket("/mcp/ws", maker(protocol::mcp), partyline::http::websocket_kind::mcp);
    http.add_sessions(maker(protocol::plain));
    http.add_mcp("/mcp", std::move(mcp));
}

} // namespace

int serve_front(options how)
{
    if (const std::size_t bytes = how.http.server.memory_bytes; bytes != 0)
        how.http.server.session.budget = std::make_shared<partyline::memory_budget>(bytes);
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    asio::io_context context(1);
    const watched_bus bus(how.bus->network);
    const auto front = std::make_shared<shared_front>(
        partyline::fleet::front(context.get_executor(), bus.get(), how.bus->service), observer.passed_calls());
    command_line::http_options http = how.http;
    http.server.times.drain = request_time(how);
    http.server.is_healthy = [&bus] { return bus.is_well(); };
    observer.observe(http.server.session);
    http.server.access = observer.counted(http.access);
    command_line::http_service service;
    service.add = [&](partyline::http::server& server) { serve_calls(server, front, how.tells_traces); };
    service.on_end = [&front] { front->calls().close(); };
    const auto& times = how.http.server.times;
    service.longest_end = times.lame_duck + times.drain;
    service.watch = observer.watch();
    return command_line::serve_http(context, http, "partyline-gateway", service);
}

} // namespace gateway
