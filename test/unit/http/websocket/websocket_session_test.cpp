// WebSocket as a server serves it: how a conversation is opened, held, and ended.

#include "http_fixture.hpp"
#include "support/websocket_client.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/http.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::heard_frame;
using partyline::test::http_fixture;
using partyline::test::http_response;
using partyline::test::websocket_client;
namespace frames = websocket_frames;
namespace asio = boost::asio;

namespace {

struct websocket_fixture : http_fixture {
    websocket_fixture()
    {
        options.session.executor_is_serial = true;
        options.session.cancel_grace = 50ms;
    }

    int cancelled = 0; // handlers that were

    method_table methods()
    {
        method_table table;
        table.add("echo", [](boost::json::value params) { return params; });
        table.add("forever", [this](request_context& own) { return forever(own); });
        table.add("ask_back", [](request_context& own) { return ask_back(own); });
        table.add("report", [](request_context& own) { return report(own); });
        table.add("tenant", [](request_context& own) {
            return std::string(own.http_field("X-Tenant").value_or("none")) + '/' +
                   std::string(own.http_field("X-Other").value_or("none"));
        });
        return table;
    }
    void begin()
    {
        served().add_websocket("/ws", methods());
        start();
    }
    websocket_client opened(std::string_view fields = {})
    {
        websocket_client client(context, port());
        client.open("/ws", fields);
        return client;
    }

private:
    task<int> forever(request_context& own)
    {
        asio::steady_timer never(own.get_executor(), 1h);
        try {
            co_await never.async_wait(asio::deferred);
        } catch (...) {
            ++cancelled;
            throw;
        }
        co_return 0;
    }
    static task<boost::json::value> ask_back(request_context& own)
    {
        const call_params nothing;
        auto answer = co_await own.call<boost::json::value>("what", nothing)(asio::deferred);
        co_return std::move(answer).value();
    }
    static task<int> report(request_context& own)
    {
        co_await own.progress(1);
        co_return 2;
    }
};

std::string call(int id, const std::string& method)
{
    const std::string params = method == "echo" ? "[1]" : "[]";
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":)" + params +
           '}';
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_websocket_session, websocket_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(each_request_is_told_with_the_trace_of_the_handshake)
{
    const std::string id(32, 'a');
    std::vector<std::string> told;
    options.session.on_served = [&](const served_event& e) {
        told.push_back(std::string(e.method) + ' ' + std::string(e.trace->trace_id()) + ' ' +
                       std::to_string(e.bytes_out));
    };
    begin();
    websocket_client client = opened("traceparent: 00-" + id + "-00f067aa0ba902b7-01\r\n");
    client.say(call(1, "echo"));
    const std::string answer = client.next_text();
    client.say(call(2, "gone"));
    const std::string refusal = client.next_text();
    const std::vector<std::string> expected{"echo " + id + ' ' + std::to_string(answer.size()),
                                            "gone " + id + ' ' + std::to_string(refusal.size())};
    BOOST_TEST(told == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sessions_of_a_server_are_told_together)
{
    const auto everybody = std::make_shared<session_group>();
    const auto ends = std::make_shared<int>(0);
    options.session.on_start = [=](const std::shared_ptr<session_link>& its) { everybody->add(its); };
    options.session.on_end = [=](const std::shared_ptr<session_link>&, error_code) { ++*ends; };
    begin();
    websocket_client ada = opened();
    websocket_client bob = opened();
    run_until([&] { return everybody->size() == 2; });
    BOOST_TEST(everybody->broadcast("news", args(7)) == 2u);
    const std::string expected = R"({"jsonrpc":"2.0","method":"news","params":[7]})";
    BOOST_TEST(ada.next_text() == expected);
    BOOST_TEST(bob.next_text() == expected);
    ada.connection().close();
    run_until([&] { return *ends == 1; });
    BOOST_TEST(everybody->size() == 1u);
}

BOOST_AUTO_TEST_CASE(handlers_read_the_fields_of_the_handshake)
{
    options.handler_fields = {"x-tenant"};
    begin();
    websocket_client client = opened("X-Tenant: a\r\nX-Other: b\r\n");
    for (const int id : {1, 2}) {
        client.say(call(id, "tenant"));
        BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":"a/none"})");
    }
}

BOOST_AUTO_TEST_CASE(answers_over_the_connection_that_was_opened)
{
    begin();
    websocket_client client(context, port());
    const http_response found = client.ask("/ws");
    BOOST_TEST(found.status == 101);
    BOOST_TEST(found.field("upgrade") == "websocket");
    BOOST_TEST(found.field("connection") == "upgrade");
    BOOST_TEST(found.field("sec-websocket-accept") ==
               "s3pplmbitxaq9kygzzhzrbk+xoo="); // RFC 6455 §1.3, in small letters
    BOOST_TEST(found.field("sec-websocket-protocol").empty());
    client.say(call(1, "echo"));
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    client.send(frames::part(1, R"({"jsonrpc":"2.0","id":2,)", false) + frames::ping("are you there") +
                frames::part(0, R"("method":"echo","params":[1]})", true));
    const heard_frame first = client.next();
    const heard_frame second = client.next();
    const bool pong_first = first.type == 10;
    BOOST_TEST((pong_first ? first : second).content == "are you there");
    BOOST_TEST((pong_first ? second : first).content == R"({"jsonrpc":"2.0","id":2,"result":[1]})");
}

BOOST_AUTO_TEST_CASE(takes_messages_that_come_with_the_request)
{
    begin();
    websocket_client client(context, port());
    client.send("GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" +
                frames::text(call(1, "echo")) + frames::text(call(2, "echo")));
    BOOST_TEST(client.connection().head().status == 101);
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":2,"result":[1]})");
}

BOOST_AUTO_TEST_CASE(may_follow_other_requests)
{
    served().add_rpc("/rpc", methods());
    begin();
    websocket_client client(context, port());
    BOOST_TEST(client.connection().ask("/rpc", call(1, "echo")).status == 200);
    client.open("/ws");
    client.say(call(2, "echo"));
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":2,"result":[1]})");
}

