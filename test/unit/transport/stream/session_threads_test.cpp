#include "support/dialogue.hpp"
#include "support/thread_crew.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <future>
#include <thread>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::error_code;
using partyline::memory_stream;
using partyline::method_options;
using partyline::method_table;
using partyline::request_context;

namespace {

method_table make_methods(asio::any_io_executor pool)
{
    method_table methods;
    methods.add("echo", [](json::value v) { return v; });
    methods.add("hop", [](request_context& context, json::value v) -> asio::awaitable<json::value> {
        co_await asio::post(context.get_executor(), asio::use_awaitable);
        co_await context.progress(1);
        co_return v;
    });
    methods.add(
        "pool",
        [](request_context& context, json::value v) -> asio::awaitable<json::value> {
            co_await context.progress(1);
            co_await asio::post(context.get_executor(), asio::use_awaitable);
            co_return v;
        },
        method_options{.executor = pool});
    methods.add("away", [pool](json::value v) -> partyline::task<json::value> {
        co_await asio::post(pool, asio::deferred); // which may be over before the handler is suspended
        co_return v;
    });
    methods.add("wait", [](request_context& context) -> asio::awaitable<void> {
        asio::steady_timer timer(context.get_executor(), asio::steady_timer::time_point::max());
        co_await timer.async_wait(asio::use_awaitable);
    });
    return methods;
}

// A peer that sends `count` requests and counts the replies, on a strand of its own.
asio::awaitable<int> talk(memory_stream stream, int count)
{
    const char* const names[] = {"echo", "hop", "pool", "away", "wait"};
    std::string lines;
    for (int i = 0; i < count; ++i) {
        const std::string id = std::to_string(i);
        lines += request(id, names[i % 5], i % 5 == 4 ? "" : "[" + id + "]") + '\n';
        if (i % 5 == 4)
            lines += cancel(id) + '\n';
    }
    co_await asio::async_write(stream, asio::buffer(lines), asio::use_awaitable);
    stream.close_send();
    int replies = 0;
    std::string unread;
    for (;;) {
        const auto token = asio::as_tuple(asio::use_awaitable);
        const auto [failed, size] = co_await asio::async_read_until(stream, asio::dynamic_buffer(unread), '\n', token);
        if (failed)
            break;
        replies += unread.compare(0, 20, R"({"jsonrpc":"2.0","id)") == 0;
        unread.erase(0, size);
    }
    co_return replies;
}

} // namespace

BOOST_AUTO_TEST_SUITE(session_threads, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(several_sessions_share_a_context_of_several_threads)
{
    asio::thread_pool pool(2);
    thread_crew all;
    const auto methods = std::make_shared<const method_table>(make_methods(pool.get_executor()));
    std::deque<partyline::session> sessions;
    std::vector<std::future<int>> replies;
    std::vector<std::future<void>> ends;
    for (int i = 0; i < 4; ++i) {
        const asio::any_io_executor strand = asio::make_strand(all.context);
        auto [ours, theirs] = memory_stream::make_pair(strand, all.context.get_executor());
        sessions.emplace_back(std::move(theirs), methods);
        ends.push_back(sessions.back().async_run(asio::use_future));
        replies.push_back(asio::co_spawn(strand, talk(std::move(ours), 400), asio::use_future));
    }
    for (auto& count : replies)
        BOOST_TEST(count.get() == 400);
    for (auto& end : ends)
        BOOST_CHECK_NO_THROW(end.get());
}

BOOST_AUTO_TEST_CASE(a_session_can_be_stopped_from_any_thread)
{
    asio::thread_pool pool(2);
    thread_crew all;
    for (int i = 0; i < 20; ++i) {
        auto [ours, theirs] = memory_stream::make_pair(all.context.get_executor());
        partyline::session session(std::move(theirs), make_methods(pool.get_executor()));
        std::future<void> end = session.async_run(asio::use_future);
        const std::string lines = request("1", "wait") + '\n' + request("2", "pool", "[1]") + '\n';
        asio::async_write(ours, asio::buffer(lines), asio::use_future).get();
        std::thread a([&] { session.stop(); });
        std::thread b([&] { session.stop(); });
        a.join();
        b.join();
        BOOST_CHECK_THROW(end.get(), boost::system::system_error);
    }
}

BOOST_AUTO_TEST_CASE(a_session_can_be_destroyed_while_it_runs)
{
    asio::thread_pool pool(2);
    thread_crew all;
    for (int i = 0; i < 20; ++i) {
        auto [ours, theirs] = memory_stream::make_pair(all.context.get_executor());
        std::future<void> end;
        {
            partyline::session session(std::move(theirs), make_methods(pool.get_executor()));
            end = session.async_run(asio::use_future);
            const std::string lines =
                request("1", "wait") + '\n' + request("2", "pool", "[1]") + '\n' + request("3", "hop", "[1]") + '\n';
            asio::async_write(ours, asio::buffer(lines), asio::use_future).get();
        }
        BOOST_CHECK_THROW(end.get(), boost::system::system_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
