#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/socket_client.hpp"
#include "transport/socket/listener.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::error_code;
using partyline::listener;
using partyline::tcp_address;

namespace {

bool is_close_on_exec(int descriptor)
{
    return (::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0;
}

std::uint16_t port_of(const listener& one)
{
    return partyline::parse_tcp_address(one.name().substr(4)).port;
}

// As systemd's ListenSequentialPacket.
unique_fd listen_for_packets(const std::filesystem::path& path)
{
    unique_fd made(checked(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.string().copy(at.sun_path, sizeof at.sun_path - 1);
    checked(::bind(made.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), "bind");
    checked(::listen(made.get(), 1), "listen");
    return made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(listeners, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(it_accepts_who_has_connected_and_never_waits)
{
    asio::io_context context;
    const scratch_directory directory;
    listener at_path(context.get_executor(), (directory / "socket").string());
    listener at_port(context.get_executor(), tcp_address());
    BOOST_TEST(at_path.name() == "unix " + (directory / "socket").string());
    error_code failed;
    for (listener* one : {&at_path, &at_port}) {
        one->accept(context.get_executor(), failed);
        BOOST_TEST((failed == asio::error::would_block));
    }
    const unique_fd first = connect_unix(directory / "socket");
    const unique_fd second = connect_tcp(port_of(at_port));
    for (listener* one : {&at_path, &at_port}) {
        bool is_ready = false;
        one->async_wait([&](error_code e) { is_ready = !e; });
        context.restart();
        context.run_for(patience);
        BOOST_TEST(is_ready);
        const listener::socket accepted = one->accept(context.get_executor(), failed).stream;
        BOOST_TEST(!failed);
        BOOST_TEST(accepted.is_open());
    }
}

BOOST_AUTO_TEST_CASE(child_processes_get_none_of_its_sockets)
{
    asio::io_context context;
    // Who runs the tests may have left some open.
    std::vector<int> strangers;
    for (int descriptor = 0; descriptor != 1024; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) != -1)
            strangers.push_back(descriptor);
    }
    const unique_fd before = duplicate(0);
    listener one(context.get_executor(), tcp_address());
    const unique_fd client = connect_tcp(port_of(one));
    error_code failed;
    listener::socket accepted = one.accept(context.get_executor(), failed).stream;
    BOOST_REQUIRE(!failed);
    for (int descriptor = before.get(); descriptor <= accepted.native_handle(); ++descriptor) {
        if (std::find(strangers.begin(), strangers.end(), descriptor) == strangers.end())
            BOOST_TEST(is_close_on_exec(descriptor), "descriptor " << descriptor);
    }
}

BOOST_AUTO_TEST_CASE(a_tcp_connection_sends_without_delay_and_notices_a_dead_peer)
{
    asio::io_context context;
    listener one(context.get_executor(), tcp_address());
    const unique_fd client = connect_tcp(port_of(one));
    error_code failed;
    listener::socket accepted = one.accept(context.get_executor(), failed).stream;
    BOOST_REQUIRE(!failed);
    asio::ip::tcp::no_delay no_delay;
    accepted.get_option(no_delay);
    BOOST_TEST(no_delay.value());
    asio::socket_base::keep_alive keep_alive;
    accepted.get_option(keep_alive);
    BOOST_TEST(keep_alive.value());
}

BOOST_AUTO_TEST_CASE(refusing_more_it_still_accepts_who_has_connected)
{
    asio::io_context context;
    const scratch_directory directory;
    listener at_path(context.get_executor(), (directory / "socket").string());
    listener at_port(context.get_executor(), tcp_address());
    const unique_fd first = connect_unix(directory / "socket");
    const unique_fd second = connect_tcp(port_of(at_port));
    for (listener* one : {&at_path, &at_port}) {
        BOOST_TEST(one->refuse_more());
        error_code failed;
        const listener::socket accepted = one->accept(context.get_executor(), failed).stream;
        BOOST_TEST(!failed);
        BOOST_TEST(accepted.is_open());
        one->accept(context.get_executor(), failed);
        BOOST_TEST(failed);
    }
    BOOST_TEST(!std::filesystem::exists(directory / "socket"));
}

BOOST_AUTO_TEST_CASE(whoever_comes_behind_that_reaches_who_listens_next)
{
    asio::io_context context;
    std::optional<listener> old_one(std::in_place, context.get_executor(), tcp_address());
    const std::uint16_t port = port_of(*old_one);
    BOOST_TEST_REQUIRE(old_one->refuse_more());
    asio::ip::tcp::socket client(context);
    std::optional<error_code> connected;
    client.async_connect({asio::ip::address_v4::loopback(), port}, [&](error_code failed) { connected = failed; });
    context.poll();
    BOOST_TEST(!connected.has_value());
    old_one.reset();
    listener next(context.get_executor(), tcp_address{"127.0.0.1", port});
    context.restart();
    context.run_for(patience);
    BOOST_TEST_REQUIRE(connected.has_value());
    BOOST_TEST(!*connected);
}

BOOST_AUTO_TEST_CASE(a_socket_of_somebody_else_goes_on_accepting)
{
    asio::io_context context;
    asio::ip::tcp::acceptor manager(context, {asio::ip::address_v4::loopback(), 0});
    listener inherited(context.get_executor(), ::dup(manager.native_handle()));
    BOOST_TEST(!inherited.refuse_more());
    const unique_fd client = connect_tcp(manager.local_endpoint().port());
    error_code failed;
    inherited.accept(context.get_executor(), failed);
    BOOST_TEST(!failed);
}

BOOST_AUTO_TEST_CASE(what_is_no_stream_socket_that_listens_is_refused_and_stays_open)
{
    asio::io_context context;
    const scratch_directory directory;
    const fd_pair connected = make_socket_pair();
    const unique_fd file = make_memory_file();
    const unique_fd unbound(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const unique_fd datagrams(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const unique_fd packets = listen_for_packets(directory / "packets");
    for (const unique_fd* one : {&connected.ours, &file, &unbound, &datagrams, &packets}) {
        BOOST_CHECK_EXCEPTION(listener(context.get_executor(), one->get()), boost::system::system_error,
                              [&](const boost::system::system_error& e) {
                                  const std::string name = "inherited socket " + std::to_string(one->get());
                                  return std::string_view(e.what()).starts_with("cannot listen on " + name);
                              });
        BOOST_TEST(::fcntl(one->get(), F_GETFD) != -1);
    }
    BOOST_CHECK_THROW(listener(context.get_executor(), 1'000'000), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(a_socket_that_somebody_listens_on_here_is_refused)
{
    asio::io_context context;
    asio::ip::tcp::acceptor manager(context, {asio::ip::address_v4::loopback(), 0});
    const int descriptor = ::dup(manager.native_handle());
    listener inherited(context.get_executor(), descriptor);
    BOOST_CHECK_THROW(listener(context.get_executor(), descriptor), boost::system::system_error);
    const unique_fd client = connect_tcp(manager.local_endpoint().port());
    error_code failed;
    inherited.accept(context.get_executor(), failed);
    BOOST_TEST(!failed);
}

BOOST_AUTO_TEST_SUITE_END()
