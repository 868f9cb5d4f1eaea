#include "connection.hpp"

#include <partyline/connect.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace call {
namespace {

// Cancels an operation when its time is over.
class time_limit {
public:
    time_limit(const asio::any_io_executor& executor, duration most) : timer_(executor)
    {
        if (most == duration::zero())
            return;
        timer_.expires_after(most);
        timer_.async_wait([this](boost::system::error_code stopped) {
            is_over_ = !stopped;
            if (is_over_)
                cancel_.emit(asio::cancellation_type::all);
        });
    }

    auto token() { return asio::bind_cancellation_slot(cancel_.slot(), asio::as_tuple(asio::use_awaitable)); }

    void check(boost::system::error_code failed, const std::string& server) const
    {
        if (failed)
            throw std::runtime_error("cannot connect to " + server + ": " +
                                     (is_over_ ? "it takes too long" : failed.message()));
    }

private:
    asio::cancellation_signal cancel_;
    asio::steady_timer timer_;
    bool is_over_ = false;
};

connection start_server(const asio::any_io_executor& executor, destination server, partyline::session_options how)
{
    partyline::child_process child(executor, std::move(server.command), std::move(server.child));
    auto report = child.report();
    return {partyline::session(std::move(child), std::move(how)), std::move(report)};
}

} // namespace

asio::awaitable<connection> open_connection(asio::any_io_executor executor, destination server,
                                            partyline::session_options how, duration most)
{
    if (!server.command.empty())
        co_return start_server(executor, std::move(server), std::move(how));

    time_limit limit(executor, most);
    if (server.tcp) {
        auto [failed, socket] =
            co_await partyline::async_connect_tcp(executor, server.tcp->host, server.tcp->port, limit.token());
        limit.check(failed, to_string(*server.tcp));
        co_return connection{partyline::session(std::move(socket), std::move(how)), nullptr};
    }
    auto [failed, socket] = co_await partyline::async_connect_unix(executor, server.unix_path, limit.token());
    limit.check(failed, server.unix_path);
    co_return connection{partyline::session(std::move(socket), std::move(how)), nullptr};
}

} // namespace call
