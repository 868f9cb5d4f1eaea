#include "client/pool_fixture.hpp"
#include "http/connections/connection_pool.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline::http;
using namespace partyline::test;
using partyline::errc;

BOOST_AUTO_TEST_SUITE(http_connection_pool, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_connection_is_used_again)
{
    pool_fixture setup;
    auto first = setup.ask("/1");
    scripted_end end = setup.server.accept();
    BOOST_TEST(end.read_request() == setup.text("/1"));
    end.say(fine_response);
    BOOST_TEST(first.get() == "ok");
    auto second = setup.ask("/2");
    BOOST_TEST(end.read_request() == setup.text("/2"));
    end.say(fine_response);
    BOOST_TEST(second.get() == "ok");
    BOOST_TEST(!setup.server.is_asked());
}

BOOST_AUTO_TEST_CASE(requests_that_overlap_have_connections_of_their_own)
{
    pool_fixture setup;
    auto first = setup.ask("/1");
    scripted_end one = setup.server.accept();
    one.read_request();
    auto second = setup.ask("/2");
    scripted_end two = setup.server.accept();
    two.read_request();
    two.say(fine_response);
    BOOST_TEST(second.get() == "ok");
    one.say(fine_response);
    BOOST_TEST(first.get() == "ok");
}

BOOST_AUTO_TEST_CASE(what_is_more_than_may_be_waits_in_order)
{
    pool_fixture setup(connections_up_to(2));
    std::vector<started<std::string>> asked;
    for (int i = 0; i < 5; ++i)
        asked.push_back(setup.ask("/" + std::to_string(i)));
    scripted_end one = setup.server.accept();
    scripted_end two = setup.server.accept();
    BOOST_TEST(one.read_request() == setup.text("/0"));
    BOOST_TEST(two.read_request() == setup.text("/1"));
    BOOST_TEST(!setup.server.is_asked());
    two.say(fine_response);
    BOOST_TEST(two.read_request() == setup.text("/2"));
    two.say(fine_response);
    BOOST_TEST(two.read_request() == setup.text("/3"));
    one.say(fine_response);
    BOOST_TEST(one.read_request() == setup.text("/4"));
    one.say(fine_response);
    two.say(fine_response);
    for (auto& each : asked)
        BOOST_TEST(each.get() == "ok");
    BOOST_TEST(!setup.server.is_asked());
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_connection_can_be_cancelled_and_has_a_time)
{
    pool_fixture setup(connections_up_to(1));
    auto first = setup.ask("/1");
    scripted_end end = setup.server.accept();
    end.read_request();
    auto cancelled = setup.ask("/2");
    auto late = setup.ask("/3", std::chrono::steady_clock::now() + 20ms);
    auto patient = setup.ask("/4");
    BOOST_TEST(late.failure() == make_error_code(errc::timeout));
    cancelled.cancel();
    BOOST_TEST(cancelled.failure() == pool_aborted);
    end.say(fine_response);
    BOOST_TEST(end.read_request() == setup.text("/4"));
    end.say(fine_response);
    BOOST_TEST(patient.get() == "ok");
    BOOST_TEST(first.get() == "ok");
}

BOOST_AUTO_TEST_CASE(a_connection_that_was_closed_meanwhile_is_replaced_by_another_one)
{
    for (const bool is_reset : {false, true}) {
        pool_fixture setup;
        auto first = setup.ask("/1");
        scripted_end end = setup.server.accept();
        end.read_request();
        end.say(fine_response);
        first.get();
        is_reset ? end.reset() : end.close();
        auto second = setup.ask("/2");
        scripted_end next = setup.server.accept();
        BOOST_TEST(next.read_request() == setup.text("/2"));
        next.say(fine_response);
        BOOST_TEST(second.get() == "ok");
    }
}

BOOST_AUTO_TEST_CASE(a_connection_with_something_left_over_is_replaced_by_another_one)
{
    pool_fixture setup;
    auto first = setup.ask("/1");
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say(fine_response + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong");
    BOOST_TEST(first.get() == "ok");
    BOOST_TEST(end.is_closed());
    auto second = setup.ask("/2");
    scripted_end next = setup.server.accept();
    next.read_request();
    next.say(fine_response);
    BOOST_TEST(second.get() == "ok");
}

BOOST_AUTO_TEST_CASE(what_may_have_been_sent_is_not_sent_again)
{
    pool_fixture setup;
    auto first = setup.ask("/1");
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say(fine_response);
    first.get();
    auto second = setup.ask("/2");
    end.read_request();
    end.close();
    BOOST_TEST(second.failure() == make_error_code(errc::peer_closed));
    BOOST_TEST(!setup.server.is_asked());
}

BOOST_AUTO_TEST_CASE(a_response_that_is_let_go_closes_its_connection_and_frees_its_place)
{
    pool_fixture setup(connections_up_to(1));
    auto first = setup.begin("/1");
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok");
    auto second = setup.ask("/2");
    first.get().reset();
    scripted_end next = setup.server.accept();
    BOOST_TEST(end.is_closed());
    BOOST_TEST(next.read_request() == setup.text("/2"));
    next.say(fine_response);
    BOOST_TEST(second.get() == "ok");
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_after_its_time)
{
    connection_options how;
    how.idle_time = 20ms;
    pool_fixture setup(how);
    auto first = setup.ask();
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say(fine_response);
    first.get();
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_before_the_server_does_so)
{
    pool_fixture setup;
    auto first = setup.ask();
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 2\r\n\r\nok");
    first.get();
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(a_request_that_is_cancelled_closes_its_connection_and_frees_its_place)
{
    pool_fixture setup(connections_up_to(1));
    auto first = setup.ask("/1");
    scripted_end end = setup.server.accept();
    end.read_request();
    auto second = setup.ask("/2");
    first.cancel();
    BOOST_TEST(first.failure() == pool_aborted);
    BOOST_TEST(end.is_closed());
    scripted_end next = setup.server.accept();
    BOOST_TEST(next.read_request() == setup.text("/2"));
    next.say(fine_response);
    BOOST_TEST(second.get() == "ok");
}

BOOST_AUTO_TEST_CASE(what_could_not_be_sent_over_an_old_connection_is_sent_over_a_new_one)
{
    pool_fixture setup;
    auto first = setup.begin("/1");
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    auto response = first.get();
    // So the first byte of the next request fails, though nothing shows before that the server were gone.
    ::shutdown(response->connection().channel().lowest_layer().native_handle(), SHUT_WR);
    response.reset();
    auto second = setup.ask("/2");
    scripted_end next = setup.server.accept();
    BOOST_TEST(next.read_request() == setup.text("/2"));
    next.say(fine_response);
    BOOST_TEST(second.get() == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
