#include "running_server.hpp"
#include "support/text_search.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace partyline::test;
using boost::system::system_error;

namespace {

template <class Listen>
std::string failure_of(Listen listen)
{
    try {
        listen();
    } catch (const system_error& e) {
        return e.what();
    }
    return {};
}

// Where CI is set nothing is skipped: there the test fails without it.
boost::test_tools::assertion_result has_ipv6(boost::unit_test::test_unit_id)
{
    const unique_fd made(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in6 loopback{};
    loopback.sin6_family = AF_INET6;
    loopback.sin6_addr = IN6ADDR_LOOPBACK_INIT;
    const bool is_bound = ::bind(made.get(), reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback) == 0;
    boost::test_tools::assertion_result known(is_bound || std::getenv("CI") != nullptr);
    known.message() << "this machine has no IPv6";
    return known;
}

// A server that listens without anybody who runs it.
struct quiet_server {
    asio::io_context context;
    partyline::server server{context.get_executor(), server_methods(), anywhere()};

    static partyline::server_options anywhere()
    {
        partyline::server_options options;
        options.may_listen = partyline::exposure::anywhere;
        return options;
    }

    std::string failure(const fs::path& path)
    {
        return failure_of([&] { server.listen_unix(path); });
    }
    std::string failure(const std::string& host, std::uint16_t port)
    {
        return failure_of([&] { server.listen_tcp(host, port); });
    }
    void end()
    {
        server.stop();
        context.run();
    }
};

// A socket's file whose server was killed.
void leave_stale_socket(const fs::path& path)
{
    const unique_fd made(checked(::socket(AF_UNIX, SOCK_STREAM, 0), "socket"));
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.string().copy(at.sun_path, sizeof at.sun_path - 1);
    checked(::bind(made.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), "bind");
    checked(::listen(made.get(), 1), "listen");
}

struct stat status_of(const fs::path& path)
{
    struct stat status;
    checked(::lstat(path.c_str(), &status), path.c_str());
    return status;
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_listen, *boost::unit_test::timeout(60))

// rule: security.access.owner
BOOST_AUTO_TEST_CASE(the_file_of_a_unix_socket_is_for_its_owner_and_goes_with_the_server)
{
    const scratch_directory directory;
    const fs::path path = directory / "socket";
    quiet_server s;
    BOOST_TEST(s.server.listen_unix(path).path() == path.string());
    BOOST_TEST((status_of(path).st_mode & 07777) == mode_t(0600));
    s.end();
    BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_CASE(others_may_connect_where_the_mode_of_the_file_says_so)
{
    const scratch_directory directory;
    quiet_server s;
    s.server.listen_unix(directory / "group", 0660);
    s.server.listen_unix(directory / "nobody", 0);
    BOOST_TEST((status_of(directory / "group").st_mode & 07777) == mode_t(0660));
    BOOST_TEST((status_of(directory / "nobody").st_mode & 07777) == mode_t(0));
    BOOST_CHECK_THROW(s.server.listen_unix(directory / "x", 01777), std::invalid_argument);
    BOOST_TEST(!fs::exists(directory / "x"));
    s.end();
}

BOOST_AUTO_TEST_CASE(a_stale_file_is_replaced)
{
    const scratch_directory directory;
    const fs::path path = directory / "socket";
    leave_stale_socket(path);
    BOOST_REQUIRE(fs::is_socket(path));
    running_server other;
    other.get().listen_unix(path);
    socket_client(path).expect_service();
}

BOOST_AUTO_TEST_CASE(a_path_where_somebody_listens_is_an_error_that_names_it)
{
    running_server live;
    quiet_server s;
    const std::string failure = s.failure(live.path());
    BOOST_TEST(contains(failure, "unix " + live.path().string()), failure);
    BOOST_TEST(contains(failure, "Address already in use"), failure);
    s.end();
    live.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(a_file_of_another_kind_is_left_alone)
{
    const scratch_directory directory;
    write_file(directory / "file", "precious");
    fs::create_directory(directory / "folder");
    fs::create_symlink(directory / "file", directory / "link");
    quiet_server s;
    for (const char* name : {"file", "folder", "link"}) {
        const std::string failure = s.failure(directory / name);
        BOOST_TEST(contains(failure, (directory / name).string()), failure);
        BOOST_TEST(contains(failure, "File exists"), failure);
    }
    s.end();
    BOOST_TEST(read_file(directory / "file") == "precious");
    BOOST_TEST(fs::is_directory(directory / "folder"));
    BOOST_TEST(fs::is_symlink(directory / "link"));
}

BOOST_AUTO_TEST_CASE(a_file_that_another_server_has_made_meanwhile_is_left_alone)
{
    const scratch_directory directory;
    const fs::path path = directory / "socket";
    quiet_server first;
    first.server.listen_unix(path);
    fs::remove(path);
    quiet_server second;
    second.server.listen_unix(path);
    const ino_t number = status_of(path).st_ino;
    first.end();
    BOOST_REQUIRE(fs::exists(path));
    BOOST_TEST(status_of(path).st_ino == number);
    second.end();
    BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_CASE(a_path_that_can_t_be_is_an_error_that_names_it)
{
    const scratch_directory directory;
    quiet_server s;
    const fs::path long_path = directory / std::string(200, 'x');
    BOOST_TEST(contains(s.failure(long_path), long_path.string() + ": File name too long"));
    const fs::path no_folder = directory / "none/socket";
    BOOST_TEST(contains(s.failure(no_folder), no_folder.string() + ": No such file or directory"));
    BOOST_TEST(contains(s.failure(fs::path()), "unix : Invalid argument"));
}

BOOST_AUTO_TEST_CASE(the_system_chooses_a_port_for_port_0)
{
    quiet_server s;
    const asio::ip::tcp::endpoint at = s.server.listen_tcp("127.0.0.1", 0);
    BOOST_TEST(at.address().to_string() == "127.0.0.1");
    BOOST_TEST(at.port() != 0);
    connect_tcp(at.port());
}

BOOST_AUTO_TEST_CASE(ipv6_is_served_too, *boost::unit_test::precondition(has_ipv6))
{
    running_server s;
    const asio::ip::tcp::endpoint at = s.get().listen_tcp("::1", 0);
    BOOST_TEST(at.address().to_string() == "::1");
    asio::io_context context;
    asio::ip::tcp::socket socket(context);
    socket.connect(at);
    socket_client(unique_fd(socket.release())).expect_service();
    const std::string failure = failure_of([&] { s.get().listen_tcp("::1", at.port()); });
    BOOST_TEST(contains(failure, "tcp [::1]:" + std::to_string(at.port()) + ": "), failure);
}

BOOST_AUTO_TEST_CASE(a_name_is_looked_up)
{
    running_server s;
    const asio::ip::tcp::endpoint at = s.get().listen_tcp("localhost", 0);
    BOOST_TEST(at.address().is_loopback());
    if (at.address().is_v4())
        socket_client(at.port()).expect_service();
}

BOOST_AUTO_TEST_CASE(a_tcp_address_that_can_t_be_is_an_error_that_names_it)
{
    running_server live;
    quiet_server s;
    const std::string in_use = s.failure("127.0.0.1", live.port());
    const std::string address = "tcp 127.0.0.1:" + std::to_string(live.port());
    BOOST_TEST(contains(in_use, address + ": Address already in use"), in_use);
    const std::string not_ours = s.failure("192.0.2.1", 0); // a network for examples
    BOOST_TEST(contains(not_ours, "tcp 192.0.2.1:0: Cannot assign requested address"), not_ours);
    const std::string no_host = s.failure("no host has this name", 7);
    BOOST_TEST(contains(no_host, "tcp no host has this name:7: "), no_host);
    BOOST_TEST(contains(no_host, "ost not found"), no_host);
}

BOOST_AUTO_TEST_CASE(a_port_can_be_listened_on_again_at_once)
{
    std::uint16_t port = 0;
    {
        running_server first;
        port = first.port();
        socket_client client = first.tcp_client();
        client.expect_service();
        first.get().stop(); // closes first, so that the old connection lingers on this side
        first.wait_end();
    }
    quiet_server second;
    BOOST_TEST(second.failure("127.0.0.1", port) == "");
}

BOOST_AUTO_TEST_CASE(a_server_that_runs_can_listen_on_more_addresses)
{
    running_server s;
    const scratch_directory directory;
    s.get().listen_unix(directory / "second");
    socket_client(directory / "second").expect_service();
    s.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(who_comes_before_the_server_runs_is_served_later)
{
    asio::io_context context;
    const scratch_directory directory;
    partyline::server server(context.get_executor(), server_methods());
    server.listen_unix(directory / "socket");
    socket_client early(directory / "socket");
    early.send(echo_request(1));
    server.async_run([](partyline::error_code) {});
    while (!early.has_output())
        BOOST_REQUIRE(context.run_one_for(patience) == 1);
    early.expect(echo_reply(1));
}

BOOST_AUTO_TEST_CASE(a_server_that_was_told_to_end_lets_nobody_in)
{
    const scratch_directory directory;
    const fs::path path = directory / "socket";
    quiet_server s;
    s.server.close();
    s.server.listen_unix(path);
    const unique_fd early = connect_unix(path);
    s.context.run();
    BOOST_TEST(!fs::exists(path));
    line_reader refused(duplicate(early.get()));
    BOOST_TEST(refused.read_rest() == "");
}

BOOST_AUTO_TEST_SUITE_END()
