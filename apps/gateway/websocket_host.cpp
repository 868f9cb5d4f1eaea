#include "gateway/websocket_host.hpp"

#include "gateway/message_pump.hpp"
#include "http/client/websocket_stream.hpp"
#include "http/client_settings.hpp"
#include "http/websocket/websocket_framing.hpp"
#include "transport/stdio/stdio_stream.hpp"
#include "transport/stdio/stdio_wire.hpp"

#include <partyline/protocol/message.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string_view>

namespace asio = boost::asio;
namespace http = partyline::http;

namespace gateway {
namespace {

using namespace std::chrono_literals;

// Time for a server to answer what it was asked before the host has ended.
constexpr auto drain_time = 30s;

// How many replies the server owes: what the host has asked for before it ended is waited for.
class open_requests {
public:
    void note_asked(std::string_view text) { count_ += count(text, partyline::message_type::request); }
    void note_answered(std::string_view text) { count_ -= count(text, partyline::message_type::reply); }
    bool empty() const noexcept { return count_ <= 0; }

private:
    int count(std::string_view text, partyline::message_type wanted)
    {
        const partyline::message_type type = reader_.read(text).type;
        if (type != partyline::message_type::batch)
            return type == wanted ? 1 : 0;
        int found = 0;
        for (const std::string_view element : reader_.elements())
            found += reader_.read_element(element).type == wanted ? 1 : 0;
        return found;
    }

    partyline::message_reader reader_{partyline::limits()};
    int count_ = 0;
};

void tell(const partyline::error_code& why)
{
    std::fprintf(stderr, "partyline-gateway: the connection ended: %s\n", why.message().c_str());
}

} // namespace

int serve_host_by_websocket(const remote_address& at)
{
    partyline::stdio_wire wire(true);
    std::signal(SIGPIPE, [](int) {}); // writing fails instead
    asio::io_context context(1);
    const asio::any_io_executor executor = context.get_executor();
    const partyline::limits& bounds = at.how.session.bounds;
    const auto host = std::make_shared<message_pump>(std::make_unique<partyline::stdio_stream>(wire, executor),
                                                     std::make_unique<partyline::line_framing>(bounds));
    const auto server = std::make_shared<message_pump>(
        std::make_unique<http::websocket_stream>(http::connector(executor, at.to, http::connections_of(at.how)),
                                                 std::vector<std::string>{"mcp", "jsonrpc"}),
        std::make_unique<http::websocket_framing>(http::websocket_framing::side::client, bounds,
                                                  http::close_code::normal));
    int code = 0;
    open_requests open;
    bool has_host_ended = false;
    asio::steady_timer drain(executor);
    const auto leave = [&] { host->finish({}, [&] { server->finish({}, [&] { context.stop(); }); }); };
    host->connect(
        server, [&](std::string_view text) { open.note_asked(text); },
        [&](partyline::error_code) {
            has_host_ended = true;
            if (open.empty())
                return leave();
            drain.expires_after(drain_time);
            drain.async_wait([&](partyline::error_code failed) { failed ? void() : leave(); });
        });
    server->connect(
        host,
        [&](std::string_view text) {
            open.note_answered(text);
            if (has_host_ended && open.empty())
                asio::post(executor, leave); // when this one has been passed on
        },
        [&](partyline::error_code why) {
            if (why) {
                tell(why);
                code = partyline::exit_codes::stream_failed;
            }
            host->finish({}, [&] { context.stop(); });
        });
    asio::signal_set signals(context, SIGTERM, SIGINT);
    signals.async_wait([&](partyline::error_code, int signal) {
        code = 128 + signal;
        leave();
    });
    host->start();
    server->start();
    context.run();
    wire.restore();
    return code;
}

} // namespace gateway
