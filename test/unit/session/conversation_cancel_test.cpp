#include "support/dialogue.hpp"

#include <partyline/session/clean_up.hpp>

#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <future>
#include <string>
#include <thread>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::method_options;
using partyline::request_context;

namespace {

struct fixture : dialogue {
    gate forever{context};

    fixture()
    {
        methods.add("wait", [this](request_context&) -> asio::awaitable<int> {
            co_await forever.wait();
            co_return 1;
        });
        methods.add("echo", [](json::value v) { return v; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_cancel, fixture, *boost::unit_test::timeout(60))

// rule: mcp.cancel.stop
BOOST_AUTO_TEST_CASE(a_running_request_ends_at_once)
{
    send(request("1", "wait"));
    send(cancel("1"));
    expect(cancelled("1"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(cancelling_twice_answers_once)
{
    send(request("1", "wait"));
    send(cancel("1"));
    send(cancel("1"));
    expect(cancelled("1"));
    expect_silence();
}

// rule: mcp.cancel.invalid
BOOST_AUTO_TEST_CASE(what_names_no_request_in_flight_is_ignored)
{
    send(request("1", "echo", "[1]"));
    expect(result("1", "[1]"));
    send(request("2", "wait"));
    for (const char* id : {"1", "3", "\"2\"", "2.0", "null", "true", "[2]", "{}"})
        send(cancel(id));
    send(notification("$/cancelRequest"));
    send(notification("$/cancelRequest", "[2]"));
    send(notification("$/cancelRequest", R"({"Id":2})"));
    expect_silence();
    forever.open();
    expect(result("2", "1"));
}

BOOST_AUTO_TEST_CASE(a_string_id_is_found_in_any_spelling)
{
    send(request(R"("a")", "wait"));
    send(cancel(R"("\u0061")"));
    expect(cancelled(R"("a")"));
}

BOOST_AUTO_TEST_CASE(sent_as_a_request_it_does_nothing)
{
    send(request("1", "wait"));
    send(request("2", "$/cancelRequest", R"({"id":1})"));
    expect(
        R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found","data":{"method":"$/cancelRequest"}}})");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_late_cancel_does_not_reach_the_next_use_of_an_id)
{
    send(request("1", "wait"));
    send(cancel("1"));
    send(request("1", "wait")); // the first one has not ended yet
    expect(
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"a request with this id is in flight","id":1}}})");
    expect(cancelled("1"));
    send(request("1", "wait"));
    expect_silence();
    forever.open();
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(a_request_that_waits_never_starts)
{
    methods.add(
        "one",
        [this]() -> asio::awaitable<int> {
            co_await forever.wait();
            co_return 1;
        },
        method_options{.max_concurrent = 1});
    send(request("1", "one"));
    send(request("2", "one"));
    send(request("3", "one"));
    send(cancel("2"));
    expect(cancelled("2"));
    BOOST_TEST(forever.arrivals == 1);
    forever.open();
    expect(result("1", "1"));
    expect(result("3", "1"));
    BOOST_TEST(forever.arrivals == 2);
}

BOOST_AUTO_TEST_CASE(a_handler_may_return_a_result_or_an_error_of_its_own_instead)
{
    methods.add("result", [this]() -> asio::awaitable<int> {
        try {
            co_await forever.wait();
        } catch (const boost::system::system_error&) {
        }
        co_return 2;
    });
    methods.add("error", [this]() -> asio::awaitable<int> {
        try {
            co_await forever.wait();
        } catch (const boost::system::system_error&) {
        }
        throw partyline::rpc_error(5, "five");
    });
    send(request("1", "result"));
    send(request("2", "error"));
    send(cancel("1"));
    send(cancel("2"));
    expect(result("1", "2"));
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":5,"message":"five"}})");
}

BOOST_AUTO_TEST_CASE(a_handler_may_clean_up_and_report_meanwhile)
{
    gate cleaned(context);
    methods.add("clean", [&](request_context& request) -> asio::awaitable<int> {
        try {
            co_await forever.wait();
        } catch (const boost::system::system_error&) {
        }
        BOOST_TEST(request.cancelled());
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await request.progress("cleaning");
        co_await cleaned.wait();
        co_return 3;
    });
    send(request("1", "clean"));
    send(cancel("1"));
    expect(notification("$/progress", R"({"token":1,"value":"cleaning"})"));
    expect_silence();
    cleaned.open();
    expect(result("1", "3"));
}

asio::awaitable<int> work_at(gate& place, bool fails)
{
    co_await place.wait();
    if (fails)
        throw partyline::rpc_error(5, "no");
    co_return 3;
}

asio::awaitable<void> clean_at(gate& place, bool fails, std::string& told)
{
    told += "cleaning ";
    co_await place.wait();
    told += "cleaned";
    if (fails)
        throw partyline::rpc_error(6, "not clean");
}

asio::awaitable<void> ask_back(request_context& request)
{
    const bool is_released = co_await request.call<bool>("release");
    if (is_released) // g++ 12 gets it wrong when the call stands here
        co_await request.notify("released");
}

BOOST_AUTO_TEST_CASE(a_clean_up_is_awaited_however_the_work_ends)
{
    struct row {
        const char* what;
        bool is_cancelled, work_fails, clean_up_fails;
        std::string answer;
    };
    const row rows[] = {
        {"result", false, false, false, result("1", "3")},
        {"failure", false, true, false, R"({"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"no"}})"},
        {"cancel", true, false, false, cancelled("1")},
        {"both fail", false, true, true, R"({"jsonrpc":"2.0","id":1,"error":{"code":6,"message":"not clean"}})"},
        {"cancel and failure", true, false, true,
         R"({"jsonrpc":"2.0","id":1,"error":{"code":6,"message":"not clean"}})"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.what)
        {
            dialogue d;
            gate working(d.context), cleaning(d.context);
            std::string told;
            d.methods.add("build", [&]() -> asio::awaitable<int> {
                co_return co_await partyline::with_clean_up(work_at(working, r.work_fails),
                                                            clean_at(cleaning, r.clean_up_fails, told));
            });
            d.send(request("1", "build"));
            d.expect_silence();
            BOOST_TEST(told == "");
            if (r.is_cancelled)
                d.send(cancel("1"));
            else
                working.open();
            d.send(cancel("1")); // one that comes meanwhile does not reach it
            d.expect_silence();
            BOOST_TEST(told == "cleaning ");
            cleaning.open();
            d.expect(r.answer);
            BOOST_TEST(told == "cleaning cleaned");
        }
    }
}

asio::awaitable<void> wait_at(gate& place)
{
    co_await place.wait();
}

BOOST_AUTO_TEST_CASE(a_cancel_during_a_clean_up_is_heard_after_it)
{
    gate opened(context), cleaning(context);
    std::string told;
    methods.add("round", [&]() -> asio::awaitable<std::string> {
        co_await partyline::with_clean_up(work_at(opened, false), clean_at(cleaning, false, told));
        told += " next";
        co_await wait_at(forever);
        co_return "never";
    });
    opened.open();
    send(request("1", "round"));
    expect_silence();
    send(cancel("1"));
    expect_silence();
    cleaning.open();
    expect(cancelled("1"));
    BOOST_TEST(told == "cleaning cleaned next");
}

BOOST_AUTO_TEST_CASE(a_clean_up_may_call_and_tell_the_peer)
{
    methods.add("ask", [&](request_context& request) -> asio::awaitable<int> {
        co_await partyline::with_clean_up(wait_at(forever), ask_back(request));
        co_return 1;
    });
    send(request("1", "ask"));
    send(cancel("1"));
    expect(request("1", "release"));
    expect_silence();
    send(result("1", "true"));
    expect(notification("released"));
    expect(cancelled("1"));
}

// What a handler does to its coroutine's cancellation must not leak into the next request that its worker serves.
BOOST_AUTO_TEST_CASE(the_next_request_can_be_cancelled_whatever_the_last_one_did)
{
    methods.add("rude", []() -> asio::awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await asio::this_coro::throw_if_cancelled(false);
        co_return 1;
    });
    send(request("1", "rude"));
    expect(result("1", "1"));
    for (int i = 0; i < 3; ++i) {
        send(request("2", "wait"));
        send(cancel("2"));
        expect(cancelled("2"));
    }
}

BOOST_AUTO_TEST_CASE(operation_aborted_without_a_cancel_is_an_internal_error)
{
    methods.add("abort", []() -> asio::awaitable<int> {
        throw boost::system::system_error(asio::error::operation_aborted);
        co_return 1;
    });
    send(request("1", "abort"));
    expect(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error","data":{"exception":"boost::system::system_error"}}})");
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_notification_is_its_own)
{
    gate held{context};
    std::string ended;
    const auto wait = [&](const char* name) {
        return [&held, &ended, name](request_context&) -> asio::awaitable<void> {
            try {
                co_await held.wait();
            } catch (...) {
                ended += name;
                throw;
            }
            ended += '-';
        };
    };
    methods.add_notification("long", wait("long"), method_options{.deadline = std::chrono::hours(1)});
    methods.add_notification("short", wait("short"), method_options{.deadline = std::chrono::milliseconds(1)});
    send(notification("long"));
    send(notification("short"));
    run_until([&] { return !ended.empty(); });
    settle();
    BOOST_TEST(ended == "short");
    held.open();
    run_until([&] { return ended == "short-"; });
}

BOOST_AUTO_TEST_CASE(a_deadline_cancels_and_says_so)
{
    methods.add(
        "late",
        [this]() -> asio::awaitable<int> {
            co_await forever.wait();
            co_return 1;
        },
        method_options{.deadline = std::chrono::milliseconds(1)});
    methods.add(
        "in_time", []() -> asio::awaitable<int> { co_return 1; }, method_options{.deadline = std::chrono::hours(1)});
    send(request("1", "in_time"));
    expect(result("1", "1"));
    send(request("2", "late"));
    expect(cancelled("2", "deadline exceeded"));
}

BOOST_AUTO_TEST_CASE(a_deadline_may_be_answered_whatever_the_handler_does)
{
    gate stubborn(context);
    const auto ignore = [&](request_context& request) -> asio::awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await stubborn.wait();
        request.progress("late");
        request.notify("late");
        co_return 1;
    };
    methods.add("late", ignore,
                {.max_concurrent = 1, .deadline = std::chrono::milliseconds(1), .answers_at_deadline = true});
    send(request("1", "late"));
    expect(cancelled("1", "deadline exceeded"));
    BOOST_TEST(server().counters().in_flight == 1u); // it keeps its slot
    send(request("1", "late"));                      // the id is free again
    expect_silence();
    stubborn.open();
    expect(progress("1", "\"late\"")); // of the second one
    expect(notification("late"));
    expect(result("1", "1"));
    expect_silence();
    BOOST_TEST(server().counters().in_flight == 0u);
}

