#include "support/dialogue.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <thread>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::method_options;
using partyline::request_context;

BOOST_AUTO_TEST_SUITE(conversation_requests, *boost::unit_test::timeout(60))

// rule: jsonrpc.response.reply
BOOST_AUTO_TEST_CASE(replies_leave_as_they_are_ready)
{
    dialogue d;
    gate slow(d.context);
    d.methods.add("slow", [&]() -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    d.methods.add("fast", [] { return 2; });
    d.send(request("1", "slow"));
    d.send(request("\"1\"", "fast"));
    d.expect(result("\"1\"", "2"));
    d.expect_silence();
    slow.open();
    d.expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(an_id_in_flight_is_refused_without_touching_the_first)
{
    dialogue d;
    gate slow(d.context);
    d.methods.add("slow", [&]() -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    const std::string refusal_head =
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":)"
        R"({"reason":"a request with this id is in flight","id":)";
    d.send(request("\"a\"", "slow"));
    d.send(request(R"("\u0061")", "slow"));
    d.expect(refusal_head + R"("a"}}})");
    d.send(request("1", "slow"));
    d.send(request("1", "nothing_like_it"));
    d.expect(refusal_head + "1}}}");
    d.send(request("1e400", "slow"));
    d.send(request("1e400", "slow"));
    d.expect(refusal_head + R"("1e400"}}})"); // no double: as text
    d.send(cancel("1e400"));
    d.receive();
    d.send(request("1.0", "slow")); // another id
    d.expect_silence();
    slow.open();
    d.expect_in_any_order({result("\"a\"", "1"), result("1", "1"), result("1.0", "1")});
    d.send(request("1", "slow"));
    d.expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(a_notification_that_its_handler_refuses_is_logged)
{
    dialogue d;
    d.methods.add_notification("note", [](int) {}, {"number"});
    d.send(notification("note", R"({"number":"x"})"));
    d.expect_silence();
    BOOST_TEST_REQUIRE(d.logged.size() == 1u);
    BOOST_TEST(d.logged[0].starts_with(
                   R"(the handler of "note" refused a notification: Invalid params {"parameter":"number",)"),
               d.logged[0]);
}

// rule: jsonrpc.response.reply, jsonrpc.error.internal
BOOST_AUTO_TEST_CASE(exceptions_become_errors_and_are_logged)
{
    struct odd {};
    dialogue d;
    d.methods.add("std", [] { throw std::out_of_range("a secret"); });
    d.methods.add("odd", [] { throw odd(); });
    d.methods.add("coroutine", []() -> asio::awaitable<void> {
        throw std::out_of_range("a secret");
        co_return;
    });
    d.methods.add("rpc", [] { throw partyline::rpc_error(7, "seven", json::value("data")); });
    d.send(request("1", "std"));
    d.expect(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error","data":{"exception":"std::out_of_range"}}})");
    d.send(request("2", "coroutine"));
    d.expect(
        R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error","data":{"exception":"std::out_of_range"}}})");
    d.send(request("3", "rpc"));
    d.expect(R"({"jsonrpc":"2.0","id":3,"error":{"code":7,"message":"seven","data":"data"}})");
    d.send(request("4", "odd"));
    const std::string reply = d.receive();
    BOOST_TEST(reply.find("odd") != std::string::npos);
    BOOST_TEST(reply.find("-32603") != std::string::npos);
    BOOST_REQUIRE(d.logged.size() == 3u);
    BOOST_TEST(d.logged[0] == R"(the handler of "std" threw std::out_of_range: a secret)");
}

BOOST_AUTO_TEST_CASE(the_text_of_exceptions_is_sent_only_when_asked_for)
{
    dialogue d;
    d.options.expose_errors = true;
    d.methods.add("std", [] { throw std::out_of_range("no secret \xff"); });
    d.send(request("1", "std"));
    d.expect(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error","data":{"exception":"std::out_of_range","what":"no secret )"
        "\xef\xbf\xbd"
        R"("}}})");
}

// rule: mcp.message.utf8, mcp.stdio.line, mcp.tools.outputs
BOOST_AUTO_TEST_CASE(what_is_not_json_never_reaches_the_wire)
{
    dialogue d;
    d.methods.add("infinite", [] { return json::value({{"a", json::value({1, 1e308 * 10})}}); });
    d.methods.add("latin", [] { return std::string("caf\xe9"); });
    d.methods.add("text", [] { return partyline::json_text("{\"a\":}"); });
    d.methods.add("lines", [] { return partyline::json_text("[1,\n2]"); });
    const auto error = [](std::string_view id, std::string_view reason, std::string_view where) {
        return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
               R"(,"error":{"code":-32603,"message":"Internal error","data":{"reason":"the result holds )" +
               std::string(reason) + R"(","where":")" + std::string(where) + "\"}}}";
    };
    d.send(request("1", "infinite"));
    d.expect(error("1", "a number that is not finite", "/a/1"));
    d.send(request("2", "latin"));
    d.expect(error("2", "text that is not UTF-8", ""));
    d.send(request("3", "text"));
    d.expect(error("3", "not JSON", "byte 5"));
    d.send(request("4", "lines"));
    d.expect(result("4", "[1, 2]"));
}

