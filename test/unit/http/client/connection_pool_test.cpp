#include "client/client_play.hpp"
#include "http/client/connection_pool.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline::http;
using namespace partyline::test;
using partyline::errc;

namespace {

constexpr std::size_t enough = 1000;
const partyline::error_code pool_aborted = asio::error::operation_aborted;
const std::string fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

client_request request_for(std::string target)
{
    client_request request;
    request.target = std::move(target);
    return request;
}

asio::awaitable<std::string> ask_pool(connection_pool& pool, client_request request, time_limit until)
{
    pooled_response response = co_await pool.send(std::move(request), until);
    co_return co_await response.read_all(enough, until);
}

asio::awaitable<std::shared_ptr<pooled_response>> begin_pool(connection_pool& pool, client_request request)
{
    pooled_response response = co_await pool.send(std::move(request), no_time_limit);
    co_return std::make_shared<pooled_response>(std::move(response));
}

struct pool_play {
    explicit pool_play(connection_options how = {}, const std::string& at = "http://127.0.0.1:")
    {
        url to = parse_url(at + std::to_string(server.port()));
        pool.emplace(context.get_executor(), std::move(to), std::move(how));
    }

    asio::io_context context;
    scripted_server server{context};
    std::optional<connection_pool> pool;

    started<std::string> ask(std::string target = "/", time_limit until = no_time_limit)
    {
        return started<std::string>(context, ask_pool(*pool, request_for(std::move(target)), until));
    }
    started<std::shared_ptr<pooled_response>> begin(std::string target = "/")
    {
        return started<std::shared_ptr<pooled_response>>(context, begin_pool(*pool, request_for(std::move(target))));
    }
    std::string host() const { return "127.0.0.1:" + std::to_string(server.port()); }
    std::string text(const std::string& target) const
    {
        return "GET " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
    }
};

connection_options at_most(std::size_t connections)
{
    connection_options how;
    how.connections = connections;
    return how;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_connection_pool, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_connection_is_used_again)
{
    pool_play play;
    auto first = play.ask("/1");
    scripted_end end = play.server.accept();
    BOOST_TEST(end.read_request() == play.text("/1"));
    end.say(fine);
    BOOST_TEST(first.get() == "ok");
    auto second = play.ask("/2");
    BOOST_TEST(end.read_request() == play.text("/2"));
    end.say(fine);
    BOOST_TEST(second.get() == "ok");
    BOOST_TEST(!play.server.is_asked());
}

BOOST_AUTO_TEST_CASE(requests_that_overlap_have_connections_of_their_own)
{
    pool_play play;
    auto first = play.ask("/1");
    scripted_end one = play.server.accept();
    one.read_request();
    auto second = play.ask("/2");
    scripted_end two = play.server.accept();
    two.read_request();
    two.say(fine);
    BOOST_TEST(second.get() == "ok");
    one.say(fine);
    BOOST_TEST(first.get() == "ok");
}

BOOST_AUTO_TEST_CASE(what_is_more_than_may_be_waits_in_order)
{
    pool_play play(at_most(2));
    std::vector<started<std::string>> asked;
    for (int i = 0; i < 5; ++i)
        asked.push_back(play.ask("/" + std::to_string(i)));
    scripted_end one = play.server.accept();
    scripted_end two = play.server.accept();
    BOOST_TEST(one.read_request() == play.text("/0"));
    BOOST_TEST(two.read_request() == play.text("/1"));
    BOOST_TEST(!play.server.is_asked());
    two.say(fine);
    BOOST_TEST(two.read_request() == play.text("/2"));
    two.say(fine);
    BOOST_TEST(two.read_request() == play.text("/3"));
    one.say(fine);
    BOOST_TEST(one.read_request() == play.text("/4"));
    one.say(fine);
    two.say(fine);
    for (auto& each : asked)
        BOOST_TEST(each.get() == "ok");
    BOOST_TEST(!play.server.is_asked());
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_connection_can_be_cancelled_and_has_a_time)
{
    pool_play play(at_most(1));
    auto first = play.ask("/1");
    scripted_end end = play.server.accept();
    end.read_request();
    auto cancelled = play.ask("/2");
    auto late = play.ask("/3", std::chrono::steady_clock::now() + 20ms);
    auto patient = play.ask("/4");
    BOOST_TEST(late.failure() == make_error_code(errc::timeout));
    cancelled.cancel();
    BOOST_TEST(cancelled.failure() == pool_aborted);
    end.say(fine);
    BOOST_TEST(end.read_request() == play.text("/4"));
    end.say(fine);
    BOOST_TEST(patient.get() == "ok");
    BOOST_TEST(first.get() == "ok");
}

BOOST_AUTO_TEST_CASE(a_connection_that_was_closed_meanwhile_is_replaced_by_another_one)
{
    for (const bool is_reset : {false, true}) {
        pool_play play;
        auto first = play.ask("/1");
        scripted_end end = play.server.accept();
        end.read_request();
        end.say(fine);
        first.get();
        is_reset ? end.reset() : end.close();
        auto second = play.ask("/2");
        scripted_end next = play.server.accept();
        BOOST_TEST(next.read_request() == play.text("/2"));
        next.say(fine);
        BOOST_TEST(second.get() == "ok");
    }
}

BOOST_AUTO_TEST_CASE(a_connection_with_something_left_over_is_replaced_by_another_one)
{
    pool_play play;
    auto first = play.ask("/1");
    scripted_end end = play.server.accept();
    end.read_request();
    end.say(fine + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong");
    BOOST_TEST(first.get() == "ok");
    BOOST_TEST(end.is_closed());
    auto second = play.ask("/2");
    scripted_end next = play.server.accept();
    next.read_request();
    next.say(fine);
    BOOST_TEST(second.get() == "ok");
}

BOOST_AUTO_TEST_CASE(what_may_have_been_sent_is_not_sent_again)
{
    pool_play play;
    auto first = play.ask("/1");
    scripted_end end = play.server.accept();
    end.read_request();
    end.say(fine);
    first.get();
    auto second = play.ask("/2");
    end.read_request();
    end.close();
    BOOST_TEST(second.failure() == make_error_code(errc::peer_closed));
    BOOST_TEST(!play.server.is_asked());
}

BOOST_AUTO_TEST_CASE(a_response_that_is_let_go_closes_its_connection_and_frees_its_place)
{
    pool_play play(at_most(1));
    auto first = play.begin("/1");
    scripted_end end = play.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok");
    auto second = play.ask("/2");
    first.get().reset();
    scripted_end next = play.server.accept();
    BOOST_TEST(end.is_closed());
    BOOST_TEST(next.read_request() == play.text("/2"));
    next.say(fine);
    BOOST_TEST(second.get() == "ok");
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_after_its_time)
{
    connection_options how;
    how.idle_time = 20ms;
    pool_play play(how);
    auto first = play.ask();
    scripted_end end = play.server.accept();
    end.read_request();
    end.say(fine);
    first.get();
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_before_the_server_does_so)
{
    pool_play play;
    auto first = play.ask();
    scripted_end end = play.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 2\r\n\r\nok");
    first.get();
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(a_pool_that_goes_closes_its_connections_and_ends_who_waits)
{
    pool_play play(at_most(2));
    auto answered = play.ask("/1");
    scripted_end idle = play.server.accept();
    idle.read_request();
    idle.say(fine);
    answered.get();
    auto unanswered = play.ask("/2");
    idle.read_request();
    auto other = play.ask("/3");
    scripted_end end = play.server.accept();
    end.read_request();
    auto waiting = play.ask("/4");
    BOOST_TEST(!play.server.is_asked());
    play.pool.reset();
    BOOST_TEST(unanswered.failure() == pool_aborted);
    BOOST_TEST(other.failure() == pool_aborted);
    BOOST_TEST(waiting.failure() == pool_aborted);
    BOOST_TEST(idle.is_closed());
    BOOST_TEST(end.is_closed());
    play.context.restart();
    BOOST_TEST(play.context.poll() == 0u);
    BOOST_TEST(play.context.stopped()); // nothing is left to do
}

BOOST_AUTO_TEST_CASE(a_context_that_goes_first_takes_all_with_it)
{
    pool_play play(at_most(1));
    auto first = play.begin("/1");
    play.server.accept().say(fine);
    auto waiting = play.ask("/2");
    play.server.is_asked();
}

BOOST_AUTO_TEST_CASE(a_response_that_leads_elsewhere_is_a_failure_that_says_where)
{
    pool_play play;
    auto asked = play.ask();
    scripted_end end = play.server.accept();
    end.read_request();
    end.say("HTTP/1.1 307 Temporary Redirect\r\nLocation: https://b/mcp\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply));
    BOOST_TEST(asked.words.find("HTTP status 307, which leads to 'https://b/mcp'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_response_over_its_bound_is_refused)
{
    pool_play play;
    auto asked = play.ask();
    scripted_end end = play.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'));
    BOOST_TEST(asked.failure() == make_error_code(errc::message_too_large));
}

BOOST_AUTO_TEST_CASE(who_does_not_listen_is_told)
{
    pool_play play;
    play.server.stop();
    const std::string at = "http://127.0.0.1:1/";
    play.pool.emplace(play.context.get_executor(), parse_url(at));
    auto asked = play.ask();
    BOOST_TEST(asked.failure() == partyline::error_code(asio::error::connection_refused));
    BOOST_TEST(asked.words.find("127.0.0.1:1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(plain_http_goes_through_a_proxy_with_the_whole_address)
{
    pool_play play;
    connection_options how;
    how.proxy = parse_url("http://" + play.host());
    play.pool.emplace(play.context.get_executor(), parse_url("http://far.example:81/"), how);
    auto asked = play.ask("/x?y");
    scripted_end end = play.server.accept();
    BOOST_TEST(end.read_request() == "GET http://far.example:81/x?y HTTP/1.1\r\nHost: far.example:81\r\n\r\n");
    end.say(fine);
    BOOST_TEST(asked.get() == "ok");
}

BOOST_AUTO_TEST_CASE(other_protocols_go_through_a_tunnel_of_the_proxy)
{
    pool_play play;
    connection_options how;
    how.proxy = parse_url("http://" + play.host());
    play.pool.emplace(play.context.get_executor(), parse_url("ws://far.example/"), how);
    auto asked = play.ask("/x");
    scripted_end end = play.server.accept();
    BOOST_TEST(end.read_request() == "CONNECT far.example:80 HTTP/1.1\r\nHost: far.example:80\r\n\r\n");
    end.say("HTTP/1.1 200 Connection established\r\n\r\n");
    BOOST_TEST(end.read_request() == "GET /x HTTP/1.1\r\nHost: far.example\r\n\r\n");
    end.say(fine);
    BOOST_TEST(asked.get() == "ok");

    play.pool.emplace(play.context.get_executor(), parse_url("ws://far.example/"), how);
    auto refused = play.ask("/x");
    scripted_end other = play.server.accept();
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
    how.proxy = parse_url("https://a");
    BOOST_CHECK_THROW(connection_pool(context.get_executor(), parse_url("http://a"), how), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
