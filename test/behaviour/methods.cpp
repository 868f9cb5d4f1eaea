#include "methods.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/read_result.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;
using clock_type = std::chrono::steady_clock;

namespace partyline::test {
namespace {

awaitable<void> sleep(request_context& context, int ms)
{
    asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(ms));
    co_await timer.async_wait(asio::use_awaitable);
}

awaitable<int> descend(request_context& context, int depth)
{
    if (depth == 0)
        co_return 0;
    json::array params{depth - 1};
    auto below = co_await context.call<int>("descend", std::move(params))(asio::use_awaitable);
    co_return std::move(below).value() + 1;
}

awaitable<json::value> ask(request_context& context, std::string method, json::value params)
{
    auto answer = co_await context.call<json::value>(std::move(method), std::move(params))(asio::use_awaitable);
    co_return std::move(answer).value();
}

awaitable<int> count(request_context& context, int to)
{
    for (int i = 1; i <= to; ++i)
        co_await context.progress(i);
    co_return to;
}

awaitable<int> tick(request_context& context, int ms)
{
    const clock_type::time_point end = clock_type::now() + std::chrono::milliseconds(ms);
    int ticks = 0;
    for (; clock_type::now() < end; ++ticks) {
        co_await sleep(context, 10);
        co_await context.progress(ticks);
    }
    co_return ticks;
}

partyline::task<std::string> turn(std::shared_ptr<event_counts> seen, int index, int of, int size)
{
    seen->add("arrived");
    co_await seen->wait_for("arrived", of);
    co_await seen->wait_for("turned", of - 1 - index);
    seen->add("turned");
    co_return std::to_string(index) + std::string(static_cast<std::size_t>(size), 'x');
}

awaitable<void> hold(std::shared_ptr<event_counts> seen)
{
    seen->add("held");
    try {
        co_await seen->wait_for("what never happens", 1);
    } catch (...) {
        seen->add("cancelled");
        throw;
    }
}

awaitable<bool> stubborn(std::shared_ptr<event_counts> seen)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    seen->add("held");
    co_await seen->wait_for("let go", 1);
    co_return true;
}

} // namespace

method_table make_methods(std::shared_ptr<event_counts> seen, std::function<void()> vanish)
{
    method_table methods;
    methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    methods.add("echo", [](json::value params) { return params; });
    methods.add("fail", [](int code, std::string message) { throw rpc_error(code, std::move(message)); });
    methods.add("descend", descend);
    methods.add("ask", ask);
    methods.add("count", count, {"to"});
    methods.add("tick", tick, {"ms"});
    methods.add("delay", sleep);
    methods.add("turn", [seen](int index, int of, int size) { return turn(seen, index, of, size); });
    methods.add("hold", [seen] { return hold(seen); }, method_options{.open_ended = true});
    methods.add("stubborn", [seen] { return stubborn(seen); });
    methods.add("let_go", [seen] { seen->add("let go"); });
    methods.add("happened", [seen](std::string what, int times) { return seen->wait_for(std::move(what), times); });
    const auto notes = std::make_shared<std::vector<int>>();
    methods.add_notification("note", [notes](int n) { notes->push_back(n); });
    methods.add("notes", [notes] { return *notes; });
    methods.add_notification("vanish", [vanish = std::move(vanish)] { vanish(); });
    return methods;
}

} // namespace partyline::test
