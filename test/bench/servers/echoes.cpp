#include "methods.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/value.hpp>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace bench {
namespace {

json::value echo_plain(json::value params)
{
    return params;
}

partyline::task<json::value> echo(json::value params)
{
    co_return params;
}

asio::awaitable<json::value> echo_awaitable(json::value params)
{
    co_return params;
}

// Text in, text out: no value is ever built.
partyline::json_view echo_raw(partyline::json_view params)
{
    return params;
}

// Suspends although there is nothing to wait for: the timer is due already.
partyline::task<json::value> echo_timer(request_context& context, json::value params)
{
    asio::steady_timer timer(context.get_executor(), asio::steady_timer::time_point::min());
    co_await timer.async_wait(asio::deferred);
    co_return params;
}

partyline::task<json::value> echo_post(request_context& context, json::value params)
{
    co_await asio::post(context.get_executor(), asio::deferred);
    co_return params;
}

} // namespace

void add_echoes(partyline::method_table& methods)
{
    methods.add("echo_plain", echo_plain);
    methods.add("echo", echo);
    methods.add("echo_awaitable", echo_awaitable);
    methods.add("echo_raw", echo_raw);
    methods.add("echo_timer", echo_timer);
    methods.add("echo_post", echo_post);
}

} // namespace bench
