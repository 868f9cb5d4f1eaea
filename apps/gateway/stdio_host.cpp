#include "gateway/stdio_host.hpp"

#include "command_line/observer.hpp"
#include "gateway/log_line.hpp"
#include "gateway/relay.hpp"
#include "gateway/trace_member.hpp"
#include "gateway/upstream.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/run_stdio.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;

namespace gateway {
namespace {

using namespace std::chrono_literals;

// Time for the server to be told that this was all.
constexpr auto linger_time = 5s;

// The server of a host, and the host as its client. It is what the host's session is served by.
class stdio_host : public std::enable_shared_from_this<stdio_host> {
public:
    stdio_host(const asio::any_io_executor& executor, const network_address& at, command_line::call_observer observe)
    {
        const protocol speaks = at.is_websocket() ? protocol::either : protocol::mcp;
        upstream_options how;
        how.open = [&](server_use use) { return make_network_server(executor, at, std::move(use)); };
        how.speaks = speaks;
        how.is_told_traces = at.is_told_traces;
        how.observe = std::move(observe);
        how.waits_for_client = true;
        how.ends_clients = true;
        how.running = &running_;
        how.on_end = [this](partyline::error_code why) { has_failed_ = static_cast<bool>(why); };
        how.log = log_line;
        server_ = std::make_shared<upstream>(executor, std::move(how));
        client_ = std::make_shared<relay>(speaks, server_);
    }

    const partyline::profile& profile() const noexcept { return client_->profile(); }
    std::shared_ptr<const partyline::dispatcher> methods()
    {
        methods_ = relay::methods_of(client_);
        return {shared_from_this(), methods_.get()};
    }
    void leave() { server_->stop(); }
    bool has_failed() const noexcept { return has_failed_; }

private:
    running_servers running_;
    bool has_failed_ = false;
    std::shared_ptr<upstream> server_;
    std::shared_ptr<relay> client_;
    std::shared_ptr<const partyline::dispatcher> methods_;
};

} // namespace

int serve_host(const network_address& at, const command_line::telemetry_options& observed)
{
    const command_line::observer observer(observed, "partyline-gateway", {partyline::mcp::method_names(), true});
    std::weak_ptr<stdio_host> known; // it goes with the executor
    partyline::stdio_options how;
    how.session.bounds = at.how.session.bounds;
    observer.observe(how.session);
    how.session.close_timeout = 0s; // the host has its own reasons to go on saying something
    how.linger = linger_time;
    bool has_failed = false;
    how.on_session_end = [&](const partyline::session_counters&) {
        const auto host = known.lock();
        has_failed = host->has_failed();
        host->leave();
    };
    const auto make = [&](const asio::any_io_executor& executor, partyline::session_options& session) {
        network_address to = at;
        if (at.login)
            to.how.tokens = command_line::start_login(executor, at.url, *at.login, log_line);
        const auto host = std::make_shared<stdio_host>(executor, to, observer.passed_calls());
        known = host;
        session.profile = &host->profile();
        if (at.is_told_traces)
            read_traces(session);
        return host->methods();
    };
    const int code = partyline::run_stdio(make, std::move(how));
    return code == partyline::exit_codes::success && has_failed ? partyline::exit_codes::stream_failed : code;
}

} // namespace gateway
