#include "fuzz/http_methods.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

task<json::value> count_to(request_context& context, int to)
{
    for (int i = 0; i < to && i < 20; ++i) {
        co_await context.progress(i);
        if (i % 3 == 2)
            co_await asio::post(context.get_executor(), asio::deferred);
    }
    co_return to;
}

task<json::value> echo_later(request_context& context, json::value params)
{
    co_await asio::post(context.get_executor(), asio::deferred);
    co_return params;
}

task<> wait_for_cancel(request_context& context)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::deferred);
}

json::value throw_error(json::value params)
{
    throw rpc_error(-1, "refused", std::move(params));
}

method_table make_methods()
{
    method_table methods;
    methods.add("echo", [](json::value params) { return params; });
    methods.add("later", echo_later);
    methods.add("count", count_to);
    methods.add("refuse", throw_error);
    return methods;
}

} // namespace

std::shared_ptr<const dispatcher> prompt_http_methods()
{
    static const auto methods = std::make_shared<const method_table>(make_methods());
    return methods;
}

std::shared_ptr<const dispatcher> all_http_methods()
{
    static const auto methods = [] {
        method_table all = make_methods();
        all.add("wait", wait_for_cancel);
        return std::make_shared<const method_table>(std::move(all));
    }();
    return methods;
}

} // namespace partyline::test
