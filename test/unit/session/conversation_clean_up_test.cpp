#include "support/dialogue.hpp"

#include <partyline/session/clean_up.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::cancelled_task;
using partyline::method_options;
using partyline::request_context;
using partyline::task;

namespace {

// Counts those that are alive.
struct alive_mark {
    explicit alive_mark(std::atomic<int>& c) : count(c) { ++count; }
    alive_mark(const alive_mark&) = delete;
    ~alive_mark() { --count; }
    std::atomic<int>& count;
};

// Handlers that are tasks; conversation_cancel_test.cpp has those that are coroutines of Asio's.
struct clean_handlers : dialogue {
    std::atomic<int> alive = 0;

    // Until it is cancelled.
    task<int> hold(request_context& request)
    {
        const alive_mark one(alive);
        asio::steady_timer timer(request.get_executor(), asio::steady_timer::time_point::max());
        static_cast<void>(request.notify("begun"));
        co_await timer.async_wait(asio::deferred);
        co_return 1;
    }
};

task<int> hold_and_tell(clean_handlers& f, request_context& request, std::string& told)
{
    try {
        co_return co_await f.hold(request);
    } catch (...) {
        told += "thrown "; // also where tasks are dropped
        throw;
    }
}

task<> clean_and_tell(gate& place, std::string& told)
{
    told += "clean ";
    co_await place.wait(); // an awaitable
    asio::steady_timer soon(co_await asio::this_coro::executor, std::chrono::steady_clock::time_point::min());
    co_await soon.async_wait(asio::deferred);
    told += "cleaned ";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_clean_up, clean_handlers, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_clean_up_is_awaited_whatever_a_cancel_does_to_tasks)
{
    for (const cancelled_task how : {cancelled_task::thrown_through, cancelled_task::dropped}) {
        dialogue d;
        gate cleaning(d.context);
        std::string told;
        d.methods.add(
            "build",
            [&](request_context& r) -> task<int> {
                const alive_mark one(alive);
                co_return co_await partyline::with_clean_up(hold_and_tell(*this, r, told),
                                                            clean_and_tell(cleaning, told));
            },
            method_options{.on_cancel = how});
        for (int round = 0; round < 2; ++round) { // the second by the same worker
            told.clear();
            d.send(request("1", "build"));
            d.expect(notification("begun"));
            d.send(cancel("1"));
            d.send(cancel("1")); // one that comes meanwhile does not reach it
            d.settle();
            BOOST_TEST(told == (round == 0 ? "thrown clean " : "thrown clean cleaned "));
            cleaning.open();
            d.expect(cancelled("1"));
            BOOST_TEST(told == "thrown clean cleaned ");
            BOOST_TEST(alive == 0);
        }
        d.expect_silence();
    }
}

BOOST_AUTO_TEST_CASE(a_cancel_during_a_clean_up_ends_what_comes_after_it)
{
    for (const cancelled_task how : {cancelled_task::thrown_through, cancelled_task::dropped}) {
        dialogue d;
        gate opened(d.context), cleaning(d.context);
        std::string told;
        const auto pass = [&]() -> task<> { co_await opened.wait(); };
        d.methods.add(
            "round",
            [&](request_context& r) -> task<int> {
                co_await partyline::with_clean_up(pass(), clean_and_tell(cleaning, told));
                told += "next ";
                try {
                    co_return co_await hold(r); // it does not begin
                } catch (...) {
                    told += "thrown ";
                    throw;
                }
            },
            method_options{.on_cancel = how});
        opened.open();
        d.send(request("1", "round"));
        d.settle();
        d.send(cancel("1"));
        d.settle();
        BOOST_TEST(told == "clean ");
        cleaning.open();
        d.expect(cancelled("1"));
        // where it is dropped, then there
        BOOST_TEST(told == (how == cancelled_task::dropped ? "clean cleaned next " : "clean cleaned next thrown "));
        BOOST_TEST(alive == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_clean_up_may_call_and_tell_the_peer)
{
    const auto ask_back = [](request_context& r) -> task<> {
        const bool is_released = co_await r.call<bool>("release");
        if (is_released) // g++ 12 gets it wrong when the call stands here
            co_await r.notify("released");
    };
    methods.add(
        "ask",
        [&](request_context& r) -> task<int> { co_return co_await partyline::with_clean_up(hold(r), ask_back(r)); },
        method_options{.on_cancel = cancelled_task::dropped});
    send(request("1", "ask"));
    expect(notification("begun"));
    send(cancel("1"));
    expect(request("1", "release"));
    expect_silence();
    send(result("1", "true"));
    expect(notification("released"));
    expect(cancelled("1"));
}

BOOST_AUTO_TEST_CASE(an_offloaded_clean_up_is_awaited_there)
{
    asio::thread_pool pool(1);
    std::atomic<int> cleaned = 0;
    const auto clean = [&cleaned](request_context& r) -> task<> {
        co_await asio::post(r.get_executor(), asio::deferred);
        ++cleaned;
    };
    for (const cancelled_task how : {cancelled_task::thrown_through, cancelled_task::dropped})
        methods.add(
            how == cancelled_task::dropped ? "drop_there" : "hold_there",
            [&](request_context& r) -> task<int> { co_return co_await partyline::with_clean_up(hold(r), clean(r)); },
            method_options{.executor = pool.get_executor(), .on_cancel = how});
    for (const char* method : {"hold_there", "drop_there"}) {
        send(request("1", method));
        expect(notification("begun"));
        send(cancel("1"));
        expect(cancelled("1"));
        BOOST_TEST(alive == 0);
    }
    BOOST_TEST(cleaned == 2);
    end_input();
    BOOST_TEST(!wait_end());
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
