// Clients over HTTP that take events more slowly than they are told.

#include "support/http_program.hpp"
#include "support/mebibyte.hpp"
#include "support/readiness.hpp"
#include "support/sanitized.hpp"
#include "support/socket_client.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/ioctl.h>
#include <sys/socket.h>

using namespace partyline::test;

namespace {

void ask_for_parts(const unique_fd& socket, std::size_t count)
{
    const std::string body =
        R"({"jsonrpc":"2.0","id":1,"method":"parts","params":{"count":)" + std::to_string(count) + R"(,"bytes":64}})";
    const std::string post =
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    BOOST_TEST_REQUIRE(::send(socket.get(), post.data(), post.size(), 0) == static_cast<ssize_t>(post.size()));
}

// Until so much waits to be read: the server has told more than is taken.
void wait_for_bytes(const unique_fd& socket, int count)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (int waiting = 0; waiting < count; ::ioctl(socket.get(), FIONREAD, &waiting)) {
        if (std::chrono::steady_clock::now() > deadline)
            throw std::runtime_error("the server does not tell as much as its client can keep");
    }
}

// The parts of an answer, read a little at a time; each has to be the next one.
std::size_t count_parts(const unique_fd& socket)
{
    constexpr std::string_view mark = "\"index\":";
    constexpr std::string_view end = "\r\n0\r\n\r\n";
    std::string text;
    std::size_t count = 0;
    while (!text.ends_with(end)) {
        char room[2048];
        if (!is_ready(socket.get(), POLLIN, patience))
            throw std::runtime_error("the server tells nothing more");
        const ssize_t size = ::recv(socket.get(), room, sizeof room, 0);
        if (size <= 0)
            throw std::runtime_error("the server has closed the connection");
        text.append(room, static_cast<std::size_t>(size));
        std::size_t at = 0;
        for (std::size_t next = 0; (next = text.find(mark, at)) != text.npos && next + 20 < text.size(); ++count) {
            at = next + mark.size();
            if (std::stoul(text.substr(at, 20)) != count)
                throw std::runtime_error("this is not part " + std::to_string(count) + ": " + text.substr(at, 20));
        }
        text.erase(0, at);
    }
    return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_reader, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(who_takes_events_slowly_slows_down_who_tells_them)
{
    http_program server(PARTYLINE_ECHO, {"--http", "127.0.0.1:0"});
    const unique_fd socket = connect_tcp(server.port());
    ask_for_parts(socket, 1000);
    BOOST_TEST(count_parts(socket) == 1000u);
    const std::size_t before = server.process().resident_bytes();
    constexpr std::size_t many = is_sanitized ? 20'000 : 200'000;
    ask_for_parts(socket, many);
    wait_for_bytes(socket, 32 << 10);
    BOOST_TEST(count_parts(socket) == many);
    if (!is_sanitized)
        BOOST_TEST(server.process().peak_resident_bytes() < before + 2 * mebibyte);
}

BOOST_AUTO_TEST_SUITE_END()
