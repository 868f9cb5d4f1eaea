// A server that is not as it should be, and a client that does not wait for it.

#include "client/connection_fixture.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <string>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline::http;
using namespace partyline::test;
using partyline::errc;

namespace {

const partyline::error_code aborted = asio::error::operation_aborted;

time_limit soon()
{
    return std::chrono::steady_clock::now() + 20ms;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_client_connection_end, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_server_that_closes_too_early_is_told_wherever_that_is)
{
    const std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    for (std::size_t size = 0; size < text.size(); ++size) {
        connection_fixture setup;
        auto asked = setup.start();
        setup.server.read_request();
        setup.server.say(text.substr(0, size));
        setup.server.close();
        BOOST_TEST(asked.failure() == make_error_code(errc::peer_closed), size);
        const bool is_in_head = size < text.find("5\r\n");
        const std::string where = size == 0 ? "before it answered" : is_in_head ? "answer's head" : "answer's body";
        BOOST_TEST(asked.words.find(where) != std::string::npos, size << ": " << asked.words);
        BOOST_TEST(!setup.client.may_be_used_again());
        BOOST_TEST(setup.client.may_have_sent());
    }
}

BOOST_FIXTURE_TEST_CASE(what_is_sent_over_a_closed_connection_was_not_sent, connection_fixture)
{
    server.close();
    auto asked = start();
    BOOST_TEST(asked.failure());
    BOOST_TEST(!client.may_have_sent());
}

BOOST_FIXTURE_TEST_CASE(a_head_without_an_end_is_refused, connection_fixture)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x'));
    BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply));
    BOOST_TEST(asked.words.find("longer") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(interim_responses_without_an_end_are_refused, connection_fixture)
{
    auto asked = start();
    server.read_request();
    for (int i = 0; i < 20; ++i)
        server.say("HTTP/1.1 102 Processing\r\n\r\n");
    BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply));
}

BOOST_AUTO_TEST_CASE(what_is_no_response_is_refused)
{
    for (const char* text : {"{\"jsonrpc\"", "SSH-2.0-x", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n",
                             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx"}) {
        connection_fixture setup;
        auto asked = setup.start();
        setup.server.read_request();
        setup.server.say(text);
        BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply), text);
        BOOST_TEST(!setup.client.may_be_used_again());
    }
}

BOOST_AUTO_TEST_CASE(a_slow_server_runs_into_the_time_limit_wherever_it_stops)
{
    const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel";
    for (const std::size_t size : {std::size_t(0), std::size_t(10), text.size() - 3, text.size()}) {
        connection_fixture setup;
        auto asked = setup.start(get_request(), soon());
        setup.server.read_request();
        setup.server.say(text.substr(0, size));
        BOOST_TEST(asked.failure() == make_error_code(errc::timeout), size);
        BOOST_TEST(!setup.client.may_be_used_again());
    }
}

BOOST_AUTO_TEST_CASE(it_is_cancelled_wherever_it_waits)
{
    const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        connection_fixture setup;
        auto asked = setup.start(get_request(), std::chrono::steady_clock::now() + 1h);
        setup.server.read_request();
        setup.server.say(text.substr(0, size));
        setup.settle();
        BOOST_TEST(!asked.is_done());
        asked.cancel();
        BOOST_TEST(asked.failure() == aborted, size);
        BOOST_TEST(!setup.client.may_be_used_again());
    }
}

BOOST_AUTO_TEST_CASE(a_request_that_the_server_does_not_read_can_be_cancelled_and_has_a_time)
{
    for (const bool is_cancelled : {true, false}) {
        connection_fixture setup;
        auto asked = setup.start(post_request(std::string(8 << 20, 'x')),
                                 std::chrono::steady_clock::now() + (is_cancelled ? 1h : 20ms));
        setup.settle();
        if (is_cancelled)
            asked.cancel();
        const auto expected = is_cancelled ? aborted : make_error_code(errc::timeout);
        BOOST_TEST(asked.failure() == expected);
    }
}

BOOST_FIXTURE_TEST_CASE(a_server_may_answer_before_it_has_read_the_request, connection_fixture)
{
    auto asked = start(post_request(std::string(8 << 20, 'x')));
    settle();
    server.say("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
    BOOST_TEST(asked.get() == "413|no");
    BOOST_TEST(!client.may_be_used_again()); // it would take the rest for a request
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_came_before_the_connection_was_closed_is_read, connection_fixture)
{
    server.say("HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno");
    server.close();
    auto asked = start(post_request("{}"));
    BOOST_TEST(asked.get() == "503|no");
}

BOOST_FIXTURE_TEST_CASE(closing_it_ends_who_waits, connection_fixture)
{
    auto asked = start();
    server.read_request();
    client.close();
    BOOST_TEST(asked.failure() == aborted);
    BOOST_TEST(server.is_closed());
}

BOOST_FIXTURE_TEST_CASE(what_could_break_the_request_is_not_sent, connection_fixture)
{
    client_request request = get_request();
    request.fields.push_back({"A", "b\r\nC: d"});
    auto asked = start(std::move(request));
    BOOST_CHECK_THROW(asked.get(), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
