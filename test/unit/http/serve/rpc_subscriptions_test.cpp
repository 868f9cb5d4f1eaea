// Subscriptions by a plain POST, whose response is the stream of their values.

#include "serve/rpc_fixture.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/subscription.hpp>

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using partyline::sink_status;
using partyline::subscription_options;
using partyline::subscription_sink;
using partyline::task;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::rpc_fixture;

namespace {

struct streams_fixture : rpc_fixture {
    std::vector<subscription_sink> sinks;
    int sent = 0;           // by a task
    bool is_enough = false; // for it
    int ended_tasks = 0;    // of those that wait for their end

    template <class F>
    void add(F handler, const subscription_options& how = {})
    {
        methods.add_subscription({"subscribe_drops", "drops", "unsubscribe_drops"}, std::move(handler), how);
    }
    void add_kept(const subscription_options& how = {})
    {
        add([this](subscription_sink sink) { sinks.push_back(sink); }, how);
    }
    static void subscribe(http_client& by)
    {
        by.post("/rpc", call(1, "subscribe_drops", "[]"), "Accept: text/event-stream\r\n");
    }
    static std::string drop(std::string_view value)
    {
        return "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"drops\",\"params\":{\"subscription\":1,\"result\":" +
               std::string(value) + "}}\n\n";
    }
    static std::string answer(const std::string& of) { return "event: message\ndata: " + of + "\n\n"; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_rpc_subscriptions, streams_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(values_are_events_and_the_end_is_the_answer)
{
    add([](subscription_sink sink) -> task<> {
        for (int i = 0; i != 3; ++i)
            co_await sink.send(i);
    });
    http_client client = begin();
    const http_response got = client.ask("/rpc", call(1, "subscribe_drops", "[]"), "Accept: text/event-stream\r\n");
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("content-type") == "text/event-stream");
    BOOST_TEST(got.body == drop("0") + drop("1") + drop("2") + answer(reply(1, "1")));
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_ends_it)
{
    add([this](subscription_sink sink) -> task<> {
        sinks.push_back(sink);
        try {
            co_await sink.closed();
        } catch (const boost::system::system_error&) { // cancelled
        }
        ++ended_tasks;
    });
    http_client client = begin();
    subscribe(client);
    run_until([&] { return sinks.size() == 1; });
    BOOST_TEST(!sinks[0].link());
    BOOST_TEST((sinks[0].try_send("a") == sink_status::sent));
    client.head();
    client.read_until(R"("result":"a")");
    client.close();
    run_until([&] { return ended_tasks == 1; });
    BOOST_TEST(!sinks[0].is_open());
    BOOST_TEST((sinks[0].try_send("b") == sink_status::closed));
}

BOOST_AUTO_TEST_CASE(a_plain_function_keeps_the_sink)
{
    add_kept();
    http_client client = begin();
    subscribe(client);
    run_until([&] { return sinks.size() == 1; });
    sinks[0].try_send(1);
    client.head();
    client.read_until(R"("result":1)");
    sinks[0].try_send(2);
    sinks[0].close();
    client.read_until(R"("result":2)");
    client.read_until(reply(1, "1"));
    BOOST_TEST((sinks[0].try_send(3) == sink_status::closed));
}

BOOST_AUTO_TEST_CASE(errors_are_the_answer)
{
    add_kept();
    methods.add_subscription({"subscribe_none", "none", "unsubscribe_none"}, [](subscription_sink sink) -> task<> {
        sink.try_send(1);
        throw partyline::rpc_error(7, "The source is gone");
        co_return;
    });
    http_client client = begin();
    const std::string events = "Accept: text/event-stream\r\n";
    const std::string failed = client.ask("/rpc", call(2, "subscribe_none", "[]"), events).body;
    BOOST_TEST(failed.find("\"result\":1") < failed.find("The source is gone"));
    BOOST_TEST(failed.find("The source is gone") != failed.npos, failed);
    subscribe(client);
    run_until([&] { return sinks.size() == 1; });
    sinks[0].fail({9, "Enough", {}});
    client.head();
    client.read_until(R"("error":{"code":9,"message":"Enough"})");
}

BOOST_AUTO_TEST_CASE(a_client_that_takes_json_alone_gets_the_answer_alone)
{
    add([](subscription_sink sink) -> task<> {
        for (int i = 0; i != 3; ++i)
            co_await sink.send(i);
    });
    http_client client = begin();
    for (int i = 1; i != 3; ++i) // over the same connection
        BOOST_TEST(client.ask("/rpc", call(i, "subscribe_drops", "[]"), "Accept: application/json\r\n").body ==
                   reply(i, "1"));
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_slows_the_sender)
{
    options.session.bounds.outbox_soft_bytes = 4096;
    constexpr int most = 2000; // more than any socket holds
    add(
        [this](subscription_sink sink) -> task<> {
            const std::string text(100'000, 'x');
            for (; sent != most && !is_enough; ++sent)
                co_await sink.send(text);
        },
        {.queue_bytes = 8192});
    http_client client = begin();
    subscribe(client);
    run_until([&] { return sent != 0; });
    for (int before = 0; before != sent; context.poll()) // until what is between them is full
        before = sent;
    BOOST_TEST(sent < most);
    is_enough = true;
    client.head();
    client.read_until(reply(1, "1"));
}

BOOST_AUTO_TEST_CASE(a_server_that_closes_ends_it)
{
    add_kept();
    http_client client = begin();
    subscribe(client);
    run_until([&] { return sinks.size() == 1; });
    served().close();
    run_until([&] { return ended.has_value(); });
    BOOST_TEST(!sinks[0].is_open());
}

BOOST_AUTO_TEST_CASE(there_are_so_many_streams)
{
    add_kept({.max_streams = 1});
    http_client one = begin();
    http_client other = connect();
    subscribe(one);
    run_until([&] { return sinks.size() == 1; });
    const std::string busy = other.ask("/rpc", call(1, "subscribe_drops", "[]")).body;
    BOOST_TEST(busy.find(R"("data":{"limit":"max_streams","value":1})") != busy.npos, busy);
    one.close();
    run_until([&] { return !sinks[0].is_open(); });
    subscribe(other);
    run_until([&] { return sinks.size() == 2; });
}

BOOST_AUTO_TEST_CASE(a_batch_does_not_subscribe)
{
    add_kept();
    http_client client = begin();
    const std::string got = client.ask("/rpc", '[' + call(1, "subscribe_drops", "[]") + ']').body;
    BOOST_TEST(got.find("-32600") != got.npos, got);
    BOOST_TEST(sinks.empty());
}

BOOST_AUTO_TEST_CASE(a_sink_outlives_its_server)
{
    std::vector<subscription_sink> kept;
    {
        streams_fixture other;
        other.add_kept();
        http_client client = other.begin();
        subscribe(client);
        other.run_until([&] { return other.sinks.size() == 1; });
        kept = other.sinks;
    }
    BOOST_TEST(!kept.at(0).is_open());
    BOOST_TEST((kept.at(0).try_send(1) == sink_status::closed));
    kept.at(0).close();
}

BOOST_AUTO_TEST_SUITE_END()
