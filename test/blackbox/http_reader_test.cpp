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

// An answer in chunks, of which it takes a little at a time.
class slow_reader {
public:
    explicit slow_reader(const unique_fd& socket) : socket_(socket)
    {
        while (raw_.find("\r\n\r\n") == raw_.npos)
            read_some();
        raw_.erase(0, raw_.find("\r\n\r\n") + 4);
    }

    /// What stands in the next chunk; empty at the end.
    std::string next_chunk()
    {
        while (true) {
            const std::size_t line = raw_.find("\r\n");
            const std::size_t size = line == raw_.npos ? 0 : std::stoul(raw_.substr(0, line), nullptr, 16);
            if (line != raw_.npos && raw_.size() >= line + 2 + size + 2) {
                const std::string chunk = raw_.substr(line + 2, size);
                raw_.erase(0, line + 2 + size + 2);
                return chunk;
            }
            read_some();
        }
    }

private:
    void read_some()
    {
        char room[2048];
        if (!is_ready(socket_.get(), POLLIN, patience))
            throw std::runtime_error("the server tells nothing more");
        const ssize_t size = ::recv(socket_.get(), room, sizeof room, 0);
        if (size <= 0)
            throw std::runtime_error("the server has closed the connection");
        raw_.append(room, static_cast<std::size_t>(size));
    }

    const unique_fd& socket_;
    std::string raw_;
};

// The parts of an answer; each has to be the next one.
std::size_t count_parts(const unique_fd& socket)
{
    constexpr std::string_view mark = "\"index\":";
    slow_reader reader(socket);
    std::size_t count = 0;
    std::string text;
    for (std::string chunk; !(chunk = reader.next_chunk()).empty();) {
        text += chunk;
        std::size_t taken = 0;
        for (std::size_t end = 0; (end = text.find("\n\n", taken)) != text.npos; taken = end + 2) {
            const std::string event = text.substr(taken, end - taken);
            const std::size_t at = event.find(mark);
            if (at != event.npos && std::stoul(event.substr(at + mark.size())) != count++)
                throw std::runtime_error("this is not the next part: " + event);
        }
        text.erase(0, taken);
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
