// The end of a server in order, as its clients see it.

#include "serve/rpc_fixture.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <string>

using namespace std::chrono_literals;
namespace json = boost::json;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::rpc_fixture;

namespace {

struct drain_fixture : rpc_fixture {
    drain_fixture()
    {
        methods.add("tell_later", [this](partyline::request_context& own) -> partyline::task<int> {
            co_await wait(own);
            co_await own.progress(1);
            co_return 8;
        });
    }

    http_client waiting_for(std::string_view method)
    {
        http_client client = begin();
        client.post("/rpc", call(1, method));
        run_until([this] { return waiting == 1; });
        return client;
    }
    void begin_end()
    {
        served().close();
        context.restart();
        context.poll();
    }
    void check_ended()
    {
        run_until([this] { return ended.has_value(); });
        BOOST_TEST(!*ended);
    }
    static void check_refused(const http_response& got)
    {
        BOOST_TEST(got.status == 503);
        BOOST_TEST(got.field("connection") == "close");
        BOOST_TEST(got.field("retry-after") == "1");
        BOOST_TEST((json::parse(got.body).at("error").at("code") == -31001));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_drain, drain_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_request_under_way_is_answered_with_connection_close)
{
    http_client client = waiting_for("wait");
    begin_end();
    release();
    const http_response got = client.response();
    BOOST_TEST(got.body == reply(1, "7"));
    BOOST_TEST(got.field("connection") == "close");
    BOOST_TEST(client.is_closed());
    client.close();
    check_ended();
}

BOOST_AUTO_TEST_CASE(an_event_stream_that_begins_then_says_connection_close)
{
    http_client client = waiting_for("tell_later");
    begin_end();
    release();
    const http_response got = client.response();
    BOOST_TEST(got.field("content-type") == "text/event-stream");
    BOOST_TEST(got.field("connection") == "close");
    BOOST_TEST(got.body.find(reply(1, "8")) != got.body.npos);
    client.close();
    check_ended();
}

BOOST_AUTO_TEST_CASE(an_idle_connection_answers_one_more_request_and_says_that_it_closes)
{
    http_client used = begin();
    BOOST_TEST(used.ask("/rpc", call(1, "add", "[1,1]")).field("connection").empty());
    http_client fresh = connect();
    run_until([this] { return served().connections() == 2; });
    begin_end();
    for (http_client* const one : {&used, &fresh}) {
        const http_response got = one->ask("/rpc", call(2, "add", "[1,1]"));
        BOOST_TEST(got.body == reply(2, "2"));
        BOOST_TEST(got.field("connection") == "close");
        BOOST_TEST(one->is_closed());
        one->close();
    }
    check_ended();
}

BOOST_AUTO_TEST_CASE(that_request_may_take_its_time)
{
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,1]")).status == 200);
    begin_end();
    client.post("/rpc", call(2, "wait"));
    run_until([this] { return waiting == 1; });
    release();
    const http_response got = client.response();
    BOOST_TEST(got.body == reply(2, "7"));
    BOOST_TEST(got.field("connection") == "close");
    client.close();
    check_ended();
}

BOOST_AUTO_TEST_CASE(connections_that_ask_nothing_more_are_closed)
{
    http_client used = begin();
    BOOST_TEST(used.ask("/rpc", call(1, "add", "[1,1]")).status == 200);
    http_client fresh = connect();
    run_until([this] { return served().connections() == 2; });
    begin_end();
    BOOST_TEST(!ended.has_value());
    BOOST_TEST(used.is_closed());
    BOOST_TEST(fresh.is_closed());
    check_ended();
}

BOOST_AUTO_TEST_CASE(a_server_without_connections_ends_at_once)
{
    begin().close();
    run_until([this] { return served().connections() == 0; });
    begin_end();
    BOOST_TEST(ended.has_value());
}

BOOST_AUTO_TEST_CASE(a_request_that_takes_longer_than_the_end_may_is_answered_503)
{
    options.times.drain = 1ms;
    http_client client = waiting_for("wait");
    begin_end();
    check_refused(client.response());
    BOOST_TEST(client.is_closed());
    client.close();
    run_until([this] { return waiting == 0; });
    BOOST_TEST(was_cancelled);
    check_ended();
}

BOOST_AUTO_TEST_CASE(so_is_one_whose_body_has_not_come_by_then)
{
    options.times.drain = 1ms;
    http_client client = begin();
    client.request("HEAD", "/healthz");
    BOOST_TEST(client.head().status == 200);
    client.send(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
    context.restart();
    context.poll();
    begin_end();
    check_refused(client.response());
    client.close();
    check_ended();
}

BOOST_AUTO_TEST_CASE(requests_that_were_read_behind_one_another_are_all_answered_and_the_last_closes)
{
    http_client client = waiting_for("wait");
    client.post("/rpc", call(2, "add", "[1,1]"));
    client.post("/rpc", call(3, "add", "[1,2]"));
    context.restart();
    context.poll();
    begin_end();
    release();
    const http_response first = client.response();
    BOOST_TEST(first.body == reply(1, "7"));
    BOOST_TEST(first.field("connection").empty());
    const http_response second = client.response();
    BOOST_TEST(second.body == reply(2, "2"));
    BOOST_TEST(second.field("connection").empty());
    const http_response third = client.response();
    BOOST_TEST(third.body == reply(3, "3"));
    BOOST_TEST(third.field("connection") == "close");
    BOOST_TEST(client.is_closed());
    client.close();
    check_ended();
}

BOOST_AUTO_TEST_CASE(who_has_connected_and_was_not_accepted_is_answered_once)
{
    begin().close();
    run_until([this] { return served().connections() == 0; });
    served().close(); // before the loop sees these
    std::deque<http_client> all;
    for (int i = 0; i < 20; ++i)
        all.push_back(connect());
    for (http_client& one : all) {
        const http_response got = one.ask("/rpc", call(1, "add", "[1,1]"));
        BOOST_TEST(got.body == reply(1, "2"));
        BOOST_TEST(got.field("connection") == "close");
        BOOST_TEST(one.is_closed());
    }
    all.clear();
    check_ended();
}

BOOST_AUTO_TEST_CASE(in_lame_duck_all_are_served_as_before_but_each_answer_closes)
{
    options.times.lame_duck = 1h;
    http_client used = waiting_for("wait");
    begin_end();
    release();
    BOOST_TEST(used.response().field("connection") == "close");
    http_client later = connect();
    later.request("GET", "/healthz");
    const http_response health = later.response();
    BOOST_TEST(health.status == 503);
    BOOST_TEST(health.field("connection") == "close");
    http_client last = connect();
    const http_response got = last.ask("/rpc", call(2, "add", "[1,1]"));
    BOOST_TEST(got.body == reply(2, "2"));
    BOOST_TEST(got.field("connection") == "close");
    BOOST_TEST(!ended.has_value());
    served().close(); // nothing new
    served().stop();
    run_until([this] { return ended.has_value(); });
    BOOST_TEST((*ended == boost::asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(behind_lame_duck_the_server_ends)
{
    options.times.lame_duck = 1ms;
    http_client client = waiting_for("wait");
    begin_end();
    release();
    BOOST_TEST(client.response().field("connection") == "close");
    client.close();
    check_ended();
}

BOOST_AUTO_TEST_SUITE_END()
