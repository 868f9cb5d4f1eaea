#include "http/connections/wait_ready.hpp"

#include "http/connections/client_failure.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

auto async_ready(socket_channel& channel, socket_channel::wait_type what)
{
    return asio::async_initiate<const asio::deferred_t&, void(error_code)>(
        [of = &channel, what](auto handler) { of->async_wait(what, std::move(handler)); }, asio::deferred);
}

// By what has ended first: the wait for the channel, or else the time.
void check_first(error_code first, bool is_late)
{
    if (first == asio::error::operation_aborted)
        throw boost::system::system_error(first);
    if (is_late)
        fail(errc::timeout, "the server has taken longer than it was given");
}

asio::awaitable<void> wait_readable(socket_channel& channel, time_limit until)
{
    asio::steady_timer timer(channel.get_executor(), until);
    auto either = asio::experimental::make_parallel_group(async_ready(channel, socket_channel::wait_read),
                                                          timer.async_wait(asio::deferred));
    const auto [order, readable, late] =
        co_await either.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    check_first(order[0] == 0 ? readable : late, order[0] == 1);
}

asio::awaitable<void> wait_any(socket_channel& channel, time_limit until)
{
    asio::steady_timer timer(channel.get_executor(), until);
    auto either = asio::experimental::make_parallel_group(async_ready(channel, socket_channel::wait_read),
                                                          async_ready(channel, socket_channel::wait_write),
                                                          timer.async_wait(asio::deferred));
    const auto [order, readable, writable, late] =
        co_await either.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    const std::array codes{readable, writable, late};
    check_first(codes[order[0]], order[0] == 2);
}

} // namespace

asio::awaitable<void> wait_ready(socket_channel& channel, readiness what, time_limit until)
{
    return what == readiness::read ? wait_readable(channel, until) : wait_any(channel, until);
}

} // namespace partyline::http
