// Calls from a front to a worker by a real server.

#include "fleet/front/front_message.hpp"
#include "unit/fleet/bus/fleet_fixture.hpp"

#include <partyline/session/clean_up.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;
using texts = std::vector<std::string>;

/// Waits for a cancel.
task<int> wait_for_ever(request_context& context, std::shared_ptr<mailbox<std::string>> told)
{
    asio::steady_timer timer(context.get_executor(), 1h);
    told->put("begun");
    try {
        co_await timer.async_wait(asio::deferred);
    } catch (const boost::system::system_error&) {
        told->put("cancelled");
        throw;
    }
    co_return 1;
}

task<std::string> count(request_context& context, int to)
{
    for (int i = 1; i <= to; ++i)
        co_await context.progress(i);
    co_return "counted";
}

task<int> later(request_context& context, int value)
{
    asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(7 - value % 7));
    co_await timer.async_wait(asio::deferred);
    co_return value;
}

task<std::string> ask_client(request_context& context)
{
    try {
        co_await context.call("ask");
    } catch (const boost::system::system_error& e) {
        co_return e.code() == errc::session_closed ? "closed" : e.code().message();
    }
    co_return "answered";
}

struct fleet_on_one_machine {
    fleet_on_one_machine()
    {
        server.start();
        methods.add("echo", [](boost::json::value params) { return params; });
        methods.add("fail", [](boost::json::value) -> int { throw rpc_error(7, "No", boost::json::value("why")); });
        methods.add("later", later, {"value"});
        methods.add("count", count, {"to"});
        methods.add("ask", ask_client);
        methods.add("wait", [told = told](request_context& context) { return wait_for_ever(context, told); });
        methods.add("who", [](request_context& context) {
            const peer_identity& who = context.peer();
            return who.source + " " + who.principal + " " + (who.scopes.empty() ? "" : who.scopes.front());
        });
        methods.add_notification("note", [told = told](std::string text) { told->put(text); });
    }
    void begin(fleet::worker_options options = {}, fleet::front_options asked = {})
    {
        bus.emplace(server.url());
        worker.emplace(*bus->own, std::make_shared<const method_table>(std::move(methods)), std::move(options));
        front.emplace(*bus->own, std::move(asked));
    }

    nats_server server;
    std::shared_ptr<mailbox<std::string>> told = std::make_shared<mailbox<std::string>>();
    method_table methods;
    std::optional<told_bus> bus;
    std::optional<running_worker> worker;
    std::optional<calling_front> front;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_calls_suite, fleet_on_one_machine, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_worker_answers_with_results_and_errors)
{
    begin();
    BOOST_TEST(front->call("echo", R"({"a":[1,"x"]})") == R"({"a":[1,"x"]})");
    BOOST_TEST(front->call("fail") == "7 \"why\"");
    BOOST_TEST(front->call("nothing") == R"(-32601 {"method":"nothing"})");
}

BOOST_AUTO_TEST_CASE(a_thousand_calls_come_back_each_with_its_own_result)
{
    fleet::worker_options many;
    many.max_calls = 64;
    begin(std::move(many));
    std::vector<std::future<came_back>> open;
    for (int i = 0; i < 1000; ++i)
        open.push_back(front->start("later", '[' + std::to_string(i) + ']',
                                    [&](fleet::fleet_call& call) { call.is_idempotent = i % 2 == 0; }));
    for (int i = 0; i < 1000; ++i)
        BOOST_TEST(calling_front::text_of(std::move(open[static_cast<std::size_t>(i)])) == std::to_string(i));
    BOOST_TEST(front->own->counters().open_calls == 0u);
    BOOST_TEST(worker->own->counters().begun == 1000u);
}

BOOST_AUTO_TEST_CASE(progress_comes_in_order_and_before_the_result)
{
    begin();
    texts all;
    const std::string result = front->call("count", "[200]", [&](fleet::fleet_call& call) {
        call.id = "\"own\"";
        call.on_notification = [&](const std::string& method, const json_text& params) {
            all.push_back(method + params.text());
        };
    });
    BOOST_TEST(result == "\"counted\"");
    BOOST_TEST(all.size() == 200u);
    for (std::size_t i = 0; i < all.size(); ++i)
        BOOST_TEST(all[i] == R"($/progress{"token":"own","value":)" + std::to_string(i + 1) + "}");
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_completes_at_once_and_its_handler_is_cancelled)
{
    begin();
    asio::cancellation_signal cancel;
    std::promise<error_code> ended;
    fleet::fleet_call call;
    call.method = "wait";
    asio::post(front->executor(), [&] {
        front->own->call(std::move(call))(asio::bind_cancellation_slot(
            cancel.slot(), [&](error_code failed, const response&) { ended.set_value(failed); }));
    });
    BOOST_TEST(told->take() == "begun");
    asio::post(front->executor(), [&] { cancel.emit(asio::cancellation_type::all); });
    BOOST_TEST(ended.get_future().get() == asio::error::operation_aborted);
    BOOST_TEST(told->take() == "cancelled");
    BOOST_TEST(front->call("echo", "[1]") == "[1]");
}

