#include "methods.hpp"

#include "echoed.hpp"
#include "work.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe/class.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace bench {
namespace {

// The same method in every way in which it can be written.

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

struct size {
    std::int32_t w = 0;
    std::int32_t h = 0;
};
BOOST_DESCRIBE_STRUCT(size, (), (w, h))

struct thing {
    std::string name;
    std::vector<std::string> tags;
    bench::size size;
};
BOOST_DESCRIBE_STRUCT(thing, (), (name, tags, size))

std::int64_t add(std::int32_t a, std::int32_t b)
{
    return std::int64_t(a) + b;
}

thing describe(thing given)
{
    return given;
}

struct counted {
    std::uint32_t count = 0;
};
BOOST_DESCRIBE_STRUCT(counted, (), (count))

// The token is the session's affair, but a parameter like any other.
asio::awaitable<counted> progress(request_context& context, std::uint32_t count, std::optional<json::value>)
{
    const counted said{count};
    for (std::uint32_t i = 1; i <= count; ++i)
        co_await context.progress(i);
    co_return said;
}

asio::awaitable<counted> notify(request_context& context, std::uint32_t count)
{
    const counted said{count};
    for (std::uint32_t i = 1; i <= count; ++i) {
        json::array index{i};
        co_await context.notify("note", std::move(index));
    }
    co_return said;
}

} // namespace

partyline::method_table make_methods(asio::any_io_executor pool)
{
    partyline::method_table methods;
    methods.add("echo_plain", echo_plain);
    methods.add("echo", echo);
    methods.add("echo_awaitable", echo_awaitable);
    methods.add("echo_raw", echo_raw);
    methods.add("echo_timer", echo_timer);
    methods.add("echo_post", echo_post);
    add_holds(methods);
    methods.add("progress", progress, {"count", "workDoneToken"});
    methods.add("notify", notify, {"count"});
    methods.add("add", add, {"a", "b"});
    methods.add("describe", describe);
    methods.add("echo_typed", echo_typed);
    methods.add("work", work, {"rounds", "seed"}, {.executor = pool});
    methods.add("work_inline", work, {"rounds", "seed"});
    return methods;
}

} // namespace bench
