#include "methods.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace bench {
namespace {

// Apart from the coroutine, whose frame would have room for every temporary of it.
json::value answer(std::uint32_t ms, const std::string& text)
{
    return {{"ms", ms}, {"text", text}};
}

partyline::task<json::value> delay(request_context& context, std::uint32_t ms, std::string text)
{
    asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(ms));
    co_await timer.async_wait(asio::deferred);
    co_return answer(ms, text);
}

constexpr std::chrono::hours for_ever(1); // nobody measures that long

// Takes the code, and ends by a result: no exception is paid for.
partyline::task<json::value> hold_returning(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), for_ever);
    const auto [woken] = co_await timer.async_wait(asio::as_tuple(asio::deferred));
    json::value cancelled(woken == asio::error::operation_aborted);
    co_return cancelled;
}

// Takes the code, as one who cleans up does, and then ends by an exception of its own.
partyline::task<void> hold(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), for_ever);
    const auto [woken] = co_await timer.async_wait(asio::as_tuple(asio::deferred));
    if (woken)
        throw boost::system::system_error(woken);
}

// Knows nothing of cancellation, as most handlers.
partyline::task<void> hold_throwing(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), for_ever);
    co_await timer.async_wait(asio::deferred);
}

} // namespace

void add_holds(partyline::method_table& methods)
{
    const partyline::method_options dropped{.on_cancel = partyline::cancelled_task::dropped};
    methods.add("delay", delay, {"ms", "text"});
    methods.add("hold", hold);
    methods.add("hold_returning", hold_returning);
    methods.add("hold_throwing", hold_throwing);
    methods.add("hold_dropped", hold_throwing, dropped);
}

} // namespace bench
