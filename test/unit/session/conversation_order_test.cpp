#include "support/dialogue.hpp"

#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::method_options;

namespace {

struct fixture : dialogue {
    gate held{context};
    std::string order;

    fixture()
    {
        methods.add("mark", [this](std::string name) { order += name; });
        methods.add("wait", [this](std::string name) -> asio::awaitable<void> {
            order += name;
            co_await held.wait();
            order += name;
        });
    }

    void add_waiting(const char* name, method_options rules)
    {
        methods.add(
            name,
            [this](std::string text) -> asio::awaitable<void> {
                order += text;
                co_await held.wait();
                order += text;
            },
            std::move(rules));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_order, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(notifications_are_delivered_in_order_and_before_later_requests_start)
{
    for (const char* name : {"a", "b", "c"})
        send(notification("mark", R"([")" + std::string(name) + R"("])"));
    send(request("1", "mark", R"(["d"])"));
    expect(result("1", "null"));
    BOOST_TEST(order == "abcd");
}

BOOST_AUTO_TEST_CASE(a_notification_that_suspends_holds_up_nobody)
{
    send(notification("wait", R"(["a"])"));
    send(notification("mark", R"(["b"])"));
    send(request("1", "mark", R"(["c"])"));
    expect(result("1", "null"));
    BOOST_TEST(order == "abc");
    held.open();
    settle();
    BOOST_TEST(order == "abca");
}

BOOST_AUTO_TEST_CASE(an_ordered_notification_that_suspends_holds_up_what_comes_later_but_no_cancel)
{
    add_waiting("ordered", {.ordered = true});
    send(request("1", "wait", R"(["a"])"));
    send(notification("ordered", R"(["O"])"));
    send(notification("mark", R"(["b"])"));
    send(request("2", "mark", R"(["c"])"));
    send(request("3", "mark", R"(["d"])"));
    expect_silence();
    BOOST_TEST(order == "aO");
    send(cancel("3"));
    expect(cancelled("3"));
    send(cancel("1"));
    expect(cancelled("1"));
    held.open();
    expect(result("2", "null"));
    BOOST_TEST(order == "aOObc");
}

BOOST_AUTO_TEST_CASE(an_exclusive_request_runs_alone)
{
    add_waiting("alone", {.exclusive = true});
    send(request("1", "alone", R"(["E"])"));
    send(request("2", "alone", R"(["F"])"));
    send(request("3", "mark", R"(["b"])"));
    expect_silence();
    BOOST_TEST(order == "E");
    held.open();
    expect(result("1", "null"));
    expect(result("2", "null"));
    expect(result("3", "null"));
    BOOST_TEST(order == "EEFFb");
}

// rule: mcp.tools.rate
BOOST_AUTO_TEST_CASE(a_bounded_method_runs_so_many_at_once)
{
    add_waiting("two", {.max_concurrent = 2});
    for (const char* id : {"1", "2", "3", "4"})
        send(request(id, "two", R"([")" + std::string(id) + R"("])"));
    send(request("5", "mark", R"(["x"])"));
    expect(result("5", "null"));
    BOOST_TEST(order == "12x");
    held.open();
    expect_in_any_order({result("1", "null"), result("2", "null"), result("3", "null"), result("4", "null")});
    BOOST_TEST(order.substr(0, 3) == "12x");
}

BOOST_AUTO_TEST_CASE(a_batch_may_have_to_wait_like_any_other)
{
    add_waiting("ordered", {.ordered = true});
    send(notification("ordered", R"(["O"])"));
    send('[' + request("1", "mark", R"(["a"])") + ',' + notification("mark", R"(["b"])") + ",1]");
    send(request("2", "mark", R"(["c"])"));
    expect_silence();
    held.open();
    expect(
        '[' +
        std::string(
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"expected an object"}}})") +
        ',' + result("1", "null") + ']');
    expect(result("2", "null"));
    BOOST_TEST(order == "OOabc");
}

BOOST_AUTO_TEST_CASE(handlers_that_never_suspend_start_as_they_come_in_any_number)
{
    std::string expected;
    for (int i = 0; i < 3000; ++i) {
        send(request(std::to_string(i), "mark", R"(["."])"));
        expected += '.';
    }
    for (int i = 0; i < 3000; ++i)
        expect(result(std::to_string(i), "null"));
    BOOST_TEST(order == expected);
}

BOOST_AUTO_TEST_SUITE_END()
