#include "client/connection_fixture.hpp"
#include "http/connections/client_connection.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace asio = boost::asio;
using namespace partyline::http;
using namespace partyline::test;

namespace {

const std::string hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

} // namespace

BOOST_AUTO_TEST_SUITE(http_client_connection, *boost::unit_test::timeout(60))

BOOST_FIXTURE_TEST_CASE(a_request_is_sent_and_its_response_read_and_again, connection_fixture)
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
    connection_fixture setup;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        auto asked = setup.start();
        setup.server.read_request();
        setup.server.say(text.substr(0, cut));
        setup.settle();
        setup.server.say(text.substr(cut));
        std::string came = asked.get();
        std::erase(came, '|');
        BOOST_TEST(came == "200hello", "cut at " << cut);
        BOOST_TEST(setup.client.may_be_used_again(), "cut at " << cut);
    }
}

BOOST_FIXTURE_TEST_CASE(a_body_may_go_on_to_the_end_of_the_connection, connection_fixture)
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

BOOST_FIXTURE_TEST_CASE(pieces_of_a_body_are_told_as_they_come, connection_fixture)
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

BOOST_FIXTURE_TEST_CASE(a_connection_with_a_byte_too_many_is_not_used_again, connection_fixture)
{
    auto asked = start();
    server.read_request();
    server.say(hello + "H");
    BOOST_TEST(asked.get() == "200|hello");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_connection_where_a_byte_comes_later_is_not_used_again, connection_fixture)
{
    auto asked = start();
    server.read_request();
    server.say(hello);
    asked.get();
    BOOST_TEST(client.may_be_used_again());
    server.say("H");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_the_server_closes_is_not_used_again, connection_fixture)
{
    auto asked = start();
    server.read_request();
    server.say(hello);
    asked.get();
    server.close();
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(a_server_that_says_so_is_not_asked_again, connection_fixture)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(asked.get() == "200");
    BOOST_TEST(!client.may_be_used_again());
}

BOOST_FIXTURE_TEST_CASE(another_protocol_takes_the_connection_over_with_what_has_come, connection_fixture)
{
    auto asked = start();
    server.read_request();
    server.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nfirst");
    BOOST_TEST(asked.get() == "101");
    BOOST_TEST(!client.may_be_used_again());
    BOOST_TEST(client.take_rest() == "first");
    const partyline::socket_channel taken = std::move(client.channel());
    BOOST_TEST(taken.is_open());
}

BOOST_AUTO_TEST_SUITE_END()