BOOST_AUTO_TEST_CASE(calls_its_client_and_reports_to_it)
{
    begin();
    websocket_client client = opened();
    client.say(call(1, "ask_back"));
    const std::string question = client.next_text();
    BOOST_TEST(question.find(R"("method":"what")") != question.npos);
    const std::size_t id = question.find(R"("id":)");
    client.say(R"({"jsonrpc":"2.0",)" + question.substr(id, question.find(',', id) - id) + R"(,"result":"that"})");
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":1,"result":"that"})");
    client.say(call(2, "report"));
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":2,"value":1}})");
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":2,"result":2})");
}

BOOST_AUTO_TEST_CASE(speaks_a_subprotocol_that_its_client_offers)
{
    served().add_websocket(
        "/mcp", [this](session_options&) { return std::make_shared<const method_table>(methods()); },
        http::websocket_kind::mcp);
    begin();
    const auto chosen = [this](std::string_view path, const std::string& offered) {
        websocket_client client(context, port());
        const http_response found = client.ask(path, offered);
        return std::to_string(found.status) + ' ' + found.field("sec-websocket-protocol");
    };
    BOOST_TEST(chosen("/ws", "Sec-WebSocket-Protocol: jsonrpc\r\n") == "101 jsonrpc");
    BOOST_TEST(chosen("/ws", "Sec-WebSocket-Protocol: a, jsonrpc2.0, jsonrpc\r\n") == "101 jsonrpc2.0");
    BOOST_TEST(chosen("/ws", "Sec-WebSocket-Protocol: a\r\nSec-WebSocket-Protocol: jsonrpc-2.0\r\n") ==
               "101 jsonrpc-2.0");
    BOOST_TEST(chosen("/ws", "Sec-WebSocket-Protocol: mcp\r\n") == "101 ");
    BOOST_TEST(chosen("/mcp", "Sec-WebSocket-Protocol: jsonrpc, mcp\r\n") == "101 mcp");
    BOOST_TEST(chosen("/ws", "Sec-WebSocket-Protocol: a b\r\n") == "400 ");
    BOOST_TEST(chosen("/ws", "Sec-WebSocket-Extensions: permessage-deflate\r\n") == "101 ");
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_opening)
{
    begin();
    const std::string key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const std::string rest = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    const auto status = [this](const std::string& fields, std::string_view method = "GET") {
        websocket_client client(context, port());
        client.connection().request(method, "/ws", fields);
        return client.connection().response().status;
    };
    BOOST_TEST(status(key + rest) == 101);
    BOOST_TEST(status(key + rest + "Content-Length: 0\r\n") == 101);
    BOOST_TEST(status("") == 426);
    BOOST_TEST(status(key + "Connection: Upgrade\r\nUpgrade: h2c\r\nSec-WebSocket-Version: 13\r\n") == 426);
    BOOST_TEST(status(key + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n") == 426);
    BOOST_TEST(status(key + "Connection: Upgrade\r\nUpgrade: websocket\r\n") == 426);
    BOOST_TEST(status(key + rest + "Sec-WebSocket-Version: 13\r\n") == 426);
    BOOST_TEST(status(key + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n") == 400);
    BOOST_TEST(status(rest) == 400);
    BOOST_TEST(status(key + key + rest) == 400);
    BOOST_TEST(status("Sec-WebSocket-Key: short==\r\n" + rest) == 400);
    BOOST_TEST(status("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n" + rest) == 400);
    BOOST_TEST(status("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j\xC3\xA9==\r\n" + rest) == 400);
    BOOST_TEST(status(key + rest + "Content-Length: 1\r\n\r\nx") == 400);
    BOOST_TEST(status(key + rest + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n") == 400);
    BOOST_TEST(status(key + rest, "POST") == 405);
    BOOST_TEST(status(key + rest + "Origin: https://evil.example\r\n") == 403);
    BOOST_TEST(status(key + rest + "Origin: null\r\n") == 403);
}

BOOST_AUTO_TEST_CASE(answers_nothing_behind_an_upgrade_that_it_refuses)
{
    begin();
    const std::string upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    for (const char* bad : {"Sec-WebSocket-Version: 8\r\n", "Sec-WebSocket-Version: 13\r\n"}) {
        partyline::test::http_client client(context, port());
        client.request("GET", "/ws", upgrade + bad);
        client.request("GET", "/healthz");
        const std::string all = client.read_to_end();
        BOOST_TEST(all.starts_with("HTTP/1.1 4"), all);
        BOOST_TEST(all.find("HTTP/1.1", 1) == std::string::npos, all);
    }
}

BOOST_AUTO_TEST_CASE(cancels_what_a_client_has_asked_for_that_ends)
{
    begin();
    websocket_client client = opened();
    client.say(call(1, "forever"));
    client.send(frames::closing(1000));
    run_until([this] { return cancelled == 1; });
    heard_frame last = client.next();
    while (last.type == 1)
        last = client.next();
    BOOST_TEST(last.code() == 1000u);
    BOOST_TEST(client.connection().is_closed());
}

BOOST_AUTO_TEST_CASE(cancels_what_a_client_has_asked_for_that_is_gone)
{
    begin();
    for (const bool by_reset : {false, true}) {
        websocket_client client = opened();
        client.say(call(1, "forever"));
        client.say(call(2, "echo"));
        BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":2,"result":[1]})");
        by_reset ? client.connection().reset() : client.connection().close();
        run_until([&] { return cancelled == (by_reset ? 2 : 1); });
    }
    run_until([this] { return served().connections() == 0; });
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(a_peer_that_goes_behind_bytes_that_are_not_read_is_noticed)
{
    options.session.on_overload = overload::pause;
    options.session.bounds.in_flight_requests = 1;
    options.session.bounds.waiting_requests = 1;
    begin();
    websocket_client client = opened();
    client.send(frames::text(call(1, "forever")) + frames::text(call(2, "forever")) + frames::text(call(3, "forever")));
    client.send(frames::text(call(4, "echo")));
    test::run_until(context, [&, turns = 0]() mutable { return ++turns > 10; });
    client.connection().close();
    run_until([&] { return cancelled == 1 && served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(ends_also_where_the_end_stands_behind_more_than_a_turn_takes)
{
    begin();
    for (const std::string& end : {frames::closing(1000), frames::text("x", frames::mask::none)}) {
        cancelled = 0;
        std::string all;
        for (int i = 0; i != 300; ++i)
            all += frames::text(call(i, "forever"));
        websocket_client client = opened();
        client.send(all + end);
        heard_frame last = client.next();
        while (last.type == 1) // that they were cancelled
            last = client.next();
        BOOST_TEST(last.type == 8u);
        BOOST_TEST(cancelled == 300);
        client.send(frames::closing(1000));
        BOOST_TEST(client.connection().is_closed());
    }
}

BOOST_AUTO_TEST_CASE(tells_a_client_which_rule_it_has_broken)
{
    options.session.bounds.message_bytes = 1000;
    begin();
    const auto code_for = [this](const std::string& bytes) {
        websocket_client client = opened();
        client.send(bytes);
        const unsigned code = client.next().code();
        client.send(frames::closing(code)); // and lets go only then
        BOOST_TEST(client.connection().is_closed());
        return code;
    };
    BOOST_TEST(code_for(frames::text("x", frames::mask::none)) == 1002u);
    BOOST_TEST(code_for(frames::bytes_of({.type = 2, .content = "x"})) == 1003u);
    BOOST_TEST(code_for(frames::text("\xFF")) == 1007u);
    BOOST_TEST(code_for(frames::text(std::string(1001, ' '))) == 1009u);
    run_until([this] { return served().connections() == 0; });
}

// The system takes a last word back whose connection is closed before all was read that has come.
BOOST_AUTO_TEST_CASE(tells_a_client_that_goes_on_sending_which_rule_it_has_broken)
{
    options.session.bounds.message_bytes = 1000;
    begin();
    websocket_client client = opened();
    client.send(frames::text(std::string(std::size_t(4) << 20, ' ')));
    BOOST_TEST(client.next().code() == 1009u);
    client.connection().close();
    run_until([this] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(does_not_wait_for_ever_for_a_client_that_has_broken_a_rule)
{
    options.session.close_timeout = 20ms;
    begin();
    websocket_client client = opened();
    client.send(frames::text("x", frames::mask::none));
    run_until([this] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(ends_in_order_with_what_it_owes)
{
    begin();
    websocket_client client = opened();
    client.say(call(1, "ask_back"));
    const std::string question = client.next_text();
    served().close();
    const std::size_t id = question.find(R"("id":)");
    client.say(R"({"jsonrpc":"2.0",)" + question.substr(id, question.find(',', id) - id) + R"(,"result":"that"})");
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":1,"result":"that"})");
    BOOST_TEST(client.next().code() == 1012u);
    client.send(frames::closing(1012));
    run_until([this] { return ended.has_value(); });
    BOOST_TEST(!*ended);
}

BOOST_AUTO_TEST_CASE(ends_at_once_when_it_is_told_to)
{
    begin();
    websocket_client client = opened();
    client.say(call(1, "forever"));
    client.say(call(2, "echo"));
    client.next_text();
    served().stop();
    heard_frame last = client.next();
    while (last.type == 1)
        last = client.next();
    BOOST_TEST(last.code() == 1001u);
    run_until([this] { return ended.has_value(); });
}

BOOST_AUTO_TEST_CASE(asks_a_silent_client_whether_it_is_there)
{
    options.session.ping_interval = 20ms;
    begin();
    websocket_client client = opened();
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST(client.next().type == 9u);
        client.send(frames::bytes_of({.type = 10}));
    }
    while (client.next().type == 9) {
    }
    BOOST_TEST(client.connection().is_closed());
    run_until([this] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(ends_an_idle_conversation_whatever_its_client_pings)
{
    options.session.idle_timeout = 40ms;
    begin();
    websocket_client client = opened();
    heard_frame last{10, {}};
    while (last.type == 10) {
        client.send(frames::ping("x"));
        last = client.next();
    }
    BOOST_TEST(last.code() == 1001u);
}

BOOST_AUTO_TEST_CASE(ends_an_idle_conversation_whose_client_is_there)
{
    options.session.idle_timeout = 200ms;
    options.session.ping_interval = 10ms;
    begin();
    std::size_t pings = 0;
    while (pings == 0) { // a machine at its limits may come to the first one when the conversation is over
        websocket_client client = opened();
        heard_frame last = client.next();
        for (; last.type == 9; last = client.next()) {
            client.send(frames::bytes_of({.type = 10}));
            ++pings;
        }
        BOOST_TEST(last.code() == 1001u);
    }
}

BOOST_AUTO_TEST_CASE(owes_one_who_floods_it_with_pings_no_more_than_there_is_room_for)
{
    options.session.bounds.outbox_soft_bytes = 1000;
    begin();
    websocket_client client = opened();
    std::string flood;
    for (int i = 0; i != 100'000; ++i)
        flood += frames::ping("0123456789");
    client.send(flood);
    client.say(call(1, "echo"));
    std::size_t pongs = 0;
    heard_frame last = client.next();
    for (; last.type == 10; last = client.next())
        ++pongs;
    BOOST_TEST(last.content == R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    BOOST_TEST(pongs < 50'000u);
}

BOOST_AUTO_TEST_SUITE_END()
