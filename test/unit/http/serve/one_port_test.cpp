// What is spoken over a port, told by the first bytes.

#include "http_fixture.hpp"
#include "support/websocket_client.hpp"

#include <partyline/http.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <string>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::http_client;
using partyline::test::http_fixture;
using partyline::test::websocket_client;

namespace {

struct one_port_fixture : http_fixture {
    http::accepted_protocols accepted;

    one_port_fixture()
    {
        options.session.executor_is_serial = true;
        options.session.log = [this](std::string_view line) { logged.emplace_back(line); };
        accepted.lines = accepted.content_length = true;
    }

    std::uint16_t begin()
    {
        method_table methods;
        methods.add("echo", [](boost::json::value params) { return params; });
        auto shared = std::make_shared<const method_table>(std::move(methods));
        served().add_rpc("/rpc", shared);
        served().add_websocket("/ws", shared);
        served().add_sessions(shared);
        start();
        return served().listen_tcp("127.0.0.1", 0, accepted).port();
    }
    std::size_t count_logged(std::string_view part) const
    {
        return static_cast<std::size_t>(std::count_if(
            logged.begin(), logged.end(), [&](const std::string& line) { return line.find(part) != line.npos; }));
    }
};

const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})";
const std::string reply = R"({"jsonrpc":"2.0","id":1,"result":[1]})";
const std::string post = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
                         std::to_string(request.size()) + "\r\nConnection: close\r\n\r\n" + request;
const std::string with_length = "Content-Length: " + std::to_string(request.size()) + "\r\n\r\n" + request;
const std::string hello("\x16\x03\x01\x00\x05hello", 10); // TLS, as far as its first bytes tell

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_one_port, one_port_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(speaks_what_each_connection_begins_with)
{
    const std::uint16_t port = begin();
    http_client lines(context, port);
    lines.send(request + '\n');
    BOOST_TEST(lines.read_bytes(reply.size() + 1) == reply + '\n');
    lines.send(request + '\n');
    BOOST_TEST(lines.read_bytes(reply.size() + 1) == reply + '\n');
    http_client headers(context, port);
    headers.send(with_length);
    const std::string framed = "Content-Length: " + std::to_string(reply.size()) + "\r\n\r\n" + reply;
    BOOST_TEST(headers.read_bytes(framed.size()) == framed);
    http_client client(context, port);
    BOOST_TEST(client.ask("/rpc", request).body == reply);
    websocket_client socket(context, port);
    socket.open("/ws");
    socket.say(request);
    BOOST_TEST(socket.next_text() == reply);
}

