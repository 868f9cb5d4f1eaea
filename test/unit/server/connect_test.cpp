#include "running_server.hpp"
#include "support/inheritable_sockets.hpp"
#include "transport/socket/socket_calls.hpp"

#include <partyline/connect.hpp>
#include <partyline/session.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace partyline::test;
using partyline::async_connect_tcp;
using partyline::async_connect_unix;
using partyline::error_code;
using partyline::tcp_socket;
using partyline::unix_socket;

namespace {

// Somebody who listens, and accepts only when told to.
template <class Protocol>
struct slow_server {
    slow_server(asio::io_context& context, const typename Protocol::endpoint& at) : acceptor(context, at)
    {
        acceptor.listen(0);
    }
    typename Protocol::acceptor acceptor;
};

// What an attempt has come to.
template <class Socket>
struct outcome {
    std::optional<error_code> failed;
    std::optional<Socket> socket;

    auto noting()
    {
        return [this](error_code result, Socket got) {
            failed = result;
            socket.emplace(std::move(got));
        };
    }
};

template <class Socket>
void check_talks(Socket& socket)
{
    asio::write(socket, asio::buffer(echo_request(7)));
    std::string line;
    asio::read_until(socket, asio::dynamic_buffer(line), '\n');
    BOOST_TEST(line == echo_reply(7) + "\n");
    BOOST_TEST((::fcntl(socket.native_handle(), F_GETFD) & FD_CLOEXEC) != 0);
}

template <class Condition>
bool run_until(asio::io_context& context, Condition done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        context.restart();
        if (context.run_one_until(deadline) == 0)
            return false;
    }
    return true;
}

} // namespace

BOOST_AUTO_TEST_SUITE(connecting, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_socket_that_is_connected_is_ready_for_use)
{
    const running_server s;
    asio::io_context context;
    const asio::any_io_executor executor = context.get_executor();
    auto over_unix = async_connect_unix(executor, s.path(), asio::use_future);
    auto over_tcp = async_connect_tcp(executor, "127.0.0.1", s.port(), asio::use_future);
    auto by_name = async_connect_tcp(executor, "localhost", s.port())(asio::use_future);
    context.run_for(patience);
    unix_socket first = over_unix.get();
    check_talks(first);
    tcp_socket second = over_tcp.get();
    check_talks(second);
    tcp_socket third = by_name.get();
    check_talks(third);
    asio::ip::tcp::no_delay no_delay;
    second.get_option(no_delay);
    BOOST_TEST(no_delay.value());
}

BOOST_AUTO_TEST_CASE(no_socket_can_get_into_a_child_process_that_is_started_meanwhile)
{
    const int before = inheritable_sockets();
    const running_server s;
    asio::io_context context;
    auto over_unix = async_connect_unix(context.get_executor(), s.path(), asio::use_future);
    auto over_tcp = async_connect_tcp(context.get_executor(), "127.0.0.1", s.port(), asio::use_future);
    context.run_for(patience);
    unix_socket first = over_unix.get();
    check_talks(first); // it has been accepted
    tcp_socket second = over_tcp.get();
    check_talks(second);
    BOOST_TEST(inheritable_sockets() == before);
}

BOOST_AUTO_TEST_CASE(where_nobody_listens_is_an_error)
{
    const scratch_directory directory;
    write_file(directory / "file", "");
    fs::path gone;
    std::uint16_t port = 0;
    {
        const running_server s;
        gone = s.path();
        port = s.port();
    }
    asio::io_context context;
    const auto failure_of_unix = [&](const fs::path& path) {
        outcome<unix_socket> o;
        async_connect_unix(context.get_executor(), path, o.noting());
        context.restart();
        context.run_for(patience);
        BOOST_REQUIRE(o.socket.has_value());
        BOOST_TEST(!o.socket->is_open());
        return *o.failed;
    };
    BOOST_TEST(failure_of_unix(gone).message() == "No such file or directory");
    BOOST_TEST((failure_of_unix(directory / "file") == asio::error::connection_refused));
    BOOST_TEST((failure_of_unix(directory / std::string(200, 'x')) == asio::error::name_too_long));
    BOOST_TEST((failure_of_unix("") == asio::error::invalid_argument));

    const auto failure_of_tcp = [&](const std::string& host) {
        outcome<tcp_socket> o;
        async_connect_tcp(context.get_executor(), host, port, o.noting());
        context.restart();
        context.run_for(patience);
        BOOST_REQUIRE(o.socket.has_value());
        BOOST_TEST(!o.socket->is_open());
        return *o.failed;
    };
    BOOST_TEST((failure_of_tcp("127.0.0.1") == asio::error::connection_refused));
    BOOST_TEST((failure_of_tcp("localhost") == asio::error::connection_refused));
    BOOST_TEST((failure_of_tcp("no host has this name") == asio::error::host_not_found));
}

