#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;
using partyline::method_options;
using partyline::request_context;

namespace {

// Asks the peer and answers what that says.
asio::awaitable<json::value> ask_back(request_context& context, std::string question)
{
    json::array params{question};
    auto answer = co_await context.call<json::value>("ask", std::move(params))(asio::use_awaitable);
    co_return std::move(answer).value();
}

struct fixture : dialogue {
    asio::thread_pool pool{2};

    fixture()
    {
        methods.add("ask_back", ask_back);
        methods.add("pool_ask_back", ask_back, method_options{.executor = pool.get_executor()});
        methods.add("echo", [](json::value v) { return v; });
        options.bounds.in_flight_requests = 2;
    }
    ~fixture()
    {
        destroy_session();
        settle();
        pool.join();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_nested_calls, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_handler_calls_the_peer_back)
{
    for (const char* method : {"ask_back", "pool_ask_back"}) {
        const std::string id = method[0] == 'a' ? "1" : "2";
        send(request("\"x\"", method, R"(["why"])"));
        expect(request(id, "ask", R"(["why"])"));
        send(result(id, "\"because\""));
        expect(result("\"x\"", "\"because\""));
    }
}

BOOST_AUTO_TEST_CASE(an_error_of_the_peer_goes_on_to_who_asked)
{
    send(request("\"x\"", "ask_back", R"(["why"])"));
    receive();
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"no"}})");
    expect(R"({"jsonrpc":"2.0","id":"x","error":{"code":7,"message":"no"}})");
}

BOOST_AUTO_TEST_CASE(cancelling_a_request_cancels_what_its_handler_awaits)
{
    for (const char* method : {"ask_back", "pool_ask_back"}) {
        const std::string id = method[0] == 'a' ? "1" : "2";
        send(request("\"x\"", method, R"(["why"])"));
        receive();
        send(cancel("\"x\""));
        expect_in_any_order({cancel(id), cancelled("\"x\"")});
    }
    BOOST_TEST(server().counters().open_calls == 0);
}

