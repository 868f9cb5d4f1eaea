#include "support/dialogue.hpp"

#include <partyline/session/peer_wait.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::method_options;
using partyline::request_context;

namespace {

std::string busy(std::string_view id, std::size_t limit, std::size_t value)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
           R"(,"error":{"code":-31001,"message":"Server busy","data":{"limit":)" + std::to_string(limit) +
           R"(,"value":)" + std::to_string(value) + "}}}";
}

struct fixture : dialogue {
    gate held{context};
    gate answered{context};
    std::string order;

    fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add("wait", [this](request_context& request) -> asio::awaitable<int> {
            order += request.id().text();
            co_await held.wait();
            co_return 1;
        });
        methods.add_notification("note", [this] { order += "n"; });
        methods.add("ask", [this](request_context& request) -> asio::awaitable<int> {
            const partyline::peer_wait waiting(request);
            const partyline::peer_wait nested(request);
            co_await answered.wait();
            co_return 2;
        });
        methods.add_notification("answer", [this] { answered.open(); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_admission, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(handlers_that_suspend_go_on_before_all_of_a_long_read_have_started)
{
    constexpr int requests = 1000; // in one read
    int started = 0, ended = 0, max_at_once = 0;
    methods.add("step", [&](request_context& request) -> asio::awaitable<int> {
        max_at_once = std::max(max_at_once, ++started - ended);
        co_await asio::post(request.get_executor(), asio::use_awaitable);
        co_return ++ended;
    });
    std::string lines;
    for (int i = 1; i != requests; ++i)
        lines += request(std::to_string(i), "step") + '\n';
    send(lines + request(std::to_string(requests), "step"));
    end_input(); // which is not to be taken for the end of what has come
    BOOST_TEST(wait_end() == partyline::error_code());
    BOOST_TEST(ended == requests);
    BOOST_TEST(take_lines().size() == std::size_t(requests));
    BOOST_TEST(max_at_once < requests / 2);
}

BOOST_AUTO_TEST_CASE(over_the_in_flight_budget_requests_and_notifications_wait_in_order)
{
    options.bounds.in_flight_requests = 2;
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "wait"));
    send(notification("note"));
    send(request("4", "echo"));
    expect_silence();
    BOOST_TEST(order == "12");
    BOOST_TEST(server().counters().waiting == 3u);
    send(cancel("1"));
    expect(cancelled("1"));
    held.open();
    expect_in_any_order({result("2", "1"), result("3", "1"), result("4", "null")});
    BOOST_TEST(order == "123n");
    BOOST_TEST(server().counters().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(the_bytes_in_flight_are_bounded_too)
{
    options.bounds.in_flight_bytes = 200;
    send(request("1", "wait", '[' + std::string(300, ' ') + ']')); // one is always admitted
    send(request("2", "wait"));
    expect_silence();
    BOOST_TEST(order == "1");
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1")});
}

// rule: mcp.tools.rate, mcp.completion.rate
BOOST_AUTO_TEST_CASE(over_the_waiting_budget_requests_are_refused_and_cancels_still_act)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "wait"));
    expect(busy("3", 1, 2));
    send(request("3", "echo")); // its id is free
    expect(busy("3", 1, 2));
    send(request("2", "wait")); // is in flight, although it waits
    BOOST_TEST(receive().find(R"("id":null)") != std::string::npos);
    send(cancel("2"));
    expect(cancelled("2"));
    send(request("4", "wait"));
    expect_silence();
    send(cancel("1"));
    expect(cancelled("1"));
    held.open();
    expect(result("4", "1"));
    const partyline::session_counters counts = server().counters();
    BOOST_TEST(counts.busy == 2u);
    BOOST_TEST(counts.cancelled == 2u);
    BOOST_TEST(counts.peak_waiting == 1u);
    BOOST_TEST(counts.peak_in_flight == 1u);
}

// rule: mcp.tools.rate
BOOST_AUTO_TEST_CASE(the_bytes_that_wait_are_bounded_too)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_bytes = 2 * request("2", "wait").size();
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "wait", "{}"));
    const std::size_t size = request("3", "wait", "{}").size();
    expect(busy("3", options.bounds.waiting_bytes, request("2", "wait").size() + size));
    send(request("4", "wait"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_are_refused_one_by_one)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    send('[' + request("1", "wait") + ',' + request("2", "echo") + ',' + request("3", "echo") + ']');
    expect_silence();
    held.open();
    expect('[' + busy("3", 1, 2) + ',' + result("1", "1") + ',' + result("2", "null") + ']');
}