BOOST_AUTO_TEST_CASE(a_result_over_the_limit_becomes_an_error)
{
    dialogue d;
    d.options.bounds.message_bytes = 200;
    d.methods.add("long", [](int n) { return std::string(static_cast<std::size_t>(n), 'x'); });
    d.send(request("1", "long", "[150]"));
    d.expect(result("1", '"' + std::string(150, 'x') + '"'));
    d.send(request("2", "long", "[300]"));
    d.expect(
        R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error","data":{"reason":"the reply is too long","limit":200,"value":336}}})");
}

// rule: jsonrpc.error.invalid_params
BOOST_AUTO_TEST_CASE(params_that_do_not_fit_are_named)
{
    dialogue d;
    d.methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    d.send(request("1", "add", R"({"a":1,"b":"x"})"));
    d.expect(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":{"parameter":"b","expected":"integer","got":"string"}}})");
    d.send(request("2", "add", R"({"a":1,"b":1e400})"));
    BOOST_TEST(d.receive().find("-32602") != std::string::npos);
}

// rule: jsonrpc.notification.silent, mcp.notification.silent
BOOST_AUTO_TEST_CASE(a_notification_is_never_answered)
{
    dialogue d;
    int calls = 0;
    d.methods.add("count", [&](int) { ++calls; });
    d.methods.add("throw", [] { throw std::runtime_error("x"); });
    d.send(notification("count", "[1]"));
    d.send(notification("count", "[\"wrong\"]"));
    d.send(notification("throw"));
    d.send(notification("unknown"));
    d.expect_silence();
    BOOST_TEST(calls == 1);
    BOOST_TEST(d.logged.size() == 2u); // nobody else hears that two have failed
}

BOOST_AUTO_TEST_CASE(a_fallback_serves_what_nothing_else_does)
{
    dialogue d;
    d.methods.add("known", [] { return 1; });
    d.methods.set_fallback([](request_context& context) { return std::string(context.method()); });
    d.send(request("1", "known"));
    d.expect(result("1", "1"));
    d.send(request("2", "other"));
    d.expect(result("2", "\"other\""));
}

BOOST_AUTO_TEST_CASE(a_handler_can_run_on_another_executor)
{
    asio::thread_pool pool(2);
    dialogue d;
    const auto here = std::this_thread::get_id();
    const auto elsewhere = [here] { return std::this_thread::get_id() != here; };
    const method_options on_pool{.executor = pool.get_executor()};
    d.methods.add("plain", elsewhere, on_pool);
    d.methods.add(
        "coroutine",
        [=](request_context& context) -> asio::awaitable<bool> {
            co_await context.progress(1);
            asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(1));
            co_await timer.async_wait(asio::use_awaitable);
            co_await context.progress(2);
            co_return elsewhere();
        },
        on_pool);
    d.methods.add("throw", [] { throw std::runtime_error("x"); }, on_pool);
    d.methods.add("raw", [](partyline::json_text t) -> asio::awaitable<partyline::json_text> { co_return t; }, on_pool);
    d.send(request("1", "plain"));
    d.expect(result("1", "true"));
    d.send(request("2", "coroutine"));
    d.expect(notification("$/progress", R"({"token":2,"value":1})"));
    d.expect(notification("$/progress", R"({"token":2,"value":2})"));
    d.expect(result("2", "true"));
    d.send(request("3", "throw"));
    BOOST_TEST(d.receive().find("std::runtime_error") != std::string::npos);
    d.send(request("4", "raw", R"({"exact":1.0e1})"));
    d.expect(result("4", R"({"exact":1.0e1})"));
    d.end_input();
    BOOST_TEST(!d.wait_end());
}

BOOST_AUTO_TEST_CASE(a_request_whose_executor_is_shut_down_is_answered)
{
    auto pool = std::make_unique<asio::io_context>();
    dialogue d;
    d.methods.add("never", [] { return 1; }, method_options{.executor = pool->get_executor()});
    d.send(request("1", "never"));
    d.expect_silence();
    pool.reset();
    d.expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}})");
}

