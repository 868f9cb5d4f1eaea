// Plain JSON-RPC by POST, over real sockets.

#include "serve/rpc_fixture.hpp"

#include <partyline/rpc/args.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::error_code;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::rpc_fixture;

namespace {

// What handlers can read of three fields of HTTP.
json::array fields_of(partyline::request_context& own)
{
    json::array told;
    for (const char* const name : {"x-TENANT", "X-Roles", "X-Other"}) {
        const std::optional<std::string_view> value = own.http_field(name);
        told.push_back(value ? json::value(json::string(*value)) : json::value());
    }
    return told;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_rpc, rpc_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_request_is_answered_with_json)
{
    http_client client = begin();
    const http_response got = client.ask("/rpc", call(1, "add", "[2,40]"));
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("content-type") == "application/json");
    BOOST_TEST(!got.field("date").empty());
    BOOST_TEST(got.body == reply(1, "42"));
    BOOST_TEST(client.ask("/rpc", call(2, "add", "[1,1]")).body == reply(2, "2")); // over the same connection
    BOOST_TEST(served().connections() == 1u);
}

BOOST_AUTO_TEST_CASE(posts_are_no_session_that_can_be_told_something_later)
{
    options.session.on_start = [](const std::shared_ptr<partyline::session_link>&) { BOOST_ERROR("no session"); };
    options.session.on_end = [](const std::shared_ptr<partyline::session_link>&, error_code) {
        BOOST_ERROR("no session");
    };
    methods.add("has_link", [](partyline::request_context& own) { return own.link() != nullptr; });
    {
        http_client client = begin();
        BOOST_TEST(client.ask("/rpc", call(1, "has_link", "[]")).body == reply(1, "false"));
    }
    run_until([&] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(a_post_is_told_what_its_group_is_told_until_its_client_goes)
{
    const auto group = std::make_shared<partyline::session_group>();
    methods.add("listen", [group](partyline::request_context& own) { return group->stream_to(own); });
    http_client reads = begin();
    http_client other = connect();
    for (http_client* const client : {&reads, &other})
        client->post("/rpc", call(1, "listen"), "Accept: text/event-stream\r\n");
    run_until([&] { return group->size() == 2; });
    BOOST_TEST(group->broadcast("news", partyline::args(7)) == 2u);
    for (http_client* const client : {&reads, &other}) {
        BOOST_TEST(client->head().field("content-type") == "text/event-stream");
        client->read_until(R"({"jsonrpc":"2.0","method":"news","params":[7]})");
    }
    other.close();
    run_until([&] { return group->size() == 1; });
    group->broadcast("news", partyline::args(8));
    reads.read_until(R"("params":[8])");
    reads.close();
    run_until([&] { return group->size() == 0; });
}

BOOST_AUTO_TEST_CASE(errors_of_json_rpc_have_status_200)
{
    http_client client = begin();
    for (const auto& [body, code] : {std::pair<std::string, std::string>{"{\"jsonrpc", "-32700"},
                                     {"{}", "-32600"},
                                     {"[]", "-32600"},
                                     {call(1, "nope"), "-32601"},
                                     {call(1, "add", "[1]"), "-32602"}}) {
        const http_response got = client.ask("/rpc", body);
        BOOST_TEST(got.status == 200);
        BOOST_TEST(got.body.find("\"code\":" + code) != got.body.npos, got.body);
    }
}

BOOST_AUTO_TEST_CASE(a_batch_is_answered_with_an_array)
{
    http_client client = begin();
    const http_response got = client.ask("/rpc", '[' + call(1, "add", "[1,2]") +
                                                     ",{\"jsonrpc\":\"2.0\",\"method\":\"add\",\"params\":[1,1]}," +
                                                     call(2, "add", "[3,4]") + ']');
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.body == '[' + reply(1, "3") + ',' + reply(2, "7") + ']');
}

BOOST_AUTO_TEST_CASE(what_needs_no_answer_is_accepted)
{
    http_client client = begin();
    const std::string notification = R"({"jsonrpc":"2.0","method":"add","params":[1,1]})";
    for (const std::string& body :
         {notification, '[' + notification + ']', std::string(R"({"jsonrpc":"2.0","id":1,"result":1})")}) {
        const http_response got = client.ask("/rpc", body);
        BOOST_TEST(got.status == 202);
        BOOST_TEST(got.field("content-length") == "0");
    }
}

BOOST_AUTO_TEST_CASE(progress_makes_it_a_stream_of_events)
{
    http_client client = begin();
    const http_response got = client.ask("/rpc", call(3, "count", "[2]"));
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("content-type") == "text/event-stream");
    BOOST_TEST(got.field("x-accel-buffering") == "no");
    BOOST_TEST(
        got.body ==
        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"$/progress\",\"params\":{\"token\":3,\"value\":1}}\n\n"
        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"$/progress\",\"params\":{\"token\":3,\"value\":2}}\n\n"
        "event: message\ndata: " +
            reply(3, "2") + "\n\n");
    BOOST_TEST(client.ask("/rpc", call(4, "add", "[1,1]")).body == reply(4, "2"));
}

