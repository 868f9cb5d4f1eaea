// A host on standard input and output whose server is reached by WebSocket, and says what a test tells it.

#include "gateway/stdio_host.hpp"
#include "http/websocket/websocket_upgrade.hpp"
#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/http_client.hpp"
#include "support/line_reader.hpp"
#include "support/websocket_client.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/run_stdio.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::ip::tcp;
using partyline::test::heard_frame;
using partyline::test::line_reader;
using partyline::test::unique_fd;

namespace {

// The server. Every wait is bounded.
class far_server {
public:
    std::string url() const { return "ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/ws"; }

    void accept()
    {
        acceptor_.non_blocking(true);
        wait([this](boost::system::error_code& failed) { acceptor_.accept(socket_, failed); });
        socket_.non_blocking(true);
        std::string head;
        while (!head.ends_with("\r\n\r\n"))
            head += read(1);
        const std::string key = field(head, "Sec-WebSocket-Key: ");
        say("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
            partyline::http::accept_value(key) + "\r\n\r\n");
    }
    // A short one, as all are here.
    heard_frame next()
    {
        const std::string head = read(2);
        const std::string mask = read(4);
        std::string content = read(static_cast<unsigned char>(head[1]) & 0x7FU);
        for (std::size_t i = 0; i != content.size(); ++i)
            content[i] = static_cast<char>(content[i] ^ mask[i % 4]);
        return {static_cast<unsigned char>(head[0]) & 0xFU, content};
    }
    void vanish() { socket_.close(); }
    void say(const std::string& bytes) { asio::write(socket_, asio::buffer(bytes)); }

private:
    static std::string field(const std::string& head, const std::string& name)
    {
        const std::size_t at = head.find(name) + name.size();
        return head.substr(at, head.find('\r', at) - at);
    }
    template <class Try>
    void wait(Try attempt)
    {
        boost::system::error_code failed;
        partyline::test::run_until(context_, [&] {
            attempt(failed);
            return failed != asio::error::would_block;
        });
        if (failed)
            throw boost::system::system_error(failed);
    }
    std::string read(std::size_t count)
    {
        std::string all(count, '\0');
        for (std::size_t come = 0; come != count;)
            wait([&](boost::system::error_code& failed) {
                come += socket_.read_some(asio::buffer(all.data() + come, count - come), failed);
            });
        return all;
    }