BOOST_AUTO_TEST_CASE(user_data_is_shared_by_the_requests_of_a_session)
{
    dialogue d;
    d.options.user_data = 40;
    d.methods.add("next", [](request_context& context) {
        BOOST_TEST(context.user_data<std::string>() == nullptr);
        return ++*context.user_data<int>();
    });
    d.send(request("1", "next"));
    d.expect(result("1", "41"));
    d.send(request("2", "next"));
    d.expect(result("2", "42"));
}

BOOST_AUTO_TEST_CASE(methods_can_be_exchanged_while_requests_are_in_flight)
{
    dialogue d;
    gate slow(d.context);
    const auto kept = std::make_shared<int>(1);
    d.methods.add("which", [&slow, kept]() -> asio::awaitable<int> {
        co_await slow.wait();
        co_return *kept;
    });
    d.methods.add("gone", [] { return 1; });
    d.send(request("1", "which"));
    d.expect_silence();
    auto others = std::make_shared<partyline::method_table>();
    others->add("which", [] { return 2; });
    d.server().use_methods(std::move(others));
    d.settle();
    d.send(request("2", "which"));
    d.expect(result("2", "2"));
    d.send(request("3", "gone"));
    d.expect(
        R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found","data":{"method":"gone"}}})");
    BOOST_TEST(kept.use_count() == 2);
    slow.open();
    d.expect(result("1", "1"));
    d.settle();
    BOOST_TEST(kept.use_count() == 1); // the first table is gone
}

// One that stays in flight for good, as a subscription does, keeps its own table and no later one.
BOOST_AUTO_TEST_CASE(former_methods_go_while_another_request_stays_in_flight)
{
    dialogue d;
    gate forever(d.context);
    const auto first = std::make_shared<int>(0);
    d.methods.add("stay", [&forever, first]() -> asio::awaitable<int> {
        co_await forever.wait();
        co_return *first;
    });
    d.send(request("1", "stay"));
    d.expect_silence();
    const auto later = std::make_shared<int>(0);
    for (int i = 1; i <= 100; ++i) {
        auto next = std::make_shared<partyline::method_table>();
        next->add("which", [i, later] { return i; });
        next->add("stay", [&forever, later]() -> asio::awaitable<int> {
            co_await forever.wait();
            co_return *later;
        });
        d.server().use_methods(std::move(next));
        d.settle();
        if (i == 50) {
            d.send(request("2", "stay"));
            d.expect_silence();
        }
    }
    d.send(request("3", "which"));
    d.expect(result("3", "100"));
    BOOST_TEST(first.use_count() == 2);
    BOOST_TEST(later.use_count() < 50); // two in each table
    forever.open();
    d.expect(result("1", "0"));
    d.expect(result("2", "0"));
}

BOOST_AUTO_TEST_CASE(every_message_can_be_traced)
{
    std::vector<std::string> seen;
    dialogue d;
    d.options.on_message = [&](const partyline::message_event& e) {
        std::string line = e.direction == partyline::message_direction::in ? "in" : "out";
        line.append(" ").append(e.id).append(" ").append(e.method).append(e.latency ? " timed" : "");
        seen.push_back(line);
        BOOST_TEST(e.text.front() == '{');
        return std::optional<partyline::error_object>();
    };
    d.methods.add("echo", [](request_context& context, json::value v) -> asio::awaitable<json::value> {
        co_await context.notify("hello");
        co_return v;
    });
    d.send(request("1", "echo"));
    d.receive();
    d.receive();
    d.send(request("2", "missing"));
    d.receive();
    const std::vector<std::string> expected = {"in 1 echo", "out 1 hello", "out 1 echo timed", "in 2 missing",
                                               "out 2 missing timed"};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_method_that_there_is_not_is_named_but_not_at_length)
{
    const std::string long_name(1'000'000, 'm');
    const std::pair<std::string, std::string> rows[] = {
        {"nothing", "nothing"},
        {"", ""},
        {R"(a\u0000\"\\\u001b)", R"(a\u0000\"\\\u001b)"},
        {"\\u0061\\ud83d\\ude00", "a\U0001f600"},
        {std::string(128, 'm'), std::string(128, 'm')},
        {std::string(129, 'm'), std::string(128, 'm') + "..."},
        {std::string(127, 'm') + "ä", std::string(127, 'm') + "..."},
        {std::string(124, 'm') + "\U0001f600", std::string(124, 'm') + "\U0001f600"},
        {std::string(125, 'm') + "\U0001f600", std::string(125, 'm') + "..."},
        {long_name, std::string(128, 'm') + "..."},
    };
    dialogue d;
    for (const auto& [name, named] : rows) {
        d.send(request("1", name));
        d.expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"method":")" +
                 named + "\"}}}");
    }
}

BOOST_AUTO_TEST_SUITE_END()
