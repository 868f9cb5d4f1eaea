// What is lost, and comes back: servers and workers.

#include "unit/fleet/bus/fleet_fixture.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<method_table> echo_methods()
{
    auto made = std::make_shared<method_table>();
    made->add("echo", [](boost::json::value params) { return params; });
    return made;
}

void wait_for(const told_bus& bus, bool is_connected)
{
    const auto until = std::chrono::steady_clock::now() + patience;
    while (bus.own->is_connected() != is_connected) {
        if (std::chrono::steady_clock::now() >= until)
            throw std::runtime_error("the bus does not see what became of its server");
        std::this_thread::sleep_for(1ms);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_losses_suite, *boost::unit_test::timeout(180))

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_yet_is_waited_for)
{
    nats_server server;
    told_bus bus(server.url());
    running_worker worker(*bus.own, echo_methods());
    calling_front front(*bus.own);
    auto open = front.start("echo", "[1]");
    BOOST_TEST(bus.lost->take().find(server.url()) != std::string::npos);
    BOOST_TEST(!bus.own->is_connected());
    server.start();
    BOOST_TEST(calling_front::text_of(std::move(open)) == "[1]");
    BOOST_TEST(bus.own->is_connected());
}

BOOST_AUTO_TEST_CASE(a_server_that_never_comes_is_an_error_that_says_that_nothing_was_done)
{
    nats_server server;
    told_bus bus(server.url());
    calling_front front(*bus.own);
    BOOST_TEST(front.call("echo", "[1]", [](fleet::fleet_call& call) { call.deadline = 1min; }) ==
               R"(-31001 {"reason":"bus unreachable"})");
    // By now it does not wait any more.
    const auto began = std::chrono::steady_clock::now();
    BOOST_TEST(front.call("echo", "[1]") == R"(-31001 {"reason":"bus unreachable"})");
    BOOST_TEST((std::chrono::steady_clock::now() - began < 5s));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_killed_and_comes_back_loses_no_call)
{
    nats_server server;
    server.start();
    told_bus bus(server.url());
    running_worker worker(*bus.own, echo_methods());
    calling_front front(*bus.own);
    BOOST_TEST(front.call("echo", "[0]") == "[0]");
    std::vector<std::future<came_back>> open;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 100; ++i)
            open.push_back(
                front.start("echo", "[1]", [&](fleet::fleet_call& call) { call.is_idempotent = i % 2 == 0; }));
        server.kill();
        wait_for(bus, false);
        for (int i = 0; i < 100; ++i)
            open.push_back(
                front.start("echo", "[1]", [&](fleet::fleet_call& call) { call.is_idempotent = i % 2 == 0; }));
        server.start();
        wait_for(bus, true);
    }
    for (auto& one : open)
        BOOST_TEST(calling_front::text_of(std::move(one)) == "[1]");
}

BOOST_AUTO_TEST_CASE(calls_of_a_lost_worker_run_again_only_where_they_may)
{
    nats_server server;
    server.start();
    told_bus bus(server.url());
    const auto told = std::make_shared<mailbox<std::string>>();
    auto stuck = std::make_shared<method_table>();
    stuck->add("echo", [told](request_context& context, boost::json::value) -> task<int> {
        told->put("begun");
        asio::steady_timer timer(context.get_executor(), 1h);
        co_await timer.async_wait(asio::deferred);
        co_return 0;
    });
    std::optional<running_worker> lost;
    lost.emplace(*bus.own, stuck);
    calling_front front(*bus.own);
    auto again = front.start("echo", "[1]", [](fleet::fleet_call& call) { call.is_idempotent = true; });
    auto once = front.start("echo", "[2]");
    told->take();
    told->take();
    lost.reset(); // destroyed: it says nothing more
    running_worker other(*bus.own, echo_methods());
    BOOST_TEST(calling_front::text_of(std::move(again)) == "[1]");
    BOOST_TEST(calling_front::text_of(std::move(once)) == R"(-31004 {"executed":"unknown"})");
    BOOST_TEST(other.own->counters().begun == 1u);
}

BOOST_AUTO_TEST_CASE(without_a_service_nobody_is_there)
{
    nats_server server;
    server.start();
    told_bus bus(server.url());
    bus.connected->take();
    calling_front front(*bus.own);
    BOOST_TEST(front.call("echo", "[1]") == R"(-31001 {"reason":"no worker"})");
}

BOOST_AUTO_TEST_CASE(a_bus_may_be_destroyed_at_any_time)
{
    nats_server server;
    server.start();
    for (int i = 0; i < 20; ++i) {
        std::optional<told_bus> bus(std::in_place, server.url());
        running_worker worker(*bus->own, echo_methods());
        calling_front front(*bus->own);
        if (i % 4 != 0)
            BOOST_TEST(front.call("echo", "[1]") == "[1]");
        std::vector<std::future<came_back>> open;
        for (int n = 0; n < 50; ++n)
            open.push_back(front.start("echo", "[2]"));
        if (i % 2 == 0)
            bus->own.reset();
        else
            front.own->close();
    }
}

BOOST_AUTO_TEST_CASE(who_is_not_let_in_is_told_so_without_the_password)
{
    nats_server server({"--user", "u", "--pass", "right-one"});
    server.start();
    const auto url_with = [&](const std::string& password) {
        return "nats://u:" + password + "@" + server.url().substr(std::string_view("nats://").size());
    };
    told_bus refused(url_with("wrong-one"));
    const std::string why = refused.lost->take();
    BOOST_TEST(why.find("Authorization Violation") != std::string::npos, why);
    BOOST_TEST(why.find("wrong-one") == std::string::npos, why);
    told_bus admitted(url_with("right-one"));
    BOOST_TEST(admitted.connected->take());
}

BOOST_AUTO_TEST_CASE(the_process_takes_sigpipe_as_before)
{
    told_bus bus("nats://127.0.0.1:1");
    bus.lost->take();
    struct sigaction now = {};
    ::sigaction(SIGPIPE, nullptr, &now);
    BOOST_TEST((now.sa_handler != SIG_IGN));
}

BOOST_AUTO_TEST_CASE(misuse_is_refused)
{
    const auto refused = [](std::string server, std::string certificate) {
        fleet::bus_options options;
        options.servers = {std::move(server)};
        options.certificate_file = std::move(certificate);
        try {
            const fleet::bus made(std::move(options));
        } catch (const std::invalid_argument& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    BOOST_TEST(refused("http://x", {}) == "bus: a server is nats://host:port or tls://host:port");
    BOOST_TEST(refused("nats://x", "a.pem") == "bus: a certificate and its key belong together");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_told_and_tried_again)
{
    told_bus bus("tls://127.0.0.1:1", [](fleet::bus_options& options) { options.ca_file = "/nowhere/ca.pem"; });
    const std::string why = bus.lost->take();
    BOOST_TEST(why.starts_with("/nowhere/ca.pem: "), why);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