BOOST_AUTO_TEST_CASE(loses_nothing_wherever_the_first_bytes_are_cut)
{
    const std::uint16_t port = begin();
    for (const auto& [sent, answered] :
         {std::pair("\xEF\xBB\xBF" + request + '\n', reply), std::pair("\r\n " + request + '\n', reply),
          std::pair(with_length, reply), std::pair(post, reply), std::pair("\r\n" + post, reply)}) {
        for (std::size_t cut = 1; cut != 14; ++cut) {
            http_client client(context, port);
            client.send(std::string_view(sent).substr(0, cut));
            test::run_until(context, [&, turns = 0]() mutable { return ++turns > 3; });
            client.send(std::string_view(sent).substr(cut));
            std::string heard;
            while (heard.find(answered) == heard.npos) {
                const std::string next = client.read_bytes(1);
                BOOST_TEST_REQUIRE(!next.empty(), sent << " cut at " << cut);
                heard += next;
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(closes_what_it_does_not_know_and_tells_the_log_once)
{
    const std::uint16_t port = begin();
    for (const std::string& opening : {std::string("SSH-2.0-OpenSSH_9.2\r\n"), std::string("220 mail ESMTP\r\n"),
                                       std::string("\0\0\0\0", 4), std::string("PROXY TCP4 1.2.3.4 1.2.3.5 1 2\r\n")}) {
        http_client client(context, port);
        client.send(opening);
        BOOST_TEST(client.is_closed());
    }
    BOOST_TEST(count_logged("127.0.0.1") == 1u);
    http_client client(context, port);
    BOOST_TEST(client.ask("/rpc", request).body == reply);
}

BOOST_AUTO_TEST_CASE(tells_who_speaks_tls_or_http_2_that_it_does_not)
{
    const std::uint16_t port = begin();
    http_client secret(context, port);
    secret.send(hello);
    const std::string refusal = secret.read_to_end();
    BOOST_TEST(refusal.starts_with("HTTP/1.1 400 "));
    BOOST_TEST(refusal.find("TLS is not spoken here") != refusal.npos);
    http_client newer(context, port);
    newer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    BOOST_TEST(newer.read_to_end().starts_with("HTTP/1.1 505 "));
}

// rule: security.access.pages
BOOST_AUTO_TEST_CASE(executes_nothing_that_a_page_has_its_browser_post)
{
    const std::uint16_t port = begin();
    http_client client(context, port);
    client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Type: text/plain\r\n"
                "Content-Length: " +
                std::to_string(request.size() + 1) + "\r\n\r\n" + request + '\n');
    BOOST_TEST(client.response().status == 403);
}

BOOST_AUTO_TEST_CASE(accepts_no_more_than_it_is_told_to)
{
    accepted.http = accepted.content_length = false;
    const std::uint16_t port = begin();
    for (const std::string& opening : {post, with_length}) {
        http_client client(context, port);
        client.send(opening);
        BOOST_TEST(client.is_closed());
    }
    http_client lines(context, port);
    lines.send(request + '\n');
    BOOST_TEST(lines.read_bytes(reply.size()) == reply);
}

BOOST_AUTO_TEST_CASE(hears_from_a_proxy_where_clients_come_from)
{
    std::vector<std::string> records;
    options.access_log = [&](std::string_view line) { records.emplace_back(line); };
    options.allowed_hosts = {"localhost"}; // the client is on another machine
    accepted.proxy_protocol = true;
    const std::uint16_t port = begin();
    const std::string said = "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n";
    for (const std::size_t cut : {std::size_t(3), said.size(), said.size() + 3}) {
        http_client client(context, port);
        client.send((said + post).substr(0, cut));
        test::run_until(context, [&, turns = 0]() mutable { return ++turns > 3; });
        client.send((said + post).substr(cut));
        BOOST_TEST(client.response().body == reply);
    }
    BOOST_TEST_REQUIRE(records.size() == 3u);
    BOOST_TEST(records.front().find("192.0.2.1") != std::string::npos);
    http_client without(context, port);
    without.send(post);
    BOOST_TEST(without.is_closed());
    BOOST_TEST(records.size() == 3u);
}

BOOST_AUTO_TEST_CASE(answers_nobody_who_comes_without_the_proxy)
{
    options.allowed_hosts = {"localhost"};
    accepted = {};
    accepted.proxy_protocol = true; // and HTTP alone, whose reader says elsewhere what is wrong
    const std::uint16_t port = begin();
    for (const std::string& sent : {post, std::string("PROXY TCP4 x\r\n") + post}) {
        http_client client(context, port);
        client.send(sent);
        BOOST_TEST(client.is_closed());
    }
}

BOOST_AUTO_TEST_CASE(waits_for_the_first_bytes_for_a_while)
{
    options.times.first_bytes = 50ms;
    const std::uint16_t port = begin();
    for (const std::string_view some : {"", "GE", "Conten", " \r\n"}) {
        http_client client(context, port);
        client.send(some);
        BOOST_TEST(client.is_closed());
    }
}

BOOST_AUTO_TEST_CASE(is_misused_where_there_is_nothing_for_what_it_accepts)
{
    BOOST_CHECK_THROW(served().listen_tcp("127.0.0.1", 0, accepted), std::invalid_argument);
    accepted = {};
    accepted.http = false;
    BOOST_CHECK_THROW(served().listen_tcp("127.0.0.1", 0, accepted), std::invalid_argument);
    accepted.http = true;
    accepted.tls = http::encryption::optional;
    BOOST_CHECK_THROW(served().listen_tcp("127.0.0.1", 0, accepted), std::invalid_argument);
    const auto none = std::make_shared<const method_table>();
    served().add_sessions(none);
    BOOST_CHECK_THROW(served().add_sessions(none), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