    asio::io_context context_{1};
    tcp::acceptor acceptor_{context_, {asio::ip::address_v4::loopback(), 0}};
    tcp::socket socket_{context_};
};

// What the program does for `--stdio`, with settings that have no option.
class forked_host {
public:
    forked_host(const std::string& url, partyline::http::client_options how)
    {
        auto [their_in, our_out] = partyline::test::make_pipe();
        auto [our_in, their_out] = partyline::test::make_pipe();
        auto [our_err, their_err] = partyline::test::make_pipe();
        std::cout.flush(); // or both write it
        pid_ = partyline::test::checked(::fork(), "fork");
        if (pid_ == 0) {
            ::dup2(their_in.get(), STDIN_FILENO);
            ::dup2(their_out.get(), STDOUT_FILENO);
            ::dup2(their_err.get(), STDERR_FILENO);
            our_in.reset(), our_out.reset(), our_err.reset();
            ::_exit(gateway::serve_host({url, std::move(how)}, {}));
        }
        said = line_reader(std::move(our_in));
        complained = line_reader(std::move(our_err));
        to_ = std::move(our_out);
    }
    ~forked_host()
    {
        if (pid_ <= 0)
            return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    forked_host(const forked_host&) = delete;
    forked_host& operator=(const forked_host&) = delete;

    void send(const std::string& message) const
    {
        const std::string line = message + '\n';
        BOOST_TEST_REQUIRE(::write(to_.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()));
    }

    // In a thread of its own, which keeps the signal to itself when the host takes no more.
    void try_send(std::string text) const
    {
        sigset_t broken_pipe;
        sigemptyset(&broken_pipe);
        sigaddset(&broken_pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
        text += '\n';
        for (std::string_view left = text; !left.empty();) {
            const ssize_t count = ::write(to_.get(), left.data(), left.size());
            if (count <= 0)
                return;
            left.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    void close_input() { to_.reset(); }

    int exit_code()
    {
        BOOST_TEST(!said.read_line()); // it has ended, then, or is about to
        int status = 0;
        ::waitpid(std::exchange(pid_, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    line_reader said;       // by the program, to the host
    line_reader complained; // the same, to its user

private:
    unique_fd to_;
    pid_t pid_ = -1;
};

// The same message with another id of one digit, which is a member of it or of its params.
std::string with_id(std::string message, int id)
{
    for (const std::string member : {"\"id\":", "\"requestId\":"}) {
        if (const std::size_t at = message.find(member); at != message.npos)
            message.replace(at + member.size(), 1, std::to_string(id));
    }
    return message;
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_websocket_host, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(asks_a_silent_server_whether_it_is_there)
{
    far_server server;
    partyline::http::client_options how;
    how.session.ping_interval = 1s;
    forked_host host(server.url(), std::move(how));
    server.accept();
    host.send(R"({"jsonrpc":"2.0","id":1,"method":"x"})");
    BOOST_TEST(server.next().type == 1u);
    BOOST_TEST(server.next().type == 9u);
    server.say(websocket_frames::bytes_of({.type = 10, .masked = websocket_frames::mask::none}));
    BOOST_TEST(server.next().type == 9u); // which it would not be asked if it had been taken for gone
    BOOST_TEST(host.said.read_line().value_or("") ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The server did not answer",)"
               R"("data":{"reason":"the peer is gone, and reads no more"}}})");
    BOOST_TEST(!host.said.read_line());
}

BOOST_AUTO_TEST_CASE(has_not_ended_well_where_the_server_vanishes)
{
    far_server server;
    forked_host host(server.url(), {});
    server.accept();
    server.vanish();
    BOOST_TEST(host.exit_code() == partyline::exit_codes::stream_failed);
}

BOOST_AUTO_TEST_CASE(has_ended_as_well_as_the_server_says)
{
    const auto check_end = [](const std::string& last, int code, const std::string& complaint) {
        far_server server;
        forked_host host(server.url(), {});
        server.accept();
        server.say(websocket_frames::bytes_of({.type = 8, .content = last, .masked = websocket_frames::mask::none}));
        BOOST_TEST(host.exit_code() == code);
        BOOST_TEST(host.complained.read_line().value_or("") == complaint);
    };
    for (const char* in_order : {"", "\x03\xe8", "\x03\xe9see you", "\x03\xf4"})
        check_end(in_order, 0, "");
    const int failed = partyline::exit_codes::stream_failed;
    const std::string ended = "partyline-gateway: the peer has closed the connection";
    check_end("\x03\xf3", failed, ended + ": 1011");
    check_end("\x03\xf0token expired", failed, ended + ": 1008 \"token expired\"");
    check_end("\x0f\xa0\x1b[2J", failed, ended + ": 4000 \"\\u001b[2J\"");
}

// It does not notice how its host ends, either: there is more to read before that.
BOOST_AUTO_TEST_CASE(gives_up_a_server_that_reads_nothing)
{
    far_server server;
    partyline::http::client_options how;
    how.session.ping_interval = 0ms;
    how.session.write_stall = 300ms;
    forked_host host(server.url(), std::move(how));
    server.accept();
    const std::jthread sending([&host] {
        host.try_send(R"({"jsonrpc":"2.0","id":1,"method":"x","params":[")" + std::string(8 << 20, 'x') + "\"]}");
        host.try_send(R"({"jsonrpc":"2.0","id":2,"method":"x","params":[")" + std::string(8 << 20, 'x') + "\"]}");
    });
    BOOST_TEST(host.said.read_line().value_or("") ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The server did not answer",)"
               R"("data":{"reason":"the peer has stopped reading"}}})");
    while (host.said.read_line()) {
    }
}

BOOST_AUTO_TEST_CASE(a_reply_of_many_lines_is_one_to_the_host)
{
    far_server server;
    forked_host host(server.url(), {});
    server.accept();
    host.send(R"({"jsonrpc":"2.0","id":1,"method":"x"})");
    BOOST_TEST(server.next().type == 1u);
    server.say(
        websocket_frames::bytes_of({.type = 1,
                                    .content = "{\n\"jsonrpc\":\"2.0\",\r\n\"id\":1, \"result\":[\r\n\"y\",\n1.0]\n}",
                                    .masked = websocket_frames::mask::none}));
    BOOST_TEST(host.said.read_line().value_or("") == R"({"jsonrpc":"2.0","id":1,"result":[  "y", 1.0]})");
    host.close_input();
    BOOST_TEST(server.next().type == 8u);
    BOOST_TEST(!host.said.read_line());
}

// The time for replies is longer than what is waited for here.
BOOST_AUTO_TEST_CASE(has_ended_soon_where_a_server_owes_nothing_but_what_was_cancelled)
{
    const std::string mcp_request = R"({"jsonrpc":"2.0","id":7,"method":"x","params":{"_meta":)"
                                    R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
    const std::string mcp = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})";
    const std::string plain_request = R"({"jsonrpc":"2.0","id":7,"method":"x","params":[1]})";
    const std::string plain = R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}})";
    for (const auto& [request, cancel] : {std::pair(mcp_request, mcp), std::pair(plain_request, plain)}) {
        far_server server;
        forked_host host(server.url(), {});
        server.accept();
        host.send(request);
        host.send(cancel);
        BOOST_TEST(server.next().content == with_id(request, 1));
        const std::string told = server.next().content; // in the same protocol, with the id that the server knows
        BOOST_TEST(told.starts_with(with_id(cancel, 1).substr(0, cancel.size() - 2)), told);
        host.close_input();
        BOOST_TEST(server.next().type == 8u);
        BOOST_TEST(host.said.read_line().has_value() == (cancel == plain));
        BOOST_TEST(!host.said.read_line());
    }
}

// The reason is told to who waits for a reply, and to who reads the log.
BOOST_AUTO_TEST_CASE(tells_why_the_server_has_ended_in_the_reply_and_on_standard_error)
{
    far_server server;
    forked_host host(server.url(), {});
    server.accept();
    host.send(R"({"jsonrpc":"2.0","id":1,"method":"x"})");
    BOOST_TEST(server.next().type == 1u);
    server.say(websocket_frames::bytes_of(
        {.type = 8, .content = "\x03\xf0token expired", .masked = websocket_frames::mask::none}));
    const std::string said = host.said.read_line().value_or("");
    BOOST_TEST(said.find(R"(1008 \"token expired\")") != said.npos, said);
    BOOST_TEST(host.exit_code() == partyline::exit_codes::stream_failed);
    const std::string complaint = host.complained.read_line().value_or("");
    BOOST_TEST(complaint.find(R"(1008 "token expired")") != complaint.npos, complaint);
}

// Over HTTP, too, where nobody listens here.
BOOST_AUTO_TEST_CASE(takes_messages_as_long_as_the_options_say)
{
    partyline::http::client_options how;
    how.session.bounds.message_bytes = 200;
    forked_host host("http://127.0.0.1:1/mcp", std::move(how));
    host.send(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(100, 'x') + "\"}");
    BOOST_TEST(host.said.read_line().value_or("").find("connect to 127.0.0.1:1") != std::string::npos);
    host.send(R"({"jsonrpc":"2.0","id":2,"method":")" + std::string(200, 'x') + "\"}");
    BOOST_TEST(host.said.read_line().value_or("").find(R"("limit":200)") != std::string::npos);
    host.close_input();
    BOOST_TEST(host.exit_code() == partyline::exit_codes::success);
}

BOOST_AUTO_TEST_SUITE_END()
