// How connections by way of a proxy are counted.

#include "http_fixture.hpp"
#include "support/websocket_client.hpp"

#include <partyline/http.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::http_client;
using partyline::test::http_fixture;
using partyline::test::websocket_client;

namespace {

// The clients are all of this machine, and so is the proxy.
struct proxied_fixture : http_fixture {
    const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})";
    const std::string reply = R"({"jsonrpc":"2.0","id":1,"result":[1]})";
    const std::string local = std::string("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", 16);
    const std::string unspecified = std::string("\r\n\r\n\0\r\nQUIT\n\x21\0\0\0", 16);
    std::uint16_t proxied = 0;
    std::vector<http_client> open;

    static std::string from(const std::string& address) { return "PROXY TCP4 " + address + " 192.0.2.9 56324 443\r\n"; }
    void begin(std::size_t most_per_address)
    {
        options.max_connections_per_address = most_per_address;
        if (options.allowed_hosts.empty())
            options.allowed_hosts = {"localhost"};
        method_table methods;
        methods.add("echo", [](boost::json::value params) { return params; });
        auto shared = std::make_shared<const method_table>(std::move(methods));
        served().add_rpc("/rpc", shared);
        served().add_websocket("/ws", shared);
        served().add_sessions(shared);
        start();
        http::accepted_protocols accepted;
        accepted.lines = accepted.proxy_protocol = true;
        proxied = served().listen_tcp("127.0.0.1", 0, accepted).port();
    }
    http_client& connect_with(const std::string& first)
    {
        open.emplace_back(context, proxied);
        open.back().send(first);
        return open.back();
    }
    bool is_served(const std::string& first) { return connect_with(first).ask("/rpc", request).body == reply; }
    bool is_refused(const std::string& first)
    {
        const bool is_closed = connect_with(first).is_closed();
        open.pop_back();
        return is_closed;
    }
    void close_first()
    {
        const std::size_t before = served().connections();
        open.erase(open.begin());
        run_until([&] { return served().connections() < before; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_proxied_addresses, proxied_fixture, *boost::unit_test::timeout(60))

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(each_address_that_a_proxy_tells_has_as_many_as_there_may_be)
{
    begin(2);
    for (const char* address : {"192.0.2.1", "192.0.2.2", "192.0.2.3"}) {
        BOOST_TEST(is_served(from(address)));
        BOOST_TEST(is_served(from(address)));
    }
    BOOST_TEST(is_refused(from("192.0.2.1")));
    BOOST_TEST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged.front() ==
               "refused a connection from 192.0.2.1: as many are open as there may be from one address");
    close_first();
    BOOST_TEST(is_served(from("192.0.2.1")));
    BOOST_TEST(is_refused(from("192.0.2.1")));
    run_until([&] { return served().connections() == 6; });
}

BOOST_AUTO_TEST_CASE(a_session_counts_until_it_ends_whatever_it_speaks)
{
    begin(1);
    connect_with(from("192.0.2.1") + request + '\n').read_bytes(reply.size());
    BOOST_TEST(is_refused(from("192.0.2.1")));
    websocket_client socket(context, proxied);
    socket.send(from("192.0.2.2"));
    socket.open("/ws");
    BOOST_TEST(is_refused(from("192.0.2.2")));
    close_first();
    BOOST_TEST(is_served(from("192.0.2.1")));
}

BOOST_AUTO_TEST_CASE(the_proxy_itself_is_not_counted_before_it_tells)
{
    options.times.first_bytes = 1s;
    begin(1);
    for (const char* some : {"", "PROX", ""})
        connect_with(some);
    BOOST_TEST(is_served(from("192.0.2.1")));
    run_until([&] { return served().connections() == 1; }); // those that tell nothing have ended
    BOOST_TEST(logged.size() == 0u);
}

BOOST_AUTO_TEST_CASE(what_a_proxy_asks_for_itself_is_counted_by_its_own_address)
{
    begin(1);
    BOOST_TEST(is_served(local));
    BOOST_TEST(is_refused(local));
    BOOST_TEST(is_refused(from("127.0.0.1")));
    BOOST_TEST(is_served(from("192.0.2.1")));
}

BOOST_AUTO_TEST_CASE(those_without_an_address_count_together_and_not_as_this_machine)
{
    begin(1);
    BOOST_TEST(is_served("PROXY UNKNOWN\r\n"));
    BOOST_TEST(is_refused("PROXY UNKNOWN\r\n"));
    BOOST_TEST(is_refused(unspecified));
    BOOST_TEST(is_served(local));
    BOOST_TEST(is_served(from("192.0.2.1")));
}

// What is right on loopback alone.
BOOST_AUTO_TEST_CASE(those_without_an_address_may_not_ask_for_localhost_unless_that_is_allowed)
{
    options.allowed_hosts = {"example.org"};
    begin(10);
    for (const std::string& first : {std::string("PROXY UNKNOWN\r\n"), unspecified, local, from("127.0.0.1")})
        BOOST_TEST(connect_with(first).ask("/rpc", request).status == 403, first);
    BOOST_TEST(connect().ask("/rpc", request).status == 200);
}

BOOST_AUTO_TEST_CASE(the_log_does_not_take_those_without_an_address_for_this_machine)
{
    std::vector<std::string> records;
    options.access_log = [&](std::string_view line) { records.emplace_back(line); };
    begin(10);
    BOOST_TEST(is_served("PROXY UNKNOWN\r\n"));
    BOOST_TEST(is_served(local));
    run_until([&] { return records.size() == 2u; });
    BOOST_TEST(records.front().find(R"("peer":"0.0.0.0")") != std::string::npos, records.front());
    BOOST_TEST(records.back().find(R"("peer":"127.0.0.1")") != std::string::npos, records.back());
}

BOOST_AUTO_TEST_CASE(who_comes_without_a_proxy_is_counted_beside)
{
    begin(1);
    http_client direct = connect();
    BOOST_TEST(direct.ask("/rpc", request).body == reply);
    BOOST_TEST(connect().is_closed());
    BOOST_TEST(is_refused(from("127.0.0.1")));
    BOOST_TEST(is_served(from("192.0.2.1")));
}

BOOST_AUTO_TEST_SUITE_END()