BOOST_AUTO_TEST_CASE(a_deadline_is_answered_within_its_batch_and_once)
{
    methods.add("late", [this]() -> asio::awaitable<int> { co_return co_await work_at(forever, false); },
                {.deadline = std::chrono::milliseconds(1), .answers_at_deadline = true});
    send('[' + request("1", "late") + ',' + request("2", "echo", "[2]") + ']');
    const std::string both = receive();
    BOOST_TEST(both.find(cancelled("1", "deadline exceeded")) != both.npos, both);
    BOOST_TEST(both.find(result("2", "[2]")) != both.npos, both);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_deadline_is_answered_for_a_function_that_computes_elsewhere)
{
    asio::thread_pool pool(1);
    std::promise<void> go_on;
    std::shared_future<void> may_go_on = go_on.get_future().share();
    methods.add(
        "compute", [may_go_on] { return may_go_on.wait(), 1; },
        {.executor = pool.get_executor(), .deadline = std::chrono::milliseconds(1), .answers_at_deadline = true});
    send(request("1", "compute"));
    expect(cancelled("1", "deadline exceeded"));
    go_on.set_value();
    run_until([&] { return server().counters().in_flight == 0; });
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_cancel_is_delivered_where_the_handler_runs)
{
    asio::thread_pool pool(1);
    methods.add(
        "remote",
        [](request_context& request) -> asio::awaitable<int> {
            asio::steady_timer timer(request.get_executor(), asio::steady_timer::time_point::max());
            co_await timer.async_wait(asio::use_awaitable);
            co_return 1;
        },
        method_options{.executor = pool.get_executor()});
    methods.add(
        "busy",
        [](request_context& request) {
            while (!request.cancelled())
                std::this_thread::yield();
            throw std::runtime_error("cancelled");
        },
        method_options{.executor = pool.get_executor()});
    send(request("1", "remote"));
    send(cancel("1"));
    expect(cancelled("1"));
    send(request("2", "busy"));
    send(cancel("2"));
    expect(cancelled("2"));
    end_input();
    BOOST_TEST(!wait_end());
}

