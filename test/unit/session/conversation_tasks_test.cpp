#include "support/dialogue.hpp"

#include <partyline/session/task.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::cancelled_task;
using partyline::method_options;
using partyline::request_context;
using partyline::task;

namespace {

// Counts those that are alive.
struct counted {
    explicit counted(std::atomic<int>& c) : count(c) { ++count; }
    counted(const counted&) = delete;
    ~counted() { --count; }
    std::atomic<int>& count;
};

struct tasks_fixture : dialogue {
    gate forever{context};
    std::atomic<int> alive = 0;
    std::atomic<int> caught = 0;
    std::atomic<int> begun = 0;

    task<int> hold(request_context& request)
    {
        const counted one(alive);
        asio::steady_timer timer(request.get_executor(), asio::steady_timer::time_point::max());
        ++begun;
        static_cast<void>(request.notify("begun"));
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) {
            ++caught;
            throw;
        }
        co_return 1;
    }
    task<int> outer(request_context& request)
    {
        const counted one(alive);
        co_return co_await hold(request);
    }

    tasks_fixture()
    {
        methods.add("hold", [this](request_context& r) { return outer(r); });
        methods.add(
            "drop", [this](request_context& r) { return outer(r); },
            method_options{.on_cancel = cancelled_task::dropped});
        methods.add("awaitable", [this](request_context&) -> asio::awaitable<int> {
            co_await forever.wait();
            co_return 1;
        });
        methods.add("awaitable_at_once", [](std::string text) -> asio::awaitable<std::string> { co_return text; });
        methods.add("deaf_awaitable", [](request_context& r) -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await asio::this_coro::throw_if_cancelled(false);
            co_await asio::post(r.get_executor(), asio::use_awaitable);
            co_return 3;
        });
        methods.add("move_only", [](request_context& r) -> asio::awaitable<partyline::json_text> {
            co_await asio::post(r.get_executor(), asio::use_awaitable);
            co_return partyline::json_text(std::string("[1.0]"));
        });
        methods.add("throwing_awaitable", []() -> asio::awaitable<void> {
            throw partyline::rpc_error(8, "eight");
            co_return;
        });
        methods.add("mixed", [this](request_context& r) -> task<int> {
            co_await forever.wait(); // an awaitable
            co_return co_await [](request_context& request) -> task<int> {
                co_await asio::post(request.get_executor(), asio::deferred);
                co_return 2;
            }(r);
        });
        methods.add("text", [](request_context& r) -> task<partyline::json_text> {
            co_await asio::post(r.get_executor(), asio::deferred);
            partyline::json_text exact(std::string("1.0"));
            co_return exact;
        });
        methods.add("fail", [](request_context& r) -> task<int> {
            co_await asio::post(r.get_executor(), asio::deferred);
            throw partyline::rpc_error(7, "seven");
        });
        methods.add("moved", [](request_context&) -> task<int> {
            task<int> one = []() -> task<int> { co_return 1; }();
            const task<int> other = std::move(one);
            return one;
        });
        methods.add("echo", [](std::string text) -> task<std::string> { co_return text; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_tasks, tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(results_are_sent_as_those_of_others)
{
    send(request("1", "echo", R"(["a"])"));
    expect(result("1", R"("a")"));
    send(request("2", "text"));
    expect(result("2", "1.0"));
    send(request("3", "fail"));
    expect(R"({"jsonrpc":"2.0","id":3,"error":{"code":7,"message":"seven"}})");
    send(notification("text"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(one_that_was_moved_from_is_an_internal_error)
{
    send(request("1", "moved"));
    BOOST_TEST(receive().find("-32603") != std::string::npos);
    send(request("2", "echo", R"(["a"])"));
    expect(result("2", R"("a")"));
}

BOOST_AUTO_TEST_CASE(a_cancel_is_thrown_through)
{
    send(request("1", "hold"));
    expect(notification("begun"));
    BOOST_TEST(alive == 2);
    send(cancel("1"));
    expect(cancelled("1"));
    BOOST_TEST(alive == 0);
    BOOST_TEST(caught == 1);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_cancel_drops_what_asks_for_that)
{
    send(request("1", "drop"));
    expect(notification("begun"));
    BOOST_TEST(alive == 2);
    send(cancel("1"));
    expect(cancelled("1"));
    BOOST_TEST(alive == 0);
    BOOST_TEST(caught == 0);
    send(request("1", "echo", R"(["again"])")); // by the same worker
    expect(result("1", R"("again")"));
    send(request("1", "drop"));
    expect(notification("begun"));
    BOOST_TEST(alive == 2);
    send(cancel("1"));
    expect(cancelled("1"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(tasks_and_awaitables_are_served_by_the_same_workers)
{
    for (int round = 0; round < 20; ++round) {
        const std::string id = std::to_string(4 * round);
        send(request(id, "awaitable"));
        send(request(std::to_string(4 * round + 1), "hold"));
        send(request(std::to_string(4 * round + 2), "mixed"));
        send(request(std::to_string(4 * round + 3), "drop"));
        std::vector<std::string> lines;
        for (int i = 0; i < 4; ++i) {
            const std::string each = std::to_string(4 * round + (i * (round % 3 + 1)) % 4);
            send(cancel(each));
        }
        for (int i = 0; i < 4; ++i)
            lines.push_back(cancelled(std::to_string(4 * round + i)));
        if (round % 3 == 1) { // 0 and 2 alone, twice
            send(cancel(std::to_string(4 * round + 1)));
            send(cancel(std::to_string(4 * round + 3)));
        }
        lines.insert(lines.end(), 2, notification("begun"));
        expect_in_any_order(lines);
        BOOST_TEST(alive == 0);
    }
    send(request("1", "mixed"));
    send(request("2", "awaitable"));
    settle();
    forever.open();
    expect_in_any_order({result("1", "2"), result("2", "1")});
    end_input();
    BOOST_TEST(!wait_end());
}

BOOST_AUTO_TEST_CASE(an_awaitable_that_ends_at_once_is_never_in_flight)
{
    send(request("1", "awaitable_at_once", R"(["a"])") + '\n' + request("1", "throwing_awaitable") + '\n' +
         request("1", "awaitable_at_once", R"(["b"])"));
    expect(result("1", R"("a")"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":8,"message":"eight"}})");
    expect(result("1", R"("b")"));
}

BOOST_AUTO_TEST_CASE(each_awaitable_is_cancelled_afresh)
{
    for (int round = 0; round < 3; ++round) { // by the same worker
        send(request("1", "deaf_awaitable") + '\n' + cancel("1"));
        expect(result("1", "3"));
        send(request("1", "awaitable"));
        settle();
        send(cancel("1"));
        expect(cancelled("1"));
        send(request("1", "move_only"));
        expect(result("1", "[1.0]"));
    }
    end_input();
    BOOST_TEST(!wait_end());
    settle();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(an_offloaded_awaitable_leaves_nothing_on_an_executor_that_goes)
{
    auto pool = std::make_unique<asio::thread_pool>(1);
    methods.add(
        "pool",
        [](request_context& r) -> asio::awaitable<int> {
            co_await asio::post(r.get_executor(), asio::use_awaitable);
            co_return 4;
        },
        method_options{.executor = pool->get_executor()});
    send(request("1", "pool"));
    expect(result("1", "4"));
    send(request("2", "pool"));
    settle();
    pool->join(); // its result waits for us
    pool.reset();
    expect(result("2", "4"));
}

BOOST_AUTO_TEST_CASE(offloaded_tasks_end_and_are_cancelled_there)
{
    asio::thread_pool pool(2);
    methods.add(
        "pool_echo",
        [](request_context& r, std::string text) -> task<std::string> {
            co_await asio::post(r.get_executor(), asio::deferred);
            co_return text;
        },
        method_options{.executor = pool.get_executor()});
    methods.add(
        "pool_hold", [this](request_context& r) { return outer(r); }, method_options{.executor = pool.get_executor()});
    methods.add(
        "pool_drop", [this](request_context& r) { return outer(r); },
        method_options{.executor = pool.get_executor(), .on_cancel = cancelled_task::dropped});
    send(request("1", "pool_echo", R"(["a"])"));
    expect(result("1", R"("a")"));
    send(request("2", "pool_hold"));
    send(request("3", "pool_drop"));
    expect(notification("begun"));
    expect(notification("begun"));
    send(cancel("2"));
    send(cancel("3"));
    expect_in_any_order({cancelled("2"), cancelled("3")});
    BOOST_TEST(alive == 0);
    BOOST_TEST(caught == 1);
    end_input();
    BOOST_TEST(!wait_end());
    pool.join();
}

// A coroutine of Asio's beside a task hears the task's cancel, and what it then waits for throws.
asio::awaitable<int> wait_by_awaitable(std::atomic<int>& alive, request_context& request)
{
    const counted one(alive);
    asio::steady_timer timer(request.get_executor(), asio::steady_timer::time_point::max());
    static_cast<void>(request.notify("begun"));
    co_await timer.async_wait(asio::use_awaitable);
    co_return 1;
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_an_awaitable_in_a_task_here_and_elsewhere)
{
    asio::thread_pool pool(2);
    const auto bridged = [this](request_context& r) -> task<int> {
        const counted one(alive);
        try {
            co_return co_await wait_by_awaitable(alive, r);
        } catch (const boost::system::system_error& e) {
            caught += e.code() == asio::error::operation_aborted ? 1 : 0;
            throw;
        }
    };
    methods.add("here", bridged);
    methods.add("here_dropped", bridged, method_options{.on_cancel = cancelled_task::dropped});
    methods.add("there", bridged, method_options{.executor = pool.get_executor()});
    methods.add("there_dropped", bridged,
                method_options{.executor = pool.get_executor(), .on_cancel = cancelled_task::dropped});
    int throws = 0;
    for (const char* method : {"here", "here_dropped", "there", "there_dropped"}) {
        BOOST_TEST_CONTEXT(method)
        {
            send(request("1", method));
            expect(notification("begun"));
            BOOST_TEST(alive == 2);
            send(cancel("1"));
            expect(cancelled("1"));
            BOOST_TEST(alive == 0);
            BOOST_TEST(caught == ++throws); // it is thrown through, also where tasks are dropped
        }
    }
    end_input();
    BOOST_TEST(!wait_end());
    pool.join();
}

BOOST_AUTO_TEST_CASE(one_outlives_its_session_and_ends_later)
{
    std::unique_ptr<asio::any_completion_handler<void()>> kept;
    methods.add("deaf", [&](request_context&) -> task<int> {
        const counted one(alive);
        auto keep = [&](auto handler) {
            kept = std::make_unique<asio::any_completion_handler<void()>>(std::move(handler));
        };
        auto operation = asio::async_initiate<const asio::deferred_t&, void()>(keep, asio::deferred);
        co_await std::move(operation); // hears no cancel
        co_return 1;
    });
    options.cancel_grace = std::chrono::milliseconds(1);
    send(request("1", "deaf"));
    settle();
    server().stop();
    static_cast<void>(wait_end());
    destroy_session();
    settle();
    BOOST_TEST(alive == 1);
    asio::post(context, [done = std::move(kept)] { std::move (*done)(); });
    run_until([this] { return alive == 0; });
    BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(one_goes_away_with_its_io_context_and_its_session)
{
    auto other = std::make_unique<asio::io_context>();
    partyline::method_table own;
    own.add("hold", [this](request_context& r) { return outer(r); });
    {
        auto [ours, theirs] = partyline::memory_stream::make_pair(other->get_executor());
        partyline::session session(std::move(theirs), std::move(own));
        session.async_run([](partyline::error_code) {});
        const std::string lines = request("1", "hold") + '\n' + request("2", "hold") + '\n';
        ours.async_write_some(asio::buffer(lines), [](partyline::error_code, std::size_t) {});
        while (begun < 2)
            other->run_one();
    }
    BOOST_TEST(alive == 4);
    other.reset();
    BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(one_that_is_dropped_is_not_told_that_its_call_was_cancelled)
{
    const auto asks = [this](request_context& r) -> task<int> {
        const counted one(alive);
        try {
            co_return co_await r.call<int>("question");
        } catch (const std::exception&) {
            ++caught;
            throw;
        }
    };
    methods.add("asks", asks);
    methods.add("asks_dropped", asks, method_options{.on_cancel = cancelled_task::dropped});
    send(request("1", "asks_dropped"));
    expect(request("1", "question"));
    send(cancel("1"));
    expect_in_any_order({cancel("1"), cancelled("1")});
    BOOST_TEST(alive == 0);
    BOOST_TEST(caught == 0);
    send(request("2", "asks"));
    expect(request("2", "question"));
    send(cancel("2"));
    expect_in_any_order({cancel("2"), cancelled("2")});
    BOOST_TEST(caught == 1);
}

BOOST_AUTO_TEST_SUITE_END()
