#include "client/client_play.hpp"
#include "http/client/client_connection.hpp"

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
const std::string hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

client_request get_request()
{
    client_request request;
    request.host = "a";
    return request;
}

client_request post_request(std::string body)
{
    client_request request = get_request();
    request.method = "POST";
    request.body = std::move(body);
    return request;
}

// The whole exchange: the status, and the body's pieces with bars between them.
asio::awaitable<std::string> ask(client_connection& over, client_request request, time_limit until = no_time_limit)
{
    co_await over.send(std::move(request), until);
    std::string all = std::to_string(over.head().status);
    while (true) {
        const std::string piece = co_await over.read_some(until);
        if (piece.empty())
            co_return all;
        all += '|' + piece;
    }
}

struct connection_play {
    asio::io_context context;
    std::pair<partyline::socket_channel, scripted_end> ends = connect_ends(context);
    client_connection client{std::move(ends.first), response_limits()};
    scripted_end& server = ends.second;

    started<std::string> start(client_request request = get_request(), time_limit until = no_time_limit)
    {
        return started<std::string>(context, ask(client, std::move(request), until));
    }
    // Lets the client do what it can.
    void settle()
    {
        for (int turn = 0; turn < 20; ++turn) {
            context.restart();
            context.poll();
        }
    }
};

time_limit soon()
{
    return std::chrono::steady_clock::now() + 20ms;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_client_connection, *boost::unit_test::timeout(60))

BOOST_FIXTURE_TEST_CASE(a_request_is_sent_and_its_response_read_and_again, connection_play)
{
    auto first = start(post_request("{}"));
    BOOST_TEST(server.read_request("{}") == "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
    server.say(hello);
    BOOST_TEST(first.get() == "200|hello");
    BOOST_TEST(client.may_be_used_again());
    auto second = start();
    BOOST_TEST(server.read_request() == "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    server.say("HTTP/1.1 204 No Content\r\n\r\n");
    BOOST_TEST(second.get() == "204");
    BOOST_TEST(client.may_be_used_again());
}

BOOST_AUTO_TEST_CASE(a_response_is_the_same_however_it_is_cut)
{
    const std::string interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    const std::string text = interim + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    connection_play play;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        auto asked = play.start();
        play.server.read_request();
        play.server.say(text.substr(0, cut));
        play.settle();
        play.server.say(text.substr(cut));
        std::string came = asked.get();
        std::erase(came, '|');
        BOOST_TEST(came == "200hello", "cut at " << cut);
        BOOST_TEST(play.client.may_be_used_again(), "cut at " << cut);
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_closes_too_early_is_told_wherever_that_is)
{
    const std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    for (std::size_t size = 0; size < text.size(); ++size) {
        connection_play play;
        auto asked = play.start();
        play.server.read_request();
        play.server.say(text.substr(0, size));
        play.server.close();
        BOOST_TEST(asked.failure() == make_error_code(errc::peer_closed), size);
        const bool is_in_head = size < text.find("5\r\n");
        const std::string where = size == 0 ? "before it answered" : is_in_head ? "answer's head" : "answer's body";
        BOOST_TEST(asked.words.find(where) != std::string::npos, size << ": " << asked.words);
        BOOST_TEST(!play.client.may_be_used_again());
        BOOST_TEST(play.client.may_have_sent());
    }
}

BOOST_FIXTURE_TEST_CASE(a_body_may_go_on_to_the_end_of_the_connection, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 200 OK\r\n\r\nhel");
    settle();
    BOOST_TEST(!asked.is_done());
    server.say("lo");
    server.close();
    BOOST_TEST(asked.get() == "200|hel|lo");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(pieces_of_a_body_are_told_as_they_come, connection_play)
{
    started<std::string> asked(context, [](client_connection& over) -> asio::awaitable<std::string> {
        co_await over.send(get_request(), no_time_limit);
        co_return co_await over.read_some(no_time_limit);
    }(client));
    server.read_request();
    server.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n");
    BOOST_TEST(asked.get() == "he");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_connection_with_a_byte_too_many_is_not_used_again, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say(hello + "H");
    BOOST_TEST(asked.get() == "200|hello");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_connection_where_a_byte_comes_later_is_not_used_again, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say(hello);
    asked.get();
    BOOST_TEST(client.may_be_used_again());
    server.say("H");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_the_server_closes_is_not_used_again, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say(hello);
    asked.get();
    server.close();
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(what_is_sent_over_a_closed_connection_was_not_sent, connection_play)
{
    server.close();
    auto asked = start();
    BOOST_TEST(asked.failure());
    BOOST_TEST(!client.may_have_sent());
}

BOOST_FIXTURE_TEST_CASE(a_server_that_says_so_is_not_asked_again, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(asked.get() == "200");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_head_without_an_end_is_refused, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x'));
    BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply));
    BOOST_TEST(asked.words.find("longer") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(interim_responses_without_an_end_are_refused, connection_play)
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
        connection_play play;
        auto asked = play.start();
        play.server.read_request();
        play.server.say(text);
        BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply), text);
        BOOST_TEST(!play.client.may_be_used_again());
    }
}