// Waits until it is cancelled, and then throws where nobody expects it.
struct rude_wait {
    template <class Handler>
    void operator()(Handler handler, asio::steady_timer* timer) const
    {
        auto slot = asio::get_associated_cancellation_slot(handler);
        timer->async_wait([handler = std::move(handler)](boost::system::error_code) mutable { std::move(handler)(); });
        slot.assign([timer](asio::cancellation_type) {
            timer->cancel();
            throw std::runtime_error("not me");
        });
    }
};

asio::awaitable<int> wait_rudely(request_context& request)
{
    asio::steady_timer timer(request.get_executor(), asio::steady_timer::time_point::max());
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(rude_wait(), asio::use_awaitable, &timer);
    co_return 1;
}

BOOST_AUTO_TEST_CASE(a_handler_whose_cancel_throws_goes_on)
{
    asio::thread_pool pool(1);
    methods.add("here", wait_rudely);
    methods.add("elsewhere", wait_rudely, {.executor = pool.get_executor()});
    for (const char* method : {"here", "elsewhere"}) {
        send(request("1", method));
        send(cancel("1"));
        expect(result("1", "1"));
    }
    BOOST_TEST(logged.size() == 2u);
    for (const std::string& line : logged)
        BOOST_TEST((line.starts_with("a handler could not be cancelled: ") && line.ends_with("not me")), line);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_are_cancelled_one_by_one)
{
    send('[' + request("1", "wait") + ',' + request("2", "wait") + ']');
    send(cancel("2"));
    expect_silence();
    forever.open();
    const std::string reply = receive();
    BOOST_TEST(reply == '[' + cancelled("2") + ',' + result("1", "1") + ']');
}

BOOST_AUTO_TEST_SUITE_END()
