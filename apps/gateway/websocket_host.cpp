#include "gateway/websocket_host.hpp"

#include "gateway/message_pump.hpp"
#include "http/client/websocket_stream.hpp"
#include "http/client_settings.hpp"
#include "http/websocket/websocket_framing.hpp"
#include "session/requests/error_replies.hpp"
#include "transport/stdio/stdio_stream.hpp"
#include "transport/stdio/stdio_wire.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace http = partyline::http;

namespace gateway {
namespace {

using namespace std::chrono_literals;

// Time for a server to answer what it was asked before the host has ended.
constexpr auto drain_time = 30s;

// Time for what there is to go out at the end.
constexpr auto leave_time = 5s;

std::string error_reply(std::string_view id, const partyline::error_object& error)
{
    partyline::byte_buffer out;
    partyline::write_error(out, id, error, partyline::limits().depth);
    return std::string(out.view());
}

// The requests of the host that the server owes a reply: what was asked before the host has ended is waited for.
class open_requests {
public:
    void note_asked(std::string_view text)
    {
        for_each(text, partyline::message_type::request, [this](std::string_view id) { ids_.emplace(id); });
    }
    void note_answered(std::string_view text)
    {
        for_each(text, partyline::message_type::reply, [this](std::string_view id) { ids_.erase(std::string(id)); });
    }
    bool empty() const noexcept { return ids_.empty(); }
    /// What each of them is answered where the server has gone.
    std::vector<std::string> failures() const
    {
        std::vector<std::string> all;
        for (const std::string& id : ids_)
            all.push_back(error_reply(id, {partyline::error_codes::internal_error, "The server did not answer", {}}));
        return all;
    }

private:
    template <class Take>
    void for_each(std::string_view text, partyline::message_type wanted, Take take)
    {
        const partyline::message& m = reader_.read(text);
        if (m.type == wanted)
            take(m.id);
        if (m.type != partyline::message_type::batch)
            return;
        for (const std::string_view element : reader_.elements()) {
            const partyline::message& each = reader_.read_element(element);
            if (each.type == wanted)
                take(each.id);
        }
    }

    partyline::message_reader reader_{partyline::limits()};
    std::set<std::string> ids_;
};

// What to say to a host's frame that no server could take: its end of WebSocket would break over bytes that are no text.
std::string answer_unsent(const partyline::frame& come, partyline::message_reader& reader,
                          const partyline::limits& bounds)
{
    if (come.is_oversize)
        return come.looks_like_response
                   ? std::string()
                   : error_reply(come.id, partyline::oversize_error(bounds.message_bytes, come.size));
    if (!come.problem.empty())
        return error_reply({}, partyline::header_error(come.problem));
    const partyline::defect& problem = reader.read(come.text).problem;
    return problem.what == partyline::defect::kind::not_json ? error_reply({}, partyline::defect_error(problem))
                                                             : std::string();
}

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
    partyline::message_reader reader(bounds);
    bool has_host_ended = false;
    asio::steady_timer drain(executor);
    asio::steady_timer bound(executor);
    const auto stop = [&] { context.stop(); };
    // Whoever does not take what there is for it is not waited for.
    const auto begin_end = [&] {
        bound.expires_after(leave_time);
        bound.async_wait([&](partyline::error_code failed) { failed ? void() : stop(); });
    };
    const auto leave = [&] {
        begin_end();
        host->finish({}, [&] { server->finish({}, stop); });
    };
    host->connect(
        server,
        [&](const partyline::frame& come) {
            const std::string answer = answer_unsent(come, reader, bounds);
            if (!answer.empty())
                host->send(answer);
            else
                open.note_asked(come.text);
            return answer.empty() && !come.is_oversize;
        },
        [&](partyline::error_code) {
            has_host_ended = true;
            if (open.empty())
                return leave();
            drain.expires_after(drain_time);
            drain.async_wait([&](partyline::error_code failed) { failed ? void() : leave(); });
        });
    server->connect(
        host,
        [&](const partyline::frame& come) {
            if (come.is_oversize || !come.problem.empty())
                return false; // which ends the connection
            open.note_answered(come.text);
            if (has_host_ended && open.empty())
                asio::post(executor, leave); // when this one has been passed on
            return true;
        },
        [&](partyline::error_code why) {
            if (why || !open.empty()) {
                tell(why ? why : make_error_code(partyline::errc::peer_closed));
                code = code == 0 ? partyline::exit_codes::stream_failed : code;
            }
            for (const std::string& failure : open.failures())
                host->send(failure);
            begin_end();
            host->finish({}, stop);
        });
    asio::signal_set signals(context, SIGTERM, SIGINT);
    const std::function<void()> wait_signal = [&] {
        signals.async_wait([&](partyline::error_code failed, int signal) {
            if (failed)
                return;
            if (std::exchange(code, 128 + signal) > 128)
                return stop(); // the second one
            leave();
            wait_signal();
        });
    };
    wait_signal();
    host->start();
    server->start();
    context.run();
    wire.restore();
    return code;
}

} // namespace gateway
