#include "fuzz/session_methods.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/clean_up.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

json::value echo(json::value params)
{
    return params;
}

int add_up(int a, int b)
{
    return a / 2 + b / 2;
}

task<json::value> finish(json::value params)
{
    co_return params;
}

json::value refuse(json::value params)
{
    throw rpc_error(-1, "refused", std::move(params));
}

asio::awaitable<void> fail()
{
    throw std::runtime_error("on purpose");
    co_return;
}

task<json::value> report(request_context& context, json::value params)
{
    co_await context.progress(params);
    co_await context.notify("reported");
    co_return params;
}

// Registered as open-ended: at the end of input it is cancelled, and answers all the same.
task<json::value> until_end(request_context& context, json::value params)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::as_tuple(asio::deferred));
    co_return params;
}

asio::awaitable<json::value> until_end_by_awaitable(request_context& context, json::value params)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    error_code cancelled;
    co_await never.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    co_return params;
}

task<> wait(request_context& context)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::deferred);
}

asio::awaitable<void> wait_by_awaitable(request_context& context)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
}

asio::awaitable<json::value> later_by_awaitable(request_context& context, json::value params)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_await context.progress(params);
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_return params;
}

task<json::value> later(request_context& context, json::value params)
{
    co_await asio::post(context.get_executor(), asio::deferred);
    co_await context.progress(params);
    co_return co_await later_by_awaitable(context, std::move(params));
}

task<> take_a_turn(request_context& context)
{
    co_await asio::post(context.get_executor(), asio::deferred);
    co_await later_by_awaitable(context, "cleaned");
}

// A clean-up within work, and within a clean-up.
task<> wait_and_clean(request_context& context)
{
    co_await with_clean_up(with_clean_up(wait(context), take_a_turn(context)),
                           with_clean_up(take_a_turn(context), take_a_turn(context)));
}

method_options open_ended()
{
    method_options options;
    options.open_ended = true;
    return options;
}

method_options dropped()
{
    method_options options;
    options.on_cancel = cancelled_task::dropped;
    return options;
}

method_options exclusive()
{
    method_options options;
    options.exclusive = true;
    return options;
}

method_options ordered()
{
    method_options options;
    options.ordered = true;
    return options;
}

method_options one_at_a_time()
{
    method_options options;
    options.max_concurrent = 1;
    return options;
}

method_table make_steady()
{
    method_table methods;
    methods.add("echo", echo);
    methods.add("add", add_up, {"a", "b"});
    methods.add("finish", finish);
    methods.add("refuse", refuse);
    methods.add("throw", fail);
    methods.add("progress", report);
    methods.add("until_end", until_end, open_ended());
    methods.add("alone", finish, exclusive());
    methods.add_notification("note", finish);
    methods.add_notification("until_end_note", until_end_by_awaitable, open_ended());
    return methods;
}

method_table make_all()
{
    method_table methods = make_steady();
    methods.add("wait", wait);
    methods.add("wait_by_awaitable", wait_by_awaitable);
    methods.add("drop", wait, dropped());
    methods.add("drop_and_clean", wait_and_clean, dropped());
    methods.add("later", later);
    methods.add("later_alone", later_by_awaitable, exclusive());
    methods.add("later_one", later, one_at_a_time());
    methods.add_notification("later_note", later, ordered());
    methods.add_notification("wait_note", wait, dropped());
    return methods;
}

} // namespace

const std::shared_ptr<const method_table>& steady_methods()
{
    static const auto methods = std::make_shared<const method_table>(make_steady());
    return methods;
}

const std::shared_ptr<const method_table>& all_methods()
{
    static const auto methods = std::make_shared<const method_table>(make_all());
    return methods;
}

} // namespace partyline::test
