// What clients over HTTP see of the server's end, and the server of theirs.

#include "support/http_program.hpp"
#include "support/readiness.hpp"
#include "support/socket_client.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <stdexcept>
#include <string>

#include <signal.h>
#include <sys/socket.h>

using namespace partyline::test;

namespace {

std::string post(std::string_view method, std::string_view params)
{
    const std::string body =
        R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":)" + std::string(params) + '}';
    return "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

void send_all(const unique_fd& socket, std::string_view text)
{
    BOOST_TEST_REQUIRE(::send(socket.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
}

// All that comes until `until` has come, or the end.
std::string read_until(const unique_fd& socket, std::string_view until)
{
    std::string all;
    char room[4096];
    while (all.find(until) == all.npos) {
        if (!is_ready(socket.get(), POLLIN, patience))
            throw std::runtime_error("the server says nothing more behind: " + all);
        const ssize_t count = ::recv(socket.get(), room, sizeof room, 0);
        if (count <= 0)
            break;
        all.append(room, static_cast<std::size_t>(count));
    }
    return all;
}

std::string read_to_end(const unique_fd& socket)
{
    return read_until(socket, "no such thing");
}

// Has had an answer, and then sent this, which is under way.
unique_fd begin(const http_program& s, std::string_view next = {})
{
    unique_fd socket = connect_tcp(s.port());
    send_all(socket, post("add", "[1,1]") + std::string(next));
    BOOST_TEST(contains(read_until(socket, R"("result":2})"), "HTTP/1.1 200"));
    return socket;
}

// Closed, or reset.
void leave(unique_fd socket, bool by_reset)
{
    const linger at_once{1, 0};
    if (by_reset)
        ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    socket.reset();
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_end, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_request_under_way_at_sigterm_is_answered_with_connection_close)
{
    http_program s(PARTYLINE_ECHO, {"--http", "127.0.0.1:0"});
    const unique_fd idle = begin(s);
    unique_fd busy = begin(s, post("delay", "[3000,7]"));
    s.process().signal(SIGTERM);
    const std::string late = read_to_end(busy);
    BOOST_TEST(contains(late, "Connection: close"), late);
    BOOST_TEST(contains(late, R"("result":7)"), late);
    busy.reset();
    BOOST_TEST(read_to_end(idle) == "");
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(a_request_beyond_the_time_to_end_is_answered_503)
{
    http_program s(PARTYLINE_ECHO, {"--http", "127.0.0.1:0", "--http-drain-ms", "100"});
    unique_fd busy = begin(s, post("delay", "[15000,7]"));
    s.process().signal(SIGTERM);
    const std::string late = read_to_end(busy);
    BOOST_TEST(late.starts_with("HTTP/1.1 503 "), late);
    BOOST_TEST(contains(late, "-31001"), late);
    busy.reset();
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(in_lame_duck_new_clients_are_served_and_a_balancer_is_told)
{
    http_program s(PARTYLINE_ECHO, {"--http", "127.0.0.1:0", "--lame-duck-ms", "3600000"});
    unique_fd busy = begin(s, post("delay", "[1000,7]"));
    s.process().signal(SIGTERM);
    const std::string late = read_to_end(busy);
    BOOST_TEST(contains(late, "Connection: close"), late);
    BOOST_TEST(contains(late, R"("result":7)"), late);
    const unique_fd checks = connect_tcp(s.port());
    send_all(checks, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    BOOST_TEST(read_to_end(checks).starts_with("HTTP/1.1 503 "));
    const unique_fd fresh = connect_tcp(s.port());
    send_all(fresh, post("add", "[1,1]"));
    const std::string got = read_to_end(fresh);
    BOOST_TEST(contains(got, "Connection: close"), got);
    BOOST_TEST(contains(got, R"("result":2)"), got);
    s.process().signal(SIGTERM); // at once
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(clients_that_have_gone_behind_unread_bytes_do_not_lock_others_out)
{
    http_program s(PARTYLINE_ECHO, {"--http", "127.0.0.1:0", "--max-connections", "4"});
    for (int i = 0; i < 4; ++i) {
        unique_fd socket = begin(s, post("delay", "[60000,7]"));
        send_all(socket, std::string(65'536, 'x'));
        leave(std::move(socket), i % 2 != 0);
    }
    begin(s);
}

BOOST_AUTO_TEST_SUITE_END()