BOOST_AUTO_TEST_CASE(a_slow_server_runs_into_the_time_limit_wherever_it_stops)
{
    const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel";
    for (const std::size_t size : {std::size_t(0), std::size_t(10), text.size() - 3, text.size()}) {
        connection_play play;
        auto asked = play.start(get_request(), soon());
        play.server.read_request();
        play.server.say(text.substr(0, size));
        BOOST_TEST(asked.failure() == make_error_code(errc::timeout), size);
        BOOST_TEST(!play.client.may_be_used_again());
    }
}

BOOST_AUTO_TEST_CASE(it_is_cancelled_wherever_it_waits)
{
    const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        connection_play play;
        auto asked = play.start(get_request(), std::chrono::steady_clock::now() + 1h);
        play.server.read_request();
        play.server.say(text.substr(0, size));
        play.settle();
        BOOST_TEST(!asked.is_done());
        asked.cancel();
        BOOST_TEST(asked.failure() == aborted, size);
        BOOST_TEST(!play.client.may_be_used_again());
    }
}

BOOST_AUTO_TEST_CASE(a_request_that_the_server_does_not_read_can_be_cancelled_and_has_a_time)
{
    for (const bool is_cancelled : {true, false}) {
        connection_play play;
        auto asked = play.start(post_request(std::string(8 << 20, 'x')),
                                std::chrono::steady_clock::now() + (is_cancelled ? 1h : 20ms));
        play.settle();
        if (is_cancelled)
            asked.cancel();
        const auto expected = is_cancelled ? aborted : make_error_code(errc::timeout);
        BOOST_TEST(asked.failure() == expected);
    }
}

BOOST_FIXTURE_TEST_CASE(a_server_may_answer_before_it_has_read_the_request, connection_play)
{
    auto asked = start(post_request(std::string(8 << 20, 'x')));
    settle();
    server.say("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
    BOOST_TEST(asked.get() == "413|no");
    BOOST_TEST(!client.may_be_used_again()); // it would take the rest for a request
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_came_before_the_connection_was_closed_is_read, connection_play)
{
    server.say("HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno");
    server.close();
    auto asked = start(post_request("{}"));
    BOOST_TEST(asked.get() == "503|no");
}

BOOST_FIXTURE_TEST_CASE(closing_it_ends_who_waits, connection_play)
{
    auto asked = start();
    server.read_request();
    client.close();
    BOOST_TEST(asked.failure() == aborted);
    BOOST_TEST(server.is_closed());
}

BOOST_FIXTURE_TEST_CASE(what_could_break_the_request_is_not_sent, connection_play)
{
    client_request request = get_request();
    request.fields.push_back({"A", "b\r\nC: d"});
    auto asked = start(std::move(request));
    BOOST_CHECK_THROW(asked.get(), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(another_protocol_takes_the_connection_over_with_what_has_come, connection_play)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nfirst");
    BOOST_TEST(asked.get() == "101");
    BOOST_TEST(!client.may_be_used_again());
    BOOST_TEST(client.take_rest() == "first");
    BOOST_TEST(client.take_channel().is_open());
}

BOOST_AUTO_TEST_SUITE_END()