BOOST_AUTO_TEST_CASE(a_deadline_ends_the_call_and_its_handler)
{
    begin();
    BOOST_TEST(front->call("wait", {}, [](fleet::fleet_call& call) { call.deadline = 2s; }) ==
               R"(-32800 {"reason":"deadline"})");
    BOOST_TEST(told->take() == "begun");
    BOOST_TEST(told->take() == "cancelled");
}

BOOST_AUTO_TEST_CASE(who_asks_is_known_to_the_worker)
{
    begin();
    const std::string who = front->call("who", {}, [](fleet::fleet_call& call) {
        auto one = std::make_shared<peer_identity>();
        one->principal = "alice";
        one->source = "token";
        one->scopes = {"files:read"};
        call.peer = std::move(one);
    });
    BOOST_TEST(who == "\"token alice files:read\"");
    BOOST_TEST(front->call("who") == "\"  \"");
}

BOOST_AUTO_TEST_CASE(a_notification_is_served_and_completes)
{
    begin();
    BOOST_TEST(front->call("note", R"(["hello"])", [](fleet::fleet_call& call) { call.id = {}; }) == "null");
    BOOST_TEST(told->take() == "hello");
}

BOOST_AUTO_TEST_CASE(a_worker_can_ask_its_client_nothing)
{
    begin();
    BOOST_TEST(front->call("ask") == "\"closed\"");
}

BOOST_AUTO_TEST_CASE(what_is_larger_than_the_server_takes_is_refused_either_way)
{
    methods.add("grow", [](std::size_t size) { return std::string(size, 'x'); }, {"size"});
    begin();
    BOOST_TEST(front->call("echo", "[\"" + std::string(1100'000, 'x') + "\"]") == R"(-32600 {"reason":"size"})");
    BOOST_TEST(front->call("grow", "[1100000]") == R"(-32603 {"reason":"size"})");
    BOOST_TEST(front->call("grow", "[900000]").size() == 900'002u);
}

BOOST_AUTO_TEST_CASE(two_workers_share_the_calls)
{
    begin();
    auto same = std::make_shared<method_table>();
    same->add("later", later, {"value"});
    running_worker other(*bus->own, same);
    std::vector<std::future<came_back>> open;
    for (int i = 0; i < 200; ++i)
        open.push_back(front->start("later", '[' + std::to_string(i) + ']'));
    for (int i = 0; i < 200; ++i)
        BOOST_TEST(calling_front::text_of(std::move(open[static_cast<std::size_t>(i)])) == std::to_string(i));
    BOOST_TEST(worker->own->counters().begun + other.own->counters().begun == 200u);
}

BOOST_AUTO_TEST_CASE(a_worker_that_is_closed_ends_what_runs_and_takes_nothing_more)
{
    std::promise<void> go_on;
    std::shared_future<void> may_end = go_on.get_future().share();
    methods.add("hold", [told = told, may_end](request_context& context) -> task<int> {
        told->put("begun");
        while (may_end.wait_for(0s) != std::future_status::ready) {
            asio::steady_timer timer(context.get_executor(), 5ms);
            co_await timer.async_wait(asio::deferred);
        }
        co_return 5;
    });
    begin();
    auto held = front->start("hold");
    BOOST_TEST(told->take() == "begun");
    worker->own->close();
    auto next = front->start("echo", "[2]"); // nobody is there for it, until another worker comes
    go_on.set_value();
    BOOST_TEST(calling_front::text_of(std::move(held)) == "5");
    BOOST_TEST(!worker->ended->take());
    auto same = std::make_shared<method_table>();
    same->add("echo", [](boost::json::value params) { return params; });
    const running_worker other(*bus->own, same);
    BOOST_TEST(calling_front::text_of(std::move(next)) == "[2]");
}

BOOST_AUTO_TEST_CASE(a_front_that_is_closed_answers_what_is_open)
{
    begin();
    auto open = front->start("wait");
    BOOST_TEST(told->take() == "begun");
    front->own->close();
    BOOST_TEST(calling_front::text_of(std::move(open)) == R"(-31004 {"executed":"unknown"})");
    BOOST_TEST(told->take() == "cancelled");
    BOOST_TEST(front->call("echo", "[1]") == R"(-31001 {"reason":"closing"})");
}

BOOST_AUTO_TEST_CASE(a_front_takes_no_bounds_of_nothing)
{
    begin();
    running_context context;
    fleet::front_options no_calls;
    no_calls.max_calls_per_client = 0;
    BOOST_CHECK_THROW(fleet::front(context.executor(), *bus->own, "tools", no_calls), std::invalid_argument);
    fleet::front_options no_sessions;
    no_sessions.max_sessions_per_client = 0;
    BOOST_CHECK_THROW(fleet::front(context.executor(), *bus->own, "tools", no_sessions), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_client_has_all_addresses_of_its_network)
{
    const auto client_at = [](const char* address) {
        peer_identity who;
        who.address = {asio::ip::make_address(address), 4000};
        return fleet::client_of(who);
    };
    BOOST_TEST(client_at("2001:db8::1") == client_at("2001:db8::2:0:0:7"));
    BOOST_TEST(client_at("2001:db8::1") != client_at("2001:db8:0:1::1"));
    BOOST_TEST(client_at("192.0.2.1") == client_at("::ffff:192.0.2.1"));
    BOOST_TEST(client_at("192.0.2.1") != client_at("192.0.2.2"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
