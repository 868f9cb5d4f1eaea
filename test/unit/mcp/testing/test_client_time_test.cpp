// What does not come fails by name, and the end of a client ends what is under way.

#include "eras.hpp"
#include "support/growing_time.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using namespace mcp_test;
using namespace std::chrono_literals;
using kit::contains;
using kit::thrown_by;
using partyline::test::timed_out;

namespace {

struct yes_or_no {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(yes_or_no, (), (yes))

// Counts those that have begun, and goes on until it is cancelled.
struct endless_tool {
    std::atomic<int>& begun;
    std::atomic<int>& ended;

    partyline::task<void> operator()(mcp::context& c)
    {
        struct at_end {
            std::atomic<int>& count;
            ~at_end() { ++count; }
        };
        const at_end own{ended};
        ++begun;
        co_await c.progress(1); // wakes the client, where this runs on another thread
        asio::steady_timer never(c.get_executor(), asio::steady_timer::time_point::max());
        co_await never.async_wait(asio::deferred);
    }
};

struct slow_server {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    mcp::server server{"slow", "1"};

    slow_server()
    {
        server.add_tool("hang", "Never ends.", endless_tool{begun, ended});
        server.add_tool("nap", "Takes a moment.", [](mcp::context& c) -> partyline::task<std::string> {
            asio::steady_timer moment(c.get_executor(), 2ms);
            co_await moment.async_wait(asio::deferred);
            co_return "rested";
        });
        server.add_tool("ask", "Asks.", [](mcp::context& c) -> partyline::task<void> {
            co_await c.elicit<yes_or_no>("sure", "Really?");
        });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_test_client_time, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(timers_of_handlers_run)
{
    slow_server slow;
    in_each_era([&](mcp::era era) {
        mcp::test_client client(slow.server, era);
        BOOST_TEST(client.call("nap").text() == "rested");
    });
}

BOOST_AUTO_TEST_CASE(a_tool_that_hangs_is_named)
{
    slow_server slow;
    in_each_era([&](mcp::era era) {
        mcp::test_client client(slow.server, era);
        auto other = client.start_call("hang");
        client.run_until_idle();
        client.set_time_limit(20ms);
        BOOST_TEST(thrown_by<timed_out>([&] { client.call("hang"); }) ==
                   "tools/call \"hang\" has not been answered within 20 ms; in flight: tools/call \"hang\", tools/call "
                   "\"hang\"");
        client.set_time_limit(5s);
        BOOST_TEST(client.call("nap").text() == "rested"); // the others go on
        BOOST_TEST(!other.is_done());
        other.cancel();
        BOOST_TEST((kit::code_thrown_by([&] { other.get(); }) == asio::error::operation_aborted));
    });
    BOOST_TEST(slow.begun.load() >= 2); // a machine at its limits may come to the others when their time is over
    BOOST_TEST(slow.ended.load() == slow.begun.load());
}

BOOST_AUTO_TEST_CASE(an_answer_that_hangs_is_named)
{
    slow_server slow;
    in_each_era([&](mcp::era era) {
        partyline::test::with_growing_time(20ms, [&](std::chrono::milliseconds time) {
            bool was_asked = false;
            mcp::test_client client(slow.server, era);
            client.answer("sure", [&](const mcp::elicit_request&) -> partyline::task<mcp::elicit_answer> {
                was_asked = true;
                asio::steady_timer never(client.get_executor(), asio::steady_timer::time_point::max());
                co_await never.async_wait(asio::deferred);
                co_return mcp::elicit_answer::decline();
            });
            client.set_time_limit(time);
            const std::string told = thrown_by<timed_out>([&] { client.call("ask"); });
            client.set_time_limit(5s);
            if (was_asked)
                BOOST_TEST(told == "tools/call \"ask\" has not been answered within " + std::to_string(time.count()) +
                                       " ms; in flight: tools/call \"ask\"; the client has not answered \"sure\"");
            return was_asked;
        });
    });
}

BOOST_AUTO_TEST_CASE(what_does_not_come_to_pass_is_told)
{
    slow_server slow;
    mcp::test_client client(slow.server, mcp::era::modern);
    client.set_time_limit(20ms);
    BOOST_TEST(thrown_by<timed_out>([&] { client.run_until([] { return false; }); }) ==
               "what run_until waits for has not come to pass within 20 ms");
    auto asking = client.start_call("ask");
    client.set_time_limit(5s);
    BOOST_CHECK_THROW(client.run_until([] { return false; }), mcp::unanswered_question);
    BOOST_CHECK_THROW(client.run_until([&] { return client.tools().empty(); }), std::logic_error);
}

BOOST_AUTO_TEST_CASE(destruction_ends_what_is_in_flight)
{
    slow_server slow;
    asio::thread_pool pool(1);
    mcp::tool_options on_pool;
    on_pool.run.executor = pool.get_executor();
    slow.server.add_tool("hang_there", "Never ends.", endless_tool{slow.begun, slow.ended}, on_pool);
    in_each_era([&](mcp::era era) {
        std::optional<mcp::pending_answer<mcp::tool_answer>> left;
        slow.begun = slow.ended = 0;
        {
            mcp::test_client client(slow.server, era);
            left = client.start_call("hang");
            auto there = client.start_call("hang_there");
            client.run_until([&] { return slow.begun == 2; });
            auto unsent = client.start_call("nap");
        }
        BOOST_TEST(slow.ended.load() == 2);
        BOOST_CHECK_THROW(left->get(), std::exception);
        left->cancel();
    });
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_context_may_be_shared)
{
    asio::io_context context;
    slow_server slow;
    in_each_era([&](mcp::era era) {
        mcp::test_client_options options;
        options.context = &context;
        mcp::test_client client(slow.server, era, options);
        BOOST_TEST((client.get_executor() == context.get_executor()));
        BOOST_TEST(client.call("nap").text() == "rested");
    });
    context.restart();
    context.poll(); // what is left there needs no client
}

BOOST_AUTO_TEST_CASE(the_end_waits_for_what_is_in_flight)
{
    slow_server slow;
    in_each_era([&](mcp::era era) {
        mcp::test_client client(slow.server, era);
        auto nap = client.start_call("nap");
        client.run_until_idle();
        BOOST_TEST(!client.end());
        BOOST_TEST(nap.get().text() == "rested");
    });
}

BOOST_AUTO_TEST_SUITE_END()
