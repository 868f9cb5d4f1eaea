#include "gateway/websocket_host.hpp"

#include "command_line/end_signals.hpp"
#include "command_line/line_log.hpp"
#include "gateway/message_pump.hpp"
#include "gateway/open_requests.hpp"
#include "http/client/websocket_stream.hpp"
#include "http/client_settings.hpp"
#include "http/websocket/websocket_framing.hpp"
#include "transport/stdio/stdio_stream.hpp"
#include "transport/stdio/stdio_wire.hpp"
#include "transport/stream/liveness_rule.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace http = partyline::http;
using partyline::error_code;
using partyline::frame;

namespace gateway {
namespace {

using namespace std::chrono_literals;

// Time for a server to answer what it was asked before the host has ended.
constexpr auto drain_time = 30s;

// ... and of that what it was told to cancel: most servers answer such a request at once, and some never.
constexpr auto cancelled_time = 2s;

// Time for what there is to go out at the end.
constexpr auto leave_time = 5s;

std::shared_ptr<message_pump> connect_host(partyline::stdio_wire& wire, asio::io_context& context,
                                           const partyline::limits& bounds)
{
    return std::make_shared<message_pump>(std::make_unique<partyline::stdio_stream>(wire, context.get_executor()),
                                          std::make_unique<partyline::line_framing>(bounds));
}

std::shared_ptr<message_pump> connect_server(const remote_address& at, asio::io_context& context,
                                             const partyline::limits& bounds)
{
    http::connector by(context.get_executor(), at.to, http::connections_of(at.how));
    return std::make_shared<message_pump>(
        std::make_unique<http::websocket_stream>(std::move(by), std::vector<std::string>{"mcp", "jsonrpc"}),
        std::make_unique<http::websocket_framing>(http::websocket_framing::side::client, bounds,
                                                  http::close_code::normal));
}

// A host and its server, from the first message to the end of either.
class websocket_host {
public:
    websocket_host(partyline::stdio_wire& wire, const remote_address& at)
        : wire_(wire), open_(at.how.session.bounds), host_(connect_host(wire, context_, at.how.session.bounds)),
          server_(connect_server(at, context_, at.how.session.bounds))
    {
        const partyline::session_options& how = at.how.session;
        server_->watch(context_.get_executor(),
                       {how.ping_interval.value_or(partyline::usual_ping_interval), std::chrono::steady_clock::now()},
                       {how.write_stall.value_or(partyline::usual_write_stall), how.write_stall_bytes});
    }

    int run()
    {
        host_->connect(
            server_, [this](const frame& come) { return take_from_host(come); }, [this](error_code) { on_host_end(); });
        server_->connect(
            host_, [this](const frame& come) { return take_from_server(come); },
            [this](error_code why) { on_server_end(why); });
        const command_line::end_signals signals(context_, at_signal());
        host_->start();
        server_->start();
        context_.run();
        return signals.first() == 0 ? code_ : 128 + signals.first();
    }

private:
    bool take_from_host(const frame& come)
    {
        const std::string refused = open_.note_asked(come);
        if (!refused.empty())
            host_->send(refused);
        return refused.empty() && !come.is_oversize;
    }

    bool take_from_server(const frame& come)
    {
        if (come.is_oversize || !come.problem.empty())
            return false; // which ends the connection
        if (is_leaving_)
            return false; // what it would reply to was answered here
        open_.note_answered(come.text);
        if (has_host_ended_)
            asio::post(context_, [this] { leave_if_done(); }); // when this one has been passed on
        return true;
    }

    void on_host_end()
    {
        has_host_ended_ = true;
        leave_if_done();
        drain_.expires_after(drain_time);
        drain_.async_wait([this](error_code failed) { failed ? void() : leave(); });
        cancelled_.expires_after(cancelled_time);
        cancelled_.async_wait([this](error_code failed) {
            waits_for_cancelled_ = false;
            failed ? void() : leave_if_done();
        });
    }

    void leave_if_done()
    {
        if (open_.empty() || (!waits_for_cancelled_ && open_.are_cancelled()))
            leave();
    }

    void on_server_end(error_code why)
    {
        const std::string said = partyline::printable(server_->close_reason());
        if (!why && !open_.empty())
            why = partyline::errc::peer_closed;
        if (why || !said.empty()) {
            std::string told = why ? why.message() : "the server has closed it";
            told += said.empty() ? "" : ": " + said;
            command_line::say("partyline-gateway: the connection ended: " + told);
            code_ = code_ == 0 ? partyline::exit_codes::stream_failed : code_;
        }
        answer_unanswered();
        limit_end();
        host_->finish({}, [this] { context_.stop(); });
    }

    void answer_unanswered()
    {
        for (const std::string& failure : open_.take_failures())
            host_->send(failure);
    }

    void leave()
    {
        if (std::exchange(is_leaving_, true))
            return;
        answer_unanswered();
        limit_end();
        host_->finish({}, [this] { server_->finish({}, [this] { context_.stop(); }); });
    }

    // Whoever does not take what there is for it is not waited for.
    void limit_end()
    {
        limit_.expires_after(leave_time);
        limit_.async_wait([this](error_code failed) { failed ? void() : context_.stop(); });
    }

    command_line::end_signals::duties at_signal()
    {
        command_line::end_signals::duties result;
        result.ask = [this](int) { leave(); };
        result.on_exit = [this] { wire_.restore_flags(); };
        return result;
    }

    partyline::stdio_wire& wire_;
    asio::io_context context_{1};
    asio::steady_timer drain_{context_};
    asio::steady_timer cancelled_{context_};
    asio::steady_timer limit_{context_};
    open_requests open_;
    std::shared_ptr<message_pump> host_;
    std::shared_ptr<message_pump> server_;
    int code_ = 0;
    bool has_host_ended_ = false;
    bool waits_for_cancelled_ = true;
    bool is_leaving_ = false;
};

} // namespace

int serve_host_by_websocket(const remote_address& at)
{
    partyline::stdio_wire wire(true);
    const int code = websocket_host(wire, at).run();
    wire.restore();
    return code;
}

} // namespace gateway
