#include "client/client_fixture.hpp"
#include "http/oauth/redirect_listener.hpp"
#include "oauth/refused.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;
using boost::asio::ip::tcp;

namespace {

struct listener_fixture {
    boost::asio::io_context context{1};
    http::redirect_listener listener{context.get_executor(), 0, 5min}; // so that a slow machine closes nothing
    std::vector<std::string> targets;
    started<http::login_answer> waiting = start(std::chrono::steady_clock::now() + 5min);

    started<http::login_answer> start(http::time_limit until)
    {
        auto read = [this](std::string_view target) {
            targets.emplace_back(target);
            http::login_answer answer;
            if (target == "/right")
                answer.outcome = http::login_outcome::code;
            return answer;
        };
        return started<http::login_answer>(context, listener.wait(read, until));
    }
    std::uint16_t port() const
    {
        const std::string uri = listener.redirect_uri();
        return static_cast<std::uint16_t>(std::stoi(uri.substr(uri.find(':', 7) + 1)));
    }
    tcp::socket connect()
    {
        tcp::socket socket(context);
        socket.connect({boost::asio::ip::make_address("127.0.0.1"), port()});
        return socket;
    }
    // What the listener says to this, until it closes the connection.
    std::string answer_to(const std::string& text)
    {
        tcp::socket socket = connect();
        boost::asio::write(socket, boost::asio::buffer(text));
        return read_all(socket);
    }
    std::string read_all(tcp::socket& socket)
    {
        std::string come;
        socket.non_blocking(true);
        run_until(context, [&] {
            char room[4096];
            error_code failed;
            come.append(room, socket.read_some(boost::asio::buffer(room), failed));
            return failed && failed != boost::asio::error::would_block;
        });
        return come;
    }
};

std::string get(const std::string& target, const std::string& fields = {})
{
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_oauth_redirect_listener, listener_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_answer_ends_the_wait_and_what_is_none_does_not)
{
    BOOST_TEST(listener.redirect_uri() == "http://127.0.0.1:" + std::to_string(port()) + "/callback");
    BOOST_TEST(answer_to(get("/wrong")).starts_with("HTTP/1.1 400 "));
    BOOST_TEST(!waiting.is_done());
    const std::string page = answer_to(get("/right"));
    BOOST_TEST(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"), page);
    BOOST_TEST((has(page, "Cache-Control: no-store\r\n") && has(page, "Referrer-Policy: no-referrer\r\n")));
    BOOST_TEST((waiting.get().outcome == http::login_outcome::code));
    BOOST_CHECK_THROW(connect(), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(only_a_get_whose_head_is_one_is_read)
{
    for (const std::string& text :
         {"POST /right HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"s, "HEAD /right HTTP/1.1\r\nHost: x\r\n\r\n"s,
          "\x16\x03\x01\x02\x01 not HTTP\r\n\r\n"s, "GET /right HTTP/2.0\r\n\r\n"s, get('/' + std::string(9000, 'x')),
          get("/right", "A: " + std::string(40000, 'x') + "\r\n")})
        BOOST_TEST(answer_to(text).starts_with("HTTP/1.1 400 "), text.substr(0, 40));
    BOOST_TEST(targets.empty());
    BOOST_TEST(!waiting.is_done());
}

BOOST_AUTO_TEST_CASE(a_head_may_come_in_pieces_while_others_are_idle)
{
    std::vector<tcp::socket> idle;
    for (int i = 0; i < 8; ++i) // as browsers open them in advance
        idle.push_back(connect());
    tcp::socket socket = connect();
    for (const char c : get("/right")) {
        boost::asio::write(socket, boost::asio::buffer(&c, 1));
        context.restart();
        context.poll();
    }
    BOOST_TEST(read_all(socket).starts_with("HTTP/1.1 200 "));
    BOOST_TEST((waiting.get().outcome == http::login_outcome::code));
    for (tcp::socket& one : idle)
        BOOST_TEST(read_all(one).empty());
}

BOOST_AUTO_TEST_CASE(connections_beyond_the_most_are_closed)
{
    std::vector<tcp::socket> idle;
    for (int i = 0; i < 16; ++i)
        idle.push_back(connect());
    for (int i = 0; i < 4; ++i) {
        tcp::socket more = connect();
        BOOST_TEST(read_all(more).empty());
    }
    idle.erase(idle.begin());
    std::string page;
    while (page.empty()) // until the listener has seen that there is room
        page = answer_to(get("/right"));
    BOOST_TEST(page.starts_with("HTTP/1.1 200 "));
}

BOOST_AUTO_TEST_CASE(a_connection_that_takes_too_long_is_closed)
{
    http::redirect_listener hasty(context.get_executor(), 0, 1ms);
    const auto read = [](std::string_view) { return http::login_answer(); };
    started<http::login_answer> waiting_for_it(context, hasty.wait(read, std::chrono::steady_clock::now() + 5min));
    const std::string uri = hasty.redirect_uri();
    tcp::socket idle(context);
    idle.connect({boost::asio::ip::make_address("127.0.0.1"),
                  static_cast<std::uint16_t>(std::stoi(uri.substr(uri.find(':', 7) + 1)))});
    BOOST_TEST(read_all(idle).empty());
    BOOST_TEST(!waiting_for_it.is_done());
}

BOOST_AUTO_TEST_CASE(the_wait_has_an_end_and_can_be_cancelled)
{
    waiting.cancel();
    BOOST_TEST((waiting.failure() == boost::asio::error::operation_aborted));
    BOOST_CHECK_THROW(connect(), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(a_port_that_is_taken_is_told)
{
    BOOST_CHECK_THROW(http::redirect_listener(context.get_executor(), port()), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