BOOST_AUTO_TEST_CASE(a_full_backlog_of_a_unix_socket_is_waited_for)
{
    const scratch_directory directory;
    asio::io_context context;
    slow_server<asio::local::stream_protocol> slow(context, (directory / "socket").string());
    const unique_fd first = connect_unix(directory / "socket");
    outcome<unix_socket> o;
    async_connect_unix(context.get_executor(), directory / "socket", o.noting());
    context.run_for(std::chrono::milliseconds(100));
    BOOST_TEST(!o.failed.has_value()); // Asio would say that it is connected

    slow.acceptor.accept();
    BOOST_REQUIRE(run_until(context, [&] { return o.failed.has_value(); }));
    BOOST_TEST(!*o.failed);
    asio::write(*o.socket, asio::buffer("hello\n", 6));
    auto accepted = slow.acceptor.accept();
    std::string line;
    asio::read_until(accepted, asio::dynamic_buffer(line), '\n');
    BOOST_TEST(line == "hello\n");
}

BOOST_AUTO_TEST_CASE(an_attempt_can_be_cancelled)
{
    const scratch_directory directory;
    asio::io_context context;
    slow_server<asio::local::stream_protocol> slow_unix(context, (directory / "socket").string());
    slow_server<asio::ip::tcp> slow_tcp(context, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    const std::uint16_t port = slow_tcp.acceptor.local_endpoint().port();
    const unique_fd first = connect_unix(directory / "socket");
    const unique_fd second = connect_tcp(port); // beyond the backlog the system leaves who connects without an answer

    asio::cancellation_signal signals[2];
    outcome<unix_socket> u;
    outcome<tcp_socket> t;
    async_connect_unix(context.get_executor(), directory / "socket",
                       asio::bind_cancellation_slot(signals[0].slot(), u.noting()));
    async_connect_tcp(context.get_executor(), "127.0.0.1", port,
                      asio::bind_cancellation_slot(signals[1].slot(), t.noting()));
    context.run_for(std::chrono::milliseconds(100));
    BOOST_TEST(!u.failed.has_value());
    BOOST_TEST(!t.failed.has_value());
    signals[0].emit(asio::cancellation_type::terminal);
    signals[1].emit(asio::cancellation_type::total);
    context.restart();
    context.run_for(patience); // nothing is left to do after it
    BOOST_TEST(context.stopped());
    BOOST_TEST((u.failed == asio::error::operation_aborted));
    BOOST_TEST((t.failed == asio::error::operation_aborted));
    for (asio::cancellation_signal& one : signals)
        one.emit(asio::cancellation_type::terminal); // too late
}

BOOST_AUTO_TEST_CASE(an_attempt_that_was_cancelled_is_not_made_again)
{
    const scratch_directory directory;
    asio::io_context context;
    const slow_server<asio::local::stream_protocol> slow(context, (directory / "socket").string());
    const unique_fd first = connect_unix(directory / "socket");
    asio::cancellation_signal signal;
    outcome<unix_socket> o;
    async_connect_unix(context.get_executor(), directory / "socket",
                       asio::bind_cancellation_slot(signal.slot(), o.noting()));
    context.poll();
    asio::steady_timer(context, partyline::connect_again_after).wait(); // the next one is due, and has not had its turn
    signal.emit(asio::cancellation_type::terminal);
    context.run_for(patience); // nothing is left to do after it
    BOOST_TEST(context.stopped());
    BOOST_TEST((o.failed == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(an_attempt_can_be_cancelled_at_once)
{
    const running_server s;
    asio::io_context context;
    asio::cancellation_signal signal;
    outcome<tcp_socket> o;
    async_connect_tcp(context.get_executor(), "localhost", s.port(),
                      asio::bind_cancellation_slot(signal.slot(), o.noting()));
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(!o.failed.has_value()); // not within the call
    context.run_for(patience);
    BOOST_TEST((o.failed == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_SUITE_END()