BOOST_AUTO_TEST_CASE(cancelling_a_request_cancels_calls_that_nobody_awaits)
{
    gate forever{context};
    outcome o;
    methods.add("detached", [&](request_context& c) -> asio::awaitable<int> {
        c.call("ask", nullptr)(o.handler());
        co_await forever.wait();
        co_return 1;
    });
    send(request("\"x\"", "detached"));
    expect(request("1", "ask"));
    send(cancel("\"x\""));
    expect(cancel("1"));
    expect(cancelled("\"x\""));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == failed(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_call_goes_on_when_its_handler_has_ended)
{
    outcome o;
    methods.add("leave", [&](request_context& c) {
        c.call("ask", nullptr)(o.handler());
        return 1;
    });
    send(request("\"x\"", "leave"));
    expect_in_any_order({request("1", "ask"), result("\"x\"", "1")});
    send(cancel("\"x\""));
    send(result("1", "5"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == "result 5");
}

BOOST_AUTO_TEST_CASE(who_waits_for_the_peer_holds_no_slot)
{
    for (int i = 1; i <= 5; ++i) {
        send(request('"' + std::to_string(i) + '"', "ask_back", R"(["why"])"));
        expect(request(std::to_string(i), "ask", R"(["why"])"));
    }
    send(request("9", "echo", "[1]"));
    expect(result("9", "[1]"));
    for (int i = 5; i >= 1; --i) {
        send(result(std::to_string(i), "0"));
        expect(result('"' + std::to_string(i) + '"', "0"));
    }
    BOOST_TEST(server().counters().in_flight == 0);
}

BOOST_AUTO_TEST_CASE(who_has_the_peers_reply_holds_a_slot_again)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.peer_waits = 1;
    gate held{context};
    methods.add("ask, then wait", [&held](request_context& c) -> asio::awaitable<int> {
        auto answer = co_await c.call<int>("ask", nullptr)(asio::use_awaitable);
        co_await held.wait();
        co_return answer.value();
    });
    send(request("\"a\"", "ask, then wait"));
    expect(request("1", "ask"));
    send(result("1", "5"));
    run_until([&] { return held.arrivals == 1; });
    send(request("\"b\"", "echo", "[2]")); // while it waits for something else, it has the one slot that there is
    expect_silence();
    BOOST_TEST(server().counters().waiting == 1u);
    held.open();
    expect(result("\"a\"", "5"));
    expect(result("\"b\"", "[2]"));
    send(request("\"c\"", "ask_back", R"(["why"])")); // and the place of those who wait for the peer is free
    expect(request("2", "ask", R"(["why"])"));
}

BOOST_AUTO_TEST_CASE(beyond_the_limit_a_call_is_refused_and_its_request_answered_busy)
{
    options.bounds.peer_waits = 1;
    send(request("\"a\"", "ask_back", R"(["why"])"));
    expect(request("1", "ask", R"(["why"])"));
    send(request("\"b\"", "ask_back", R"(["why"])"));
    const std::string busy = receive();
    BOOST_TEST(busy.find(R"("id":"b","error":{"code":-31001,"message":"Server busy")") != std::string::npos, busy);
    send(result("1", "1"));
    expect(result("\"a\"", "1"));
    send(request("\"c\"", "ask_back", R"(["why"])"));
    expect(request("3", "ask", R"(["why"])"));
}

BOOST_AUTO_TEST_CASE(two_calls_of_one_handler_count_once)
{
    options.bounds.peer_waits = 1;
    methods.add("twice", [](request_context& c) -> asio::awaitable<int> {
        c.call("first", nullptr)(asio::detached);
        auto second = co_await c.call<int>("second", nullptr)(asio::use_awaitable);
        co_return second.value();
    });
    send(request("\"x\"", "twice"));
    expect(request("1", "first"));
    expect(request("2", "second"));
    send(result("2", "2"));
    expect(result("\"x\"", "2"));
    send(request("\"y\"", "twice"));
    expect(request("3", "first"));
}

BOOST_AUTO_TEST_CASE(a_deadline_cancels_the_calls_too)
{
    methods.add("hurry", ask_back, method_options{.deadline = 20ms});
    send(request("\"x\"", "hurry", R"(["why"])"));
    receive();
    expect(cancel("1"));
    expect(cancelled("\"x\"", "deadline exceeded"));
}

BOOST_AUTO_TEST_CASE(a_handler_may_keep_calling_through_the_end_of_its_deadline)
{
    methods.add("clean_up", [](request_context& c) -> asio::awaitable<std::string> {
        const auto token = asio::as_tuple(asio::use_awaitable);
        const auto [code, reply] = co_await c.call("work", nullptr)(token);
        co_await asio::this_coro::reset_cancellation_state();
        const auto [last_code, last] = co_await c.call("undo", nullptr)(token);
        co_return last->text();
    });
    send(request("\"x\"", "clean_up"));
    expect(request("1", "work"));
    send(cancel("\"x\""));
    expect(cancel("1"));
    expect(request("2", "undo"));
    send(result("2", "\"undone\""));
    expect(result("\"x\"", R"("\"undone\"")"));
}

BOOST_AUTO_TEST_CASE(a_handler_makes_a_batch_and_tells_of_progress)
{
    methods.add("many", [](request_context& c) -> asio::awaitable<int> {
        partyline::call_batch all;
        all.call("a").notify("n").call("b", {1});
        const std::vector<partyline::response> replies = co_await c.batch(std::move(all));
        co_return static_cast<int>(replies.size());
    });
    send(request("\"x\"", "many"));
    expect('[' + request("1", "a") + ',' + notification("n") + ',' + request("2", "b", "[1]") + ']');
    send('[' + result("2", "2") + ',' + result("1", "1") + ']');
    expect(result("\"x\"", "2"));
}

BOOST_AUTO_TEST_SUITE_END()
