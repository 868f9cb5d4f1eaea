#include "connection.hpp"

#include "command_line/line_log.hpp"

#include <partyline/http/client.hpp>
#include <partyline/tls/connect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;

namespace call {
namespace {

// Cancels an operation when its time is over. The timer's handler may run when this is no more.
class time_limit {
public:
    time_limit(const asio::any_io_executor& executor, duration most) : timer_(executor)
    {
        if (most == duration::zero())
            return;
        timer_.expires_after(most);
        timer_.async_wait([limited = std::weak_ptr(limited_)](boost::system::error_code stopped) {
            const std::shared_ptr<operation> still = limited.lock();
            if (stopped || !still)
                return;
            still->is_too_late = true;
            still->cancel.emit(asio::cancellation_type::all);
        });
    }

    auto token() { return asio::bind_cancellation_slot(limited_->cancel.slot(), asio::as_tuple(asio::use_awaitable)); }

    void check(boost::system::error_code failed, const std::string& server) const
    {
        if (failed)
            throw std::runtime_error("cannot connect to " + server + ": " +
                                     (limited_->is_too_late ? "it takes too long" : failed.message()));
    }

private:
    struct operation {
        asio::cancellation_signal cancel;
        bool is_too_late = false;
    };

    const std::shared_ptr<operation> limited_ = std::make_shared<operation>();
    asio::steady_timer timer_;
};

server_stream start_server(const asio::any_io_executor& executor, destination server)
{
    partyline::child_process child(executor, std::move(server.command), std::move(server.child));
    auto report = child.report();
    return {std::move(child), std::move(report)};
}

void say_line(std::string_view line)
{
    command_line::say("partyline-call: " + std::string(line));
}

struct converse_by {
    partyline::session_options& how;

    template <class Stream>
    partyline::session operator()(Stream& over) const
    {
        return partyline::session(std::move(over), std::move(how));
    }
    partyline::session operator()(network_server& at) const
    {
        at.how.session = std::move(how);
        return partyline::http::open_session(at.executor, at.url, std::move(at.how));
    }
};

} // namespace

asio::awaitable<server_stream> open_stream(asio::any_io_executor executor, destination server, duration most)
{
    if (!server.command.empty())
        co_return start_server(executor, std::move(server));

    if (!server.url.empty()) {
        if (most != duration::zero())
            server.network.connect_timeout =
                std::min(server.network.connect_timeout, std::chrono::ceil<std::chrono::milliseconds>(most));
        if (server.login)
            server.network.tokens = command_line::start_login(executor, server.url, *server.login, say_line);
        co_return server_stream{network_server{executor, std::move(server.url), std::move(server.network)}, nullptr};
    }
    time_limit limit(executor, most);
    if (server.tls) {
        auto [failed, stream] = co_await partyline::tls::async_connect(executor, server.tcp->host, server.tcp->port,
                                                                       *server.tls, limit.token());
        limit.check(failed, to_string(*server.tcp));
        co_return server_stream{std::move(stream), nullptr};
    }
    if (server.tcp) {
        auto [failed, socket] =
            co_await partyline::async_connect_tcp(executor, server.tcp->host, server.tcp->port, limit.token());
        limit.check(failed, to_string(*server.tcp));
        co_return server_stream{std::move(socket), nullptr};
    }
    auto [failed, socket] = co_await partyline::async_connect_unix(executor, server.unix_path, limit.token());
    limit.check(failed, server.unix_path);
    co_return server_stream{std::move(socket), nullptr};
}

asio::awaitable<connection> open_connection(asio::any_io_executor executor, destination server,
                                            partyline::session_options how, duration most)
{
    server_stream opened = co_await open_stream(std::move(executor), std::move(server), most);
    partyline::session session = std::visit(converse_by(how), opened.stream);
    co_return connection{std::move(session), std::move(opened.child)};
}

} // namespace call
