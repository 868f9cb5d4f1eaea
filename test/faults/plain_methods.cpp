#include "faulty_run.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/subscription.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

asio::awaitable<json::value> hop(request_context& context, json::value params)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_return params;
}

asio::awaitable<json::value> forever(request_context& context, json::value)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
    co_return nullptr;
}

// Does not end when it is cancelled.
asio::awaitable<json::value> stay(request_context& context, json::value)
{
    for (;;) {
        co_await asio::this_coro::throw_if_cancelled(false);
        asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
        error_code ignored;
        co_await never.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_await asio::this_coro::reset_cancellation_state();
    }
}

asio::awaitable<json::value> refuse_at_length(request_context& context, json::value)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    throw rpc_error(7, std::string(5000, 'n'));
}

asio::awaitable<json::value> report(request_context& context, json::value params)
{
    co_await context.progress(params);
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    json::value told = json::array{params};
    co_await context.notify("told", std::move(told));
    co_await context.progress("the last of it, and a text that is long enough to need memory");
    co_return params;
}

asio::awaitable<json::value> ask(request_context& context, json::value params)
{
    json::array asked{params};
    const call_result<json::value> answer =
        co_await context.call<json::value>("question", std::move(asked))(asio::use_awaitable);
    co_return answer.value();
}

asio::awaitable<json::value> big(request_context& context, json::value)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_return json::value(std::string(300'000, 'b'));
}

// Sends something, and waits for the end.
task<void> count(subscription_sink sink, json::value params)
{
    sink.try_send(params);
    const bool is_open = co_await sink.send(params);
    if (is_open)
        co_await sink.closed();
}

task<void> fail_to_count(subscription_sink sink, json::value params)
{
    sink.try_send(params);
    throw std::runtime_error("a source that is gone, in so many words that they need memory");
    co_return;
}

json::value refuse(json::value params)
{
    throw std::runtime_error("no, and in so many words that they need memory: " + std::to_string(params.is_array()));
}

} // namespace

void add_methods(method_table& methods, asio::any_io_executor pool)
{
    method_options elsewhere;
    elsewhere.executor = std::move(pool);
    method_options alone;
    alone.exclusive = true;
    methods.add("echo", [](json::value params) { return params; });
    methods.add("refuse", refuse);
    methods.add("hop", hop);
    methods.add("forever", forever, method_options{.open_ended = true});
    methods.add("report", report);
    methods.add("ask", ask);
    methods.add("ask_elsewhere", ask, elsewhere);
    methods.add("big", big);
    methods.add("stay", stay);
    methods.add("refuse_at_length", refuse_at_length);
    methods.add("alone", hop, alone);
    methods.add("offloaded", hop, elsewhere);
    methods.add_subscription({"subscribe_count", "count", "unsubscribe_count"}, count);
    methods.add_subscription({"subscribe_failing", "count", "unsubscribe_failing"}, fail_to_count);
    methods.add("initialize", [](json::value) { return json::value(json::object{{"capabilities", json::object{}}}); });
}

} // namespace partyline::test
