#include "http/connections/connector.hpp"

#include "http/connections/client_failure.hpp"
#include "http/connections/refusal.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

connector::connector(asio::any_io_executor executor, url to, connection_options options)
    : executor_(std::move(executor)), to_(std::move(to)), options_(std::move(options))
{
    if (to_.is_secure() && !options_.secure)
        throw std::invalid_argument("'" + to_.origin() + "' is reached by TLS, which this program has not");
}

void connector::address(client_request& request) const
{
    request.host = to_.authority();
    if (options_.proxy && !is_tunnelled())
        request.target.insert(0, to_.origin()); // RFC 9112 §3.2.2
}

asio::awaitable<std::unique_ptr<client_connection>> connector::open(time_limit until) const
{
    until = std::min(until, std::chrono::steady_clock::now() + options_.connect_time);
    socket_channel channel = co_await connect(until);
    if (is_tunnelled())
        channel = co_await tunnel(std::move(channel), until);
    if (to_.is_secure())
        channel = co_await encrypt(std::move(channel), until);
    co_return std::make_unique<client_connection>(std::move(channel), options_.head);
}

asio::awaitable<socket_channel> connector::connect(time_limit until) const
{
    const url& next = options_.proxy ? *options_.proxy : to_;
    asio::steady_timer timer(executor_, until);
    auto either = asio::experimental::make_parallel_group(
        async_connect_tcp_by(executor_, next.host, next.port, options_.addresses, asio::deferred),
        timer.async_wait(asio::deferred));
    auto [order, failed, socket, late] =
        co_await either.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    const bool is_late = order[0] == 1 && !late;
    if (is_late)
        fail(errc::timeout, "connecting to " + next.authority() + " has taken too long");
    if (failed)
        fail(failed, "can not connect to " + next.authority());
    co_return socket_channel(std::move(socket));
}

asio::awaitable<socket_channel> connector::tunnel(socket_channel channel, time_limit until) const
{
    client_connection proxy(std::move(channel), options_.head);
    client_request ask;
    ask.method = "CONNECT";
    ask.target = ask.host = to_.host_and_port();
    co_await proxy.send(std::move(ask), until);
    if (proxy.head().status / 100 != 2)
        fail(asio::error::connection_refused,
             "the proxy does not connect to " + to_.authority() + ": " + status_words(proxy.head(), nullptr));
    if (!proxy.take_rest().empty())
        fail(errc::bad_reply, "the proxy says something before the server is asked");
    co_return std::move(proxy.channel());
}

asio::awaitable<socket_channel> connector::encrypt(socket_channel channel, time_limit until) const
{
    auto layer = options_.secure(channel.lowest_layer().native_handle(), to_.host);
    socket_channel secure(std::move(channel.lowest_layer()), std::move(layer));
    while (true) {
        const error_code failed = secure.layer()->handshake();
        if (!failed)
            co_return std::move(secure);
        if (failed != asio::error::would_block)
            fail(failed, "the handshake with " + to_.authority() + " has failed");
        co_await wait_ready(secure, readiness::read, until);
    }
}

} // namespace partyline::http