BOOST_AUTO_TEST_CASE(a_notification_without_room_ends_the_session)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    send(request("1", "wait"));
    send(request("2", "echo"));
    send(notification("note"));
    BOOST_TEST(wait_end() == make_error_code(errc::overloaded));
    BOOST_TEST(logged.size() == 1u);
    BOOST_TEST(order == "1");
    // Both were told.
    expect_in_any_order(
        {cancelled("1", "the session is being stopped"), cancelled("2", "the session is being stopped")});
}

BOOST_AUTO_TEST_CASE(pausing_loses_nothing)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 2;
    options.on_overload = partyline::overload::pause;
    std::vector<std::string> results;
    for (int i = 0; i < 100; ++i) {
        send(request(std::to_string(i), "wait"));
        results.push_back(result(std::to_string(i), "1"));
    }
    send(notification("note"));
    end_input();
    expect_silence();
    BOOST_TEST(server().counters().messages_in == 3u);
    held.open();
    expect_in_any_order(results);
    BOOST_TEST(!wait_end());
    BOOST_TEST(order.ends_with("99n"));
    BOOST_TEST(server().counters().peak_waiting == 2u);
}

BOOST_AUTO_TEST_CASE(pausing_without_any_room_to_wait_goes_on_one_by_one)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 0;
    options.on_overload = partyline::overload::pause;
    for (const char* id : {"1", "2", "3"})
        send(request(id, "wait"));
    expect_silence();
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1"), result("3", "1")});
}

BOOST_AUTO_TEST_CASE(input_that_ends_while_the_reader_pauses_is_drained_to_its_last_line)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    options.on_overload = partyline::overload::pause;
    options.drain_timeout = std::chrono::milliseconds(0); // from when all of it has been taken
    for (const char* id : {"1", "2", "3", "4"})
        send(request(id, "wait"));
    end_input();
    settle();
    BOOST_TEST(!has_ended());
    held.open();
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(one_that_waits_for_the_peer_holds_no_slot)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.peer_waits = 1;
    send(request("1", "ask"));
    send(request("2", "ask")); // over that cap: it keeps its slot
    send(request("3", "echo"));
    expect_silence();
    send(notification("answer"));
    expect_silence(); // in its place, behind 3
    send(cancel("2"));
    expect(cancelled("2"));
    expect_in_any_order({result("1", "2"), result("3", "null")});
}

BOOST_AUTO_TEST_CASE(two_that_ask_each_other_at_their_caps_go_on)
{
    options.bounds.in_flight_requests = 2;
    for (const char* id : {"1", "2", "3", "4"})
        send(request(id, "ask"));
    send(notification("answer"));
    expect_in_any_order({result("1", "2"), result("2", "2"), result("3", "2"), result("4", "2")});
}

BOOST_AUTO_TEST_CASE(one_that_waits_for_the_peer_elsewhere_holds_no_slot)
{
    options.bounds.in_flight_requests = 1;
    asio::thread_pool pool(1);
    methods.add(
        "ask elsewhere",
        [](request_context& request) -> asio::awaitable<int> {
            asio::steady_timer forever(request.get_executor(), asio::steady_timer::time_point::max());
            const partyline::peer_wait waiting(request);
            co_await forever.async_wait(asio::use_awaitable);
            co_return 1;
        },
        method_options{.executor = pool.get_executor()});
    send(request("1", "ask elsewhere"));
    send(request("2", "echo"));
    expect(result("2", "null"));
    send(cancel("1"));
    expect(cancelled("1"));
}

// rule: mcp.cancel.free
BOOST_AUTO_TEST_CASE(nothing_is_left_of_requests_that_are_done)
{
    options.bounds.in_flight_requests = 3;
    methods.add(
        "one", [this]() -> asio::awaitable<void> { co_await held.wait(); }, method_options{.max_concurrent = 1});
    held.open();
    for (int i = 0; i < 50; ++i) {
        send(request("1", "one"));
        send(request("2", "ask"));
        send(cancel("2"));
        expect_in_any_order({result("1", "null"), cancelled("2")});
    }
    const partyline::session_counters counts = server().counters();
    BOOST_TEST(counts.in_flight == 0u);
    BOOST_TEST(counts.waiting == 0u);
    BOOST_TEST(counts.waiting_bytes == 0u);
    BOOST_TEST(counts.outbox_bytes == 0u);
    BOOST_TEST(counts.requests == 100u);
    BOOST_TEST(counts.cancelled == 50u);
}

BOOST_AUTO_TEST_SUITE_END()
