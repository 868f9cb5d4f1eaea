// Where a pool's requests go, and what becomes of them when it goes.

#include "client/pool_fixture.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline::http;
using namespace partyline::test;
using partyline::errc;

namespace {

// The pool is the coroutine's own.
asio::awaitable<std::string> ask_own_pool(std::unique_ptr<connection_pool> pool, client_request request)
{
    pooled_response response = co_await pool->send(std::move(request), no_time_limit);
    co_return co_await response.read_all(1000, no_time_limit);
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_connection_pool_ways, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_pool_that_goes_closes_its_connections_and_ends_who_waits)
{
    pool_fixture setup(connections_up_to(2));
    auto answered = setup.ask("/1");
    scripted_end idle = setup.server.accept();
    idle.read_request();
    idle.say(fine_response);
    answered.get();
    auto unanswered = setup.ask("/2");
    idle.read_request();
    auto other = setup.ask("/3");
    scripted_end end = setup.server.accept();
    end.read_request();
    auto waiting = setup.ask("/4");
    BOOST_TEST(!setup.server.is_asked());
    setup.pool.reset();
    BOOST_TEST(unanswered.failure() == pool_aborted);
    BOOST_TEST(other.failure() == pool_aborted);
    BOOST_TEST(waiting.failure() == pool_aborted);
    BOOST_TEST(idle.is_closed());
    BOOST_TEST(end.is_closed());
    setup.context.restart();
    BOOST_TEST(setup.context.poll() == 0u);
    BOOST_TEST(setup.context.stopped()); // nothing is left to do
}

BOOST_AUTO_TEST_CASE(what_is_suspended_goes_with_its_context)
{
    pool_fixture setup(connections_up_to(1));
    auto first = setup.begin("/1");
    scripted_end end = setup.server.accept();
    end.say(fine_response);
    const auto held = first.get();
    auto waiting = started<std::string>(setup.context, ask_own_pool(std::move(setup.pool), request_for("/2")));
    setup.server.is_asked();
    BOOST_TEST(!waiting.is_done());
}

BOOST_AUTO_TEST_CASE(a_response_that_leads_elsewhere_is_a_failure_that_says_where)
{
    pool_fixture setup;
    auto asked = setup.ask();
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 307 Temporary Redirect\r\nLocation: https://b/mcp\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply));
    BOOST_TEST(asked.words.find("HTTP status 307, which leads to 'https://b/mcp'") != std::string::npos);
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(a_response_over_its_bound_is_refused)
{
    pool_fixture setup;
    auto asked = setup.ask();
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'));
    BOOST_TEST(asked.failure() == make_error_code(errc::message_too_large));
}

BOOST_AUTO_TEST_CASE(who_does_not_listen_is_told)
{
    pool_fixture setup;
    setup.server.stop();
    const std::string at = "http://127.0.0.1:1/";
    setup.pool = std::make_unique<connection_pool>(setup.context.get_executor(), parse_url(at));
    auto asked = setup.ask();
    BOOST_TEST(asked.failure() == partyline::error_code(asio::error::connection_refused));
    BOOST_TEST(asked.words.find("127.0.0.1:1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(plain_http_goes_through_a_proxy_with_the_whole_address)
{
    pool_fixture setup;
    connection_options how;
    how.proxy = parse_url("http://" + setup.host());
    setup.pool =
        std::make_unique<connection_pool>(setup.context.get_executor(), parse_url("http://far.example:81/"), how);
    auto asked = setup.ask("/x?y");
    scripted_end end = setup.server.accept();
    BOOST_TEST(end.read_request() == "GET http://far.example:81/x?y HTTP/1.1\r\nHost: far.example:81\r\n\r\n");
    end.say(fine_response);
    BOOST_TEST(asked.get() == "ok");
}

BOOST_AUTO_TEST_CASE(other_protocols_go_through_a_tunnel_of_the_proxy)
{
    pool_fixture setup;
    connection_options how;
    how.proxy = parse_url("http://" + setup.host());
    setup.pool = std::make_unique<connection_pool>(setup.context.get_executor(), parse_url("ws://far.example/"), how);
    auto asked = setup.ask("/x");
    scripted_end end = setup.server.accept();
    BOOST_TEST(end.read_request() == "CONNECT far.example:80 HTTP/1.1\r\nHost: far.example:80\r\n\r\n");
    end.say("HTTP/1.1 200 Connection established\r\n\r\n");
    BOOST_TEST(end.read_request() == "GET /x HTTP/1.1\r\nHost: far.example\r\n\r\n");
    end.say(fine_response);
    BOOST_TEST(asked.get() == "ok");

    setup.pool = std::make_unique<connection_pool>(setup.context.get_executor(), parse_url("ws://far.example/"), how);
    auto refused = setup.ask("/x");
    scripted_end other = setup.server.accept();
    other.read_request();
    other.say("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(refused.failure() == partyline::error_code(asio::error::connection_refused));
    BOOST_TEST(refused.words.find("407") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_reached_is_said_at_once)
{
    asio::io_context context;
    connection_options how;
    BOOST_CHECK_THROW(connection_pool(context.get_executor(), parse_url("https://a"), how), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
