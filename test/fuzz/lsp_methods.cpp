#include "fuzz/lsp_methods.hpp"

#include <partyline/lsp/lsp.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
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

json::value refuse(json::value params)
{
    throw rpc_error(-1, "refused", std::move(params));
}

task<> until_cancelled(request_context& context)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::as_tuple(asio::deferred));
}

// Its second report is of more than there can be.
task<json::value> report(request_context& context, json::value params)
{
    lsp::work_done_progress work(context);
    co_await work.begin("work");
    co_await work.report("", 100);
    co_await context.partial_result(params);
    if (params.is_array())
        co_await work.report("", 101);
    co_await work.end();
    co_return params;
}

asio::awaitable<bool> create(request_context& context, json::value)
{
    lsp::created_progress made = co_await lsp::created_progress::create(context);
    if (!made.is_heard())
        co_return false;
    made.on_cancel([] { throw std::runtime_error("on purpose"); });
    co_await made.begin("work");
    co_await until_cancelled(context)(asio::use_awaitable);
    co_await made.end();
    co_return made.cancelled();
}

task<int> trace(request_context& context, json::value)
{
    lsp::log_trace(context, "a", "b");
    const auto known = lsp::client_info::of(context);
    co_return known->process_id().value_or(0) + (known->has_capability("window.workDoneProgress") ? 1 : 0);
}

task<json::value> late(request_context& context, json::value params)
{
    co_await until_cancelled(context);
    co_return params;
}

method_table make_plain()
{
    method_table methods;
    methods.add("initialize", echo);
    methods.add("echo", echo);
    methods.add("refuse", refuse);
    methods.add_notification("note", echo);
    methods.add_notification("$/setTrace", echo);
    return methods;
}

// Its end is told to nobody when it is cancelled: it is dropped.
task<> hold(request_context& context)
{
    lsp::work_done_progress work(context);
    co_await work.begin("work");
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::deferred);
    co_await work.end();
}

method_table make_all()
{
    method_options open_ended;
    open_ended.open_ended = true;
    method_options dropped = open_ended;
    dropped.on_cancel = cancelled_task::dropped;
    method_table methods = make_plain();
    methods.add("report", report);
    methods.add("create", create, open_ended);
    methods.add("trace", trace);
    methods.add("late", late, open_ended);
    methods.add("hold", hold, dropped);
    methods.add_notification("late_note", late, open_ended);
    methods.add("shutdown", late);
    return methods;
}

} // namespace

const std::shared_ptr<const method_table>& plain_lsp_methods()
{
    static const auto methods = std::make_shared<const method_table>(make_plain());
    return methods;
}

const std::shared_ptr<const method_table>& all_lsp_methods()
{
    static const auto methods = std::make_shared<const method_table>(make_all());
    return methods;
}

} // namespace partyline::test
