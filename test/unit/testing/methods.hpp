#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe/class.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

// Handlers as a user of the library writes them, for the tests of the test kit.

namespace kit {

using namespace std::chrono_literals;
using partyline::request_context;

struct point {
    int x = 0;
    int y = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))

inline boost::asio::awaitable<void> wait_for(request_context& context, std::chrono::milliseconds time)
{
    boost::asio::steady_timer timer(context.get_executor(), time);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

inline boost::asio::awaitable<int> never(request_context& context)
{
    co_await wait_for(context, 1h);
    co_return 0;
}

/// Counts, and takes its time.
inline boost::asio::awaitable<int> count(request_context& context, int to)
{
    for (int i = 1; i <= to; ++i) {
        co_await context.progress(i);
        co_await wait_for(context, 1ms);
    }
    co_return to;
}

/// Has a result also when it is cancelled.
inline boost::asio::awaitable<std::string> stubborn(request_context& context)
{
    co_await boost::asio::this_coro::throw_if_cancelled(false);
    bool is_cancelled = false;
    try {
        co_await wait_for(context, 1h);
    } catch (const std::exception&) {
        is_cancelled = true;
    }
    co_return is_cancelled ? "cleaned up" : "awake";
}

/// Asks the peer.
inline boost::asio::awaitable<std::string> greet(request_context& context, std::string greeting)
{
    const auto name = co_await context.call<std::string>("name", partyline::args(greeting));
    co_return greeting + ", " + name;
}

inline partyline::method_table methods()
{
    partyline::method_table all;
    all.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    all.add("echo", [](boost::json::value params) { return params; });
    all.add("swap", [](point of) { return point{of.y, of.x}; });
    all.add("nothing", [] {});
    all.add("refuse", []() -> int { throw partyline::rpc_error(7, "No", boost::json::value("why")); });
    all.add("fail", []() -> int { throw std::runtime_error("a secret"); });
    all.add("never", never);
    all.add("count", count, {"to"});
    all.add("stubborn", stubborn);
    all.add("greet", greet);
    return all;
}

} // namespace kit