BOOST_AUTO_TEST_CASE(who_takes_json_alone_gets_the_reply_alone)
{
    http_client client = begin();
    const http_response got = client.ask("/rpc", call(3, "count", "[20]"), "Accept: application/json\r\n");
    BOOST_TEST(got.field("content-type") == "application/json");
    BOOST_TEST(got.body == reply(3, "20"));
}

BOOST_AUTO_TEST_CASE(who_takes_events_alone_gets_the_reply_as_one)
{
    http_client client = begin();
    const http_response got = client.ask("/rpc", call(3, "add", "[1,2]"), "Accept: text/event-stream\r\n");
    BOOST_TEST(got.field("content-type") == "text/event-stream");
    BOOST_TEST(got.body == "event: message\ndata: " + reply(3, "3") + "\n\n");
}

BOOST_AUTO_TEST_CASE(pipelined_requests_are_answered_in_order)
{
    http_client client = begin();
    client.post("/rpc", call(1, "wait"));
    for (int i = 2; i < 50; ++i)
        client.post("/rpc", call(i, "add", "[1,1]"));
    run_until([this] { return waiting == 1; });
    release();
    BOOST_TEST(client.response().body == reply(1, "7"));
    for (int i = 2; i < 50; ++i)
        BOOST_TEST(client.response().body == reply(i, "2"));
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(a_client_that_goes_away_cancels_what_it_asked_for)
{
    http_client client = begin();
    client.post("/rpc", call(1, "wait"));
    run_until([this] { return waiting == 1; });
    client.close();
    run_until([this] { return waiting == 0; });
    BOOST_TEST(was_cancelled);
    run_until([this] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(one_that_goes_away_before_a_long_answer_harms_nobody)
{
    const std::string text = "[\"" + std::string(1'000'000, 'x') + "\"]";
    for (const bool is_reset : {false, true}) {
        http_client client = begin();
        client.post("/rpc", call(1, "echo", text));
        client.post("/rpc", call(2, "add", "[1,1]"));
        is_reset ? client.reset() : client.close();
        run_until([this] { return served().connections() == 0; });
    }
    BOOST_TEST(begin().ask("/rpc", call(3, "add", "[1,1]")).body == reply(3, "2"));
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(so_does_one_whose_connection_is_reset)
{
    http_client client = begin();
    client.post("/rpc", call(1, "wait"));
    run_until([this] { return waiting == 1; });
    client.reset();
    run_until([this] { return waiting == 0 && served().connections() == 0; });
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(large_bodies_go_both_ways_in_pieces)
{
    http_client client = begin();
    const std::string text(1 << 20, 'x');
    const std::string body = call(1, "echo", "[\"" + text + "\"]");
    BOOST_TEST((client.ask("/rpc", body).body == reply(1, "[\"" + text + "\"]")));
    client.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: "
                "chunked\r\n\r\n");
    for (std::size_t at = 0; at < body.size(); at += 10000) {
        const std::string_view piece = std::string_view(body).substr(at, 10000);
        char size[16];
        std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
        client.send(size);
        client.send(piece);
        client.send("\r\n");
    }
    client.send("0\r\n\r\n");
    BOOST_TEST((client.response().body == reply(1, "[\"" + text + "\"]")));
}

BOOST_AUTO_TEST_CASE(a_request_may_come_byte_by_byte)
{
    http_client client = begin();
    const std::string body = call(1, "add", "[2,40]");
    const std::string all =
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    for (const char& c : all) {
        client.send({&c, 1});
        context.restart();
        context.poll();
    }
    BOOST_TEST(client.response().body == reply(1, "42"));
}

BOOST_AUTO_TEST_CASE(a_client_may_wait_before_it_sends_the_body)
{
    http_client client = begin();
    const std::string body = call(1, "add", "[2,40]");
    client.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                "Content-Length: " +
                std::to_string(body.size()) + "\r\n\r\n");
    BOOST_TEST(client.head().status == 100);
    client.send(body);
    BOOST_TEST(client.response().body == reply(1, "42"));
}

// Some clients send a line end behind the body.
BOOST_AUTO_TEST_CASE(empty_lines_in_front_of_a_request_are_skipped)
{
    http_client client = begin();
    client.send("\r\n");
    client.post("/rpc", call(1, "add", "[1,1]"));
    client.send("\r\n");
    BOOST_TEST(client.response().body == reply(1, "2"));
    client.send("\r\n\r");
    context.restart();
    context.poll();
    client.send("\n");
    client.post("/rpc", call(2, "add", "[1,2]"));
    client.send("\r\n");
    client.post("/rpc", call(3, "add", "[1,3]"));
    BOOST_TEST(client.response().body == reply(2, "3"));
    BOOST_TEST(client.response().body == reply(3, "4"));
}

BOOST_AUTO_TEST_CASE(an_empty_line_begins_no_request)
{
    options.times.head = std::chrono::milliseconds(1);
    options.times.idle = std::chrono::milliseconds(2);
    http_client client = begin();
    client.post("/rpc", call(1, "add", "[1,1]"));
    client.send("\r\n");
    BOOST_TEST(client.response().body == reply(1, "2"));
    BOOST_TEST(client.is_closed()); // for its idle time, and not with 408
}

// rule: security.access.idle
BOOST_AUTO_TEST_CASE(empty_lines_do_not_put_off_the_end_of_an_idle_connection)
{
    options.times.idle = std::chrono::milliseconds(300);
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,1]")).status == 200);
    asio::steady_timer pause(context);
    std::function<void()> drip = [&] {
        client.send("\r\n");
        pause.expires_after(std::chrono::milliseconds(20));
        pause.async_wait([&](error_code stopped) { stopped ? void() : drip(); });
    };
    drip();
    BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_in_front_of_a_body_is_skipped)
{
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", "\xEF\xBB\xBF" + call(1, "add", "[2,40]")).body == reply(1, "42"));
    const http_response twice = client.ask("/rpc", "\xEF\xBB\xBF\xEF\xBB\xBF" + call(1, "add", "[2,40]"));
    BOOST_TEST(twice.body.find("-32700") != twice.body.npos);
}

// Nothing else says where an event stream ends.
BOOST_AUTO_TEST_CASE(http_1_0_is_answered_and_closed_whatever_the_client_would_have)
{
    for (const std::string fields : {"", "Connection: keep-alive\r\n", "Accept: text/event-stream\r\n",
                                     "Accept: text/event-stream\r\nConnection: keep-alive\r\n"}) {
        http_client client = begin();
        const std::string body = call(1, "count", "[1]");
        client.send("POST /rpc HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields +
                    "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        client.request("GET", "/healthz");
        const std::string got = client.read_to_end();
        BOOST_TEST(got.starts_with("HTTP/1.1 200 OK\r\n"));
        BOOST_TEST(got.find("HTTP/1.1", 1) == got.npos, got); // one answer
        BOOST_TEST(got.find("\r\nConnection: close\r\n") != got.npos, got);
        BOOST_TEST(got.find("Transfer-Encoding") == got.npos, got);
        BOOST_TEST(got.find(reply(1, "1")) != got.npos, got);
    }
}

// rule: security.harm.answer
BOOST_AUTO_TEST_CASE(refusals_have_their_status)
{
    struct row {
        std::string request;
        int status;
        bool closes = false;
    };
    const std::string host = "Host: localhost\r\n";
    const std::string of_json = host + "Content-Type: application/json\r\n";
    for (const row& each : std::initializer_list<row>{
             {"GET / HTTP/1.1\r\n" + host + "\r\n", 404},
             {"GET /rpc HTTP/1.1\r\n" + host + "\r\n", 405},
             {"PUT /rpc HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n{}", 405},
             {"POST /healthz HTTP/1.1\r\n" + host + "\r\n", 405},
             {"POST /rpc HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n{}", 415},
             {"POST /rpc HTTP/1.1\r\n" + host + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", 415},
             {"POST /rpc HTTP/1.1\r\n" + of_json + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", 415},
             {"POST /rpc HTTP/1.1\r\n" + of_json + "Expect: more\r\nContent-Length: 2\r\n\r\n{}", 417},
             {"POST /rpc HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: "
              "2\r\n\r\n{}",
              403},
             {"POST /rpc HTTP/1.1\r\n" + of_json + "Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}", 403},
             {"POST /rpc HTTP/1.1\r\n" + of_json + "Content-Length: 5000000\r\n\r\n", 413, true},
             {"POST /rpc HTTP/1.1\r\n" + of_json + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
              true},
             {"POST /rpc HTTP/1.1\r\n" + host + "Content-Length: 100000\r\n\r\n", 415, true},
             {"GET / HTTP/2.0\r\n\r\n", 505, true},
             {"\x16\x03\x01", 400, true},
             {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n", 414, true},
         }) {
        http_client client = begin();
        client.send(each.request);
        const http_response got = client.response();
        BOOST_TEST(got.status == each.status, each.request);
        BOOST_TEST((got.field("connection") == "close") == each.closes, each.request);
        if (each.closes)
            BOOST_TEST(client.is_closed());
        else
            BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,1]")).body == reply(1, "2"));
    }
}

BOOST_AUTO_TEST_CASE(a_refused_head_hides_no_second_request)
{
    http_client client = begin();
    client.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                "5\r\nContent-Length: 5\r\n\r\n"
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\n\r\n");
    BOOST_TEST(client.response().status == 400);
    BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(allowed_is_told)
{
    http_client client = begin();
    client.request("GET", "/rpc");
    BOOST_TEST(client.response().field("allow") == "post, options");
    client.request("OPTIONS", "/rpc");
    const http_response got = client.response();
    BOOST_TEST(got.status == 204);
    BOOST_TEST(got.field("allow") == "post, options");
    BOOST_TEST(got.field("access-control-allow-methods").empty());
}

BOOST_AUTO_TEST_CASE(pages_of_allowed_origins_are_told_so)
{
    options.allowed_origins = {"https://page.example"};
    http_client client = begin();
    client.request("OPTIONS", "/rpc", "Origin: https://page.example\r\nAccess-Control-Request-Method: POST\r\n");
    const http_response preflight = client.response();
    BOOST_TEST(preflight.status == 204);
    BOOST_TEST(preflight.field("access-control-allow-origin") == "https://page.example");
    BOOST_TEST(preflight.field("access-control-allow-headers").find("content-type") != std::string::npos);
    const http_response got = client.ask("/rpc", call(1, "add", "[1,1]"), "Origin: https://page.example\r\n");
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("access-control-allow-origin") == "https://page.example");
    BOOST_TEST(got.field("vary") == "origin");
}

BOOST_AUTO_TEST_CASE(health_is_told_until_the_end)
{
    http_client client = begin();
    client.request("GET", "/healthz");
    BOOST_TEST(client.response().body == "ok\n");
    client.request("HEAD", "/healthz");
    const http_response head = client.head();
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.field("content-length") == "3");
    client.post("/rpc", call(1, "wait")); // keeps the connection in use
    run_until([this] { return waiting == 1; });
    served().close();
    client.request("GET", "/healthz");
    run_until([this] { return bool(release); });
    release();
    BOOST_TEST(client.response().body == reply(1, "7"));
    run_until([this] { return ended.has_value(); });
    BOOST_TEST(!*ended);
}

// rule: security.access.unfinished
BOOST_AUTO_TEST_CASE(who_says_nothing_or_too_little_is_let_go)
{
    options.times.first_bytes = options.times.head = options.times.body = std::chrono::milliseconds(1);
    http_client silent = begin();
    BOOST_TEST(silent.is_closed());
    http_client slow = connect();
    slow.send("POST /rpc HT");
    BOOST_TEST(slow.response().status == 408);
    BOOST_TEST(slow.is_closed());
    http_client slower = connect();
    slower.send(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
    BOOST_TEST(slower.response().status == 408);
}

// rule: security.access.unfinished
BOOST_AUTO_TEST_CASE(a_body_earns_no_time_where_none_is_to_be_earned)
{
    options.times.body = std::chrono::milliseconds(1);
    options.times.body_bytes_per_second = 0;
    http_client slow = begin();
    slow.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
    BOOST_TEST(slow.response().status == 408);
}

BOOST_AUTO_TEST_CASE(who_asks_nothing_more_is_let_go_but_not_who_waits_for_an_answer)
{
    options.times.idle = std::chrono::milliseconds(1);
    http_client waits = begin();
    waits.post("/rpc", call(1, "wait"));
    run_until([this] { return waiting == 1; });
    http_client first = connect();
    http_client second = connect();
    for (http_client* const one : {&first, &second})
        BOOST_TEST(one->ask("/rpc", call(2, "add", "[1,1]")).status == 200);
    BOOST_TEST(first.is_closed());
    BOOST_TEST(second.is_closed());
    release();
    BOOST_TEST(waits.response().body == reply(1, "7"));
}

// rule: security.access.idle
BOOST_AUTO_TEST_CASE(who_takes_nothing_of_its_answers_is_let_go)
{
    options.times.write_stall = std::chrono::milliseconds(1);
    http_client client = begin();
    const std::string text = "[\"" + std::string(3'000'000, 'x') + "\"]";
    for (int i = 0; i < 5; ++i) // more than the system keeps
        client.post("/rpc", call(i, "echo", text));
    run_until([this] { return served().connections() == 0; });
    BOOST_TEST(connect().ask("/rpc", call(6, "add", "[1,1]")).body == reply(6, "2"));
}

BOOST_AUTO_TEST_CASE(a_proxy_that_looks_by_an_old_request_without_a_host_is_answered)
{
    http_client looking = begin();
    looking.send("GET /healthz HTTP/1.0\r\n\r\n");
    BOOST_TEST(looking.response().status == 200);
    http_client asking = connect();
    asking.send("GET /rpc HTTP/1.0\r\n\r\n");
    BOOST_TEST(asking.response().status == 403);
}

BOOST_AUTO_TEST_CASE(a_server_at_its_end_leaves_its_context_nothing_to_wait_for)
{
    BOOST_TEST(begin().ask("/rpc", call(1, "add", "[1,1]")).status == 200);
    served().close();
    run_until([this] { return ended.has_value(); });
    context.restart();
    context.poll();
    BOOST_TEST(context.stopped());
}

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(bodies_under_way_have_a_budget_together)
{
    options.memory_bytes = 1 << 20;
    options.requests.body_bytes = std::size_t(16) << 20;
    http_client first = begin();
    first.send(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n");
    first.send(std::string(3000000, ' ')); // more than all may have
    BOOST_TEST(first.response().status == 503);
    BOOST_TEST(connect().ask("/rpc", call(1, "add", "[1,1]")).status == 200); // it was given back
    http_client second = connect();
    second.send(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n");
    second.send(std::string(800000, ' '));
    second.close();
    run_until([this] { return served().connections() == 0; });
    const std::string text(600000, 'x');
    BOOST_TEST(connect().ask("/rpc", call(1, "echo", "[\"" + text + "\"]")).status == 200);
}

BOOST_AUTO_TEST_CASE(a_connection_ends_after_its_last_request)
{
    options.requests.requests_per_connection = 2;
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,1]")).field("connection").empty());
    BOOST_TEST(client.ask("/rpc", call(2, "add", "[1,1]")).field("connection") == "close");
    BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(an_idle_event_stream_has_comments)
{
    options.times.comment = std::chrono::milliseconds(1);
    methods.add("tell_and_wait", [this](partyline::request_context& own) -> partyline::task<int> {
        co_await own.progress(1);
        co_return co_await wait(own);
    });
    http_client client = begin();
    client.post("/rpc", call(1, "tell_and_wait"));
    BOOST_TEST(client.head().field("content-type") == "text/event-stream");
    client.read_until(": \n\n");
    client.read_until(": \n\n");
    release();
    client.read_until(reply(1, "7"));
}

BOOST_AUTO_TEST_CASE(the_access_log_has_a_line_for_each_request)
{
    std::vector<std::string> lines;
    options.access_log = [&](std::string_view line) { lines.emplace_back(line); };
    http_client client = begin();
    client.ask("/rpc?secret", call(1, "add", "[1,1]"));
    client.request("GET", "/\x1b");
    client.response();
    BOOST_TEST_REQUIRE(lines.size() == 2u);
    const json::value first = json::parse(lines[0]);
    BOOST_TEST((first.at("method") == "POST"));
    BOOST_TEST((first.at("path") == "/rpc"));
    BOOST_TEST((first.at("status") == 200));
    BOOST_TEST((first.at("peer") == "127.0.0.1"));
    BOOST_TEST((first.at("bytes_in") == call(1, "add", "[1,1]").size()));
    BOOST_TEST((first.at("bytes_out").to_number<std::size_t>() > reply(1, "2").size()));
    BOOST_TEST((first.at("us").to_number<long>() > 0));
    BOOST_TEST((json::parse(lines[1]).at("status") == 400));
    BOOST_TEST((first.at("rpc") == "add"));
    BOOST_TEST(!first.as_object().contains("code"));
}

BOOST_AUTO_TEST_CASE(the_access_log_tells_what_was_called_and_which_error_that_got)
{
    std::vector<std::string> lines;
    options.access_log = [&](std::string_view line) { lines.emplace_back(line); };
    http_client client = begin();
    client.ask("/rpc", call(1, "gone"));
    client.ask("/rpc", R"({"jsonrpc":"2.0","method":"told"})");
    client.ask("/rpc", call(1, "\\u001b[2J" + std::string(1000, 'x')));
    client.ask("/rpc", '[' + call(1, "add", "[1,1]") + ',' + call(2, "gone") + ']');
    client.ask("/rpc", "{");
    client.post("/rpc", call(3, "count", "[2]"), "Accept: text/event-stream\r\n");
    client.head();
    client.read_until(reply(3, "2"));
    run_until([&] { return lines.size() == 6; });
    const json::object gone = json::parse(lines[0]).as_object();
    BOOST_TEST((gone.at("status") == 200));
    BOOST_TEST((gone.at("rpc") == "gone"));
    BOOST_TEST((gone.at("code") == -32601));
    const json::object told = json::parse(lines[1]).as_object();
    BOOST_TEST((told.at("rpc") == "told"));
    BOOST_TEST(!told.contains("code"));
    const json::string name = json::parse(lines[2]).at("rpc").as_string();
    BOOST_TEST(name.starts_with("\\u001b[2Jxxx"));
    BOOST_TEST(name.size() <= 256u + 3);
    const json::object batch = json::parse(lines[3]).as_object();
    BOOST_TEST((batch.at("batch") == 2));
    BOOST_TEST((batch.at("errors") == 1));
    BOOST_TEST(!batch.contains("rpc"));
    BOOST_TEST(!batch.contains("code"));
    const json::object unread = json::parse(lines[4]).as_object();
    BOOST_TEST((unread.at("code") == -32700));
    BOOST_TEST(!unread.contains("rpc"));
    BOOST_TEST((json::parse(lines[5]).at("rpc") == "count"));
}

BOOST_AUTO_TEST_CASE(the_access_log_leaves_out_secrets_of_what_was_called)
{
    std::vector<std::string> lines;
    options.access_log = [&](std::string_view line) { lines.emplace_back(line); };
    http_client client = begin();
    client.ask("/rpc", call(1, "x?access_token=planted&y=1"));
    BOOST_TEST_REQUIRE(lines.size() == 1u);
    BOOST_TEST((json::parse(lines[0]).at("rpc") == "x?access_token=[redacted]&y=1"));
}

BOOST_AUTO_TEST_CASE(the_parts_of_a_trace_state_are_one_list)
{
    std::vector<std::string> states;
    options.session.on_served = [&](const partyline::served_event& e) { states.push_back(e.trace->state()); };
    const std::string parent = "traceparent: 00-" + std::string(32, 'a') + "-00f067aa0ba902b7-01\r\n";
    http_client client = begin();
    client.ask("/rpc", call(1, "echo", "{}"), parent + "tracestate: a=1\r\n");
    client.ask("/rpc", call(2, "echo", "{}"), parent + "tracestate: a=1\r\nTraceState: b=2,c=3\r\n");
    BOOST_TEST(states == (std::vector<std::string>{"a=1", "a=1,b=2,c=3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_trace_of_the_fields_is_taken_where_the_message_has_none)
{
    std::vector<std::string> traces;
    options.session.on_served = [&](const partyline::served_event& e) {
        traces.emplace_back(e.trace ? e.trace->trace_id() : "none");
    };
    const std::string of_field(32, 'a');
    const std::string of_message(32, 'b');
    const auto parent = [](const std::string& id) { return "00-" + id + "-00f067aa0ba902b7-01"; };
    const std::string field = "traceparent: " + parent(of_field) + "\r\n";
    const std::string params = R"({"_meta":{"traceparent":")" + parent(of_message) + R"("}})";
    http_client client = begin();
    client.ask("/rpc", call(1, "echo", "{}"), field);
    client.ask("/rpc", call(2, "echo", params), field);
    client.ask("/rpc", call(3, "echo", "{}"));
    client.ask("/rpc", call(4, "echo", "{}"), field + field);
    client.ask("/rpc", '[' + call(5, "echo") + ',' + call(6, "gone") + ']', field);
    BOOST_TEST_REQUIRE(traces.size() == 6u);
    BOOST_TEST(traces[0] == of_field);
    BOOST_TEST(traces[1] == of_message);
    BOOST_TEST((traces[2] != of_field && traces[2].size() == 32));
    BOOST_TEST((traces[3] != of_field && traces[3].size() == 32));
    BOOST_TEST(traces[4] == of_field);
    BOOST_TEST(traces[5] == of_field);
}

BOOST_AUTO_TEST_CASE(handlers_read_the_fields_that_the_options_name)
{
    options.handler_fields = {"X-Tenant", "x-roles"};
    asio::thread_pool pool(1);
    partyline::method_options elsewhere;
    elsewhere.executor = pool.get_executor();
    methods.add("fields", fields_of);
    methods.add("fields_elsewhere", fields_of, std::move(elsewhere));
    http_client client = begin();
    const std::string sent = "X-Roles: reader\r\nx-tenant: a\r\nX-ROLES: writer, owner\r\nX-Other: b\r\n";
    for (const char* const method : {"fields", "fields_elsewhere"})
        BOOST_TEST(client.ask("/rpc", call(1, method), sent).body == reply(1, R"(["a","reader, writer, owner",null])"));
    BOOST_TEST(client.ask("/rpc", call(2, "fields"), "X-Tenant:\r\n").body == reply(2, R"(["",null,null])"));
    BOOST_TEST(client.ask("/rpc", call(3, "fields")).body == reply(3, "[null,null,null]"));
    const std::string batch = '[' + call(4, "fields") + ',' + call(5, "fields") + ']';
    const std::string told = R"(["c",null,null])";
    BOOST_TEST(client.ask("/rpc", batch, "X-Tenant: c\r\n").body == '[' + reply(4, told) + ',' + reply(5, told) + ']');
}

BOOST_AUTO_TEST_CASE(no_field_is_told_that_is_not_named)
{
    methods.add("fields", fields_of);
    BOOST_TEST(begin().ask("/rpc", call(1, "fields"), "X-Tenant: a\r\n").body == reply(1, "[null,null,null]"));
}

BOOST_AUTO_TEST_CASE(misuse_is_told_at_once)
{
    BOOST_CHECK_THROW(served().add_rpc("/x", std::shared_ptr<const partyline::method_table>()), std::invalid_argument);
    BOOST_CHECK_THROW(served().add_rpc("x", partyline::method_table()), std::invalid_argument);
    BOOST_CHECK_THROW(served().add_rpc("/healthz", partyline::method_table()), std::invalid_argument);
    served().add_rpc("/x", partyline::method_table());
    BOOST_CHECK_THROW(served().add_rpc("/x", partyline::method_table()), std::invalid_argument);
    BOOST_CHECK_THROW(served().listen_tcp("0.0.0.0", 0), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(options_by_which_nobody_could_be_served_are_refused)
{
    using options = partyline::http::server_options;
    const auto refuse = [&](const std::function<void(options&)>& spoil) {
        options one;
        spoil(one);
        BOOST_CHECK_THROW(partyline::http::server(context.get_executor(), one), std::invalid_argument);
    };
    refuse([](options& one) { one.session.bounds.outbox_hard_bytes = 1; });
    refuse([](options& one) { one.session.profile = nullptr; });
    refuse([](options& one) { one.requests.head_bytes = 0; });
    refuse([](options& one) { one.requests.fields = 0; });
    refuse([](options& one) { one.requests.target_bytes = 0; });
    refuse([](options& one) { one.requests.body_bytes = 0; });
    refuse([](options& one) { one.requests.requests_per_connection = 0; });
    refuse([](options& one) { one.max_handshakes = 0; });
    refuse([](options& one) { one.max_connections = 0; });
    for (const char* const node : {"A", "a b", "a.b", "a-b", "abcdefghijklmnopqrstuvwxyz0123456"})
        refuse([&](options& one) { one.node = node; });
    for (const char* const name : {"", "X Tenant", "X-Tenant:", "\xc3\xa4", "a\r\nb"})
        refuse([&](options& one) { one.handler_fields = {"X-Tenant", name}; });
}

BOOST_AUTO_TEST_CASE(a_function_makes_the_methods_of_each_connection)
{
    served().add_rpc("/rpc", [calls = 0](asio::any_io_executor executor, partyline::session_options&) mutable {
        partyline::method_table made;
        made.add("number", [executor, number = ++calls](partyline::request_context& own) {
            return executor == own.get_executor() ? number : -1;
        });
        return made;
    });
    served().add_rpc("/none", [](partyline::session_options&) { return std::shared_ptr<partyline::method_table>(); });
    start();
    http_client first = connect();
    BOOST_TEST(first.ask("/rpc", call(1, "number")).body == reply(1, "1"));
    BOOST_TEST(connect().ask("/rpc", call(1, "number")).body == reply(1, "2"));
    BOOST_TEST(first.ask("/rpc", call(2, "number")).body == reply(2, "1"));
    BOOST_TEST(connect().ask("/none", call(1, "number")).status == 503);
}

BOOST_AUTO_TEST_SUITE_END()
