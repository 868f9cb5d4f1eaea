// Clients of HTTP and WebSocket, whose calls a front passes on.

#include "support/websocket_client.hpp"
#include "unit/fleet/bus/fleet_fixture.hpp"
#include "unit/http/http_fixture.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

task<int> count_for_ever(request_context& context, std::shared_ptr<mailbox<std::string>> told)
{
    told->put("begun");
    try {
        for (int i = 1;; ++i) {
            co_await context.progress(i);
            asio::steady_timer timer(context.get_executor(), i < 3 ? 1ms : std::chrono::milliseconds(1h));
            co_await timer.async_wait(asio::deferred);
        }
    } catch (const boost::system::system_error&) {
        told->put("cancelled");
        throw;
    }
}

struct fleet_behind_http : http_fixture {
    fleet_behind_http()
    {
        nats.start();
        bus.emplace(nats.url());
        auto methods = std::make_shared<method_table>();
        methods->add("echo", [](json_text params) { return params; });
        methods->add("wait", [told = told](request_context& context) { return count_for_ever(context, told); });
        worker.emplace(*bus->own, methods);
        front.emplace(context.get_executor(), *bus->own, "tools");
        served().add_rpc("/rpc", front->maker());
        served().add_websocket("/ws", front->maker());
        start();
    }
    void hear(const std::string& what)
    {
        run_until([&] { return told->size() != 0; });
        BOOST_TEST(told->take() == what);
    }

    nats_server nats;
    std::shared_ptr<mailbox<std::string>> told = std::make_shared<mailbox<std::string>>();
    std::optional<told_bus> bus;
    std::optional<running_worker> worker;
    std::optional<fleet::front> front;
};

constexpr std::string_view endless = R"({"jsonrpc":"2.0","id":"own","method":"wait"})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_http_suite, fleet_behind_http, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_post_is_answered_by_a_worker_under_its_own_id)
{
    http_client client = connect();
    BOOST_TEST(client.ask("/rpc", R"({"jsonrpc":"2.0","id":1.50,"method":"echo","params":{"a":[1e2]}})").body ==
               R"({"jsonrpc":"2.0","id":1.50,"result":{"a":[1e2]}})");
    BOOST_TEST(client
                   .ask("/rpc", R"([{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]},
        {"jsonrpc":"2.0","id":2,"method":"none"}])")
                   .body.find(R"("id":2,"error":{"code":-32601)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(progress_is_a_stream_of_events_and_a_client_that_goes_away_cancels)
{
    {
        http_client client = connect();
        client.post("/rpc", endless, "Accept: application/json, text/event-stream\r\n");
        hear("begun");
        BOOST_TEST(client.head().status == 200);
        const std::string events = client.read_until(R"("value":2}})");
        BOOST_TEST(events.find(R"({"token":"own","value":1})") < events.find(R"({"token":"own","value":2})"));
    }
    hear("cancelled");
    run_until([&] { return front->counters().open_calls == 0; });
}

BOOST_AUTO_TEST_CASE(a_cancel_of_the_protocol_reaches_the_worker)
{
    websocket_client client(context, port());
    client.open("/ws");
    client.say(endless);
    hear("begun");
    client.say(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"own"}})");
    hear("cancelled");
    std::string last;
    do {
        last = client.next_text();
    } while (last.find("$/progress") != std::string::npos);
    BOOST_TEST(last.find(R"("id":"own","error":{"code":-32800)") != std::string::npos, last);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
