#include "support/race.hpp"

#include "support/dialogue.hpp"
#include "support/heard.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <iterator>
#include <string_view>

namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;

namespace partyline::test {
namespace {

awaitable<void> wait_for_cancel(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

awaitable<json::value> hop(request_context& context, json::value v)
{
    co_await context.progress(1);
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_await context.notify("news");
    co_await context.progress(2);
    co_return v;
}

// Never suspends, and says much.
int compute(request_context& context, json::value)
{
    int rounds = 0;
    while (rounds < 20 && !context.cancelled() && !context.stopping()) {
        (void)context.progress(++rounds);
        (void)context.notify("news");
    }
    return rounds;
}

const char* const names[] = {"echo", "hop", "pool_hop", "pool_compute", "pool_one", "pool_two", "wait", "pool_wait"};

} // namespace

table_pointer make_race_methods(const asio::any_io_executor& pool)
{
    method_table methods;
    methods.add("echo", [](json::value v) { return v; });
    methods.add("hop", hop);
    methods.add("pool_hop", hop, {.executor = pool});
    methods.add("pool_compute", compute, {.executor = pool});
    methods.add("pool_one", hop, {.executor = pool, .max_concurrent = 1});
    methods.add("pool_two", hop, {.executor = pool, .deadline = std::chrono::milliseconds(1)});
    methods.add("wait", wait_for_cancel);
    methods.add("pool_wait", wait_for_cancel, {.executor = pool});
    return std::make_shared<const method_table>(std::move(methods));
}

std::string make_race_requests(int count, std::mt19937& random)
{
    std::string lines;
    std::vector<std::string> waiting;
    for (int i = 0; i < count; ++i) {
        const std::string id = std::to_string(i);
        const std::string_view name = names[random() % std::size(names)];
        const bool waits = name.ends_with("wait");
        lines += request(id, name, waits ? "" : "[" + id + "]") + '\n';
        if (waits)
            waiting.push_back(id);
        else if (random() % 4 == 0)
            lines += cancel(id) + '\n';
        if (!waiting.empty() && random() % 3 == 0) {
            lines += cancel(waiting.back()) + '\n';
            waiting.pop_back();
        }
    }
    for (const std::string& id : waiting)
        lines += cancel(id) + '\n';
    return lines;
}

void check_answers(const told& what, int count, extent answered)
{
    const heard all(what.lines);
    BOOST_TEST(all.is_readable());
    BOOST_TEST(!all.has_late_progress());
    BOOST_TEST(all.unaddressed().empty());
    std::size_t known = 0;
    bool is_once = true;
    for (int i = 0; i < count; ++i) {
        const std::size_t times = all.answers().count(std::to_string(i));
        known += times;
        is_once = is_once && (answered == extent::all ? times == 1 : times <= 1);
    }
    BOOST_TEST(is_once);
    BOOST_TEST(known == all.answers().size());
}

} // namespace partyline::test
