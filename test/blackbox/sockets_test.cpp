// The sample server on sockets, and many peers.

#include "support/descriptor_limit.hpp"
#include "support/listening_server.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>

#include <signal.h>

namespace fs = std::filesystem;
namespace json = boost::json;
using namespace partyline::test;

namespace {

struct outcome {
    int code;
    std::string err;
};

// What the server says to options that it can't serve with.
outcome refusal(std::vector<std::string> options)
{
    echo_server s(std::move(options));
    s.close_input();
    BOOST_TEST(s.output().read_rest() == "");
    const int code = s.wait_exit();
    return {code, s.errors()};
}

void expect_cancelled(socket_client& client)
{
    check_error(json::parse(client.read_line()).as_object(), "1", -32800);
    client.expect_end();
}

// Not `enable_if`: what is disabled runs all the same when its suite is asked for by name.
boost::test_tools::assertion_result has_all_descriptors_to_itself(boost::unit_test::test_unit_id)
{
    boost::test_tools::assertion_result known(!is_sanitized);
    known.message() << "a sanitizer needs descriptors of its own";
    return known;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sockets, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(who_finds_no_room_waits)
{
    listening_server s({"--max-connections", "1"});
    socket_client first = s.unix_client();
    first.expect_service();
    socket_client second = s.tcp_client();
    second.send(echo_request(2));
    first.expect_service();
    BOOST_TEST(!second.has_output());
    first.close();
    second.expect(echo_reply(2));
}

BOOST_AUTO_TEST_CASE(too_few_descriptors_are_no_end, *boost::unit_test::precondition(has_all_descriptors_to_itself))
{
    listening_server s("ulimit -n 20", {});
    std::deque<socket_client> clients;
    for (std::uint64_t id = 0; id < 60; ++id) {
        clients.push_back(id % 2 ? s.unix_client() : s.tcp_client());
        clients.back().send(echo_request(id));
    }
    const std::string line = s.errors().read_line().value_or("(end)");
    BOOST_TEST(contains(line, "Too many open files"), line);
    while (!clients.empty()) {
        // Whoever is served leaves, and makes room for another.
        const std::size_t ready = first_ready(clients);
        BOOST_TEST(contains(clients[ready].read_line(), "\"result\""));
        clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(ready));
    }
    s.child().signal(SIGTERM);
    BOOST_TEST(s.errors().read_rest() == ""); // told once
}

BOOST_AUTO_TEST_CASE(the_soft_limit_of_descriptors_is_raised_to_the_hard_one,
                     *boost::unit_test::precondition(can_set_descriptor_limit))
{
    listening_server s("ulimit -S -n 20", {});
    std::deque<socket_client> clients;
    for (std::uint64_t id = 0; id < 60; ++id) {
        clients.push_back(id % 2 ? s.unix_client() : s.tcp_client());
        clients.back().send(echo_request(id));
    }
    for (std::uint64_t id = 0; id < 60; ++id)
        clients[id].expect(echo_reply(id));
    s.child().signal(SIGTERM);
    BOOST_TEST(s.errors().read_rest() == "");
}

BOOST_AUTO_TEST_CASE(peers_that_use_the_same_ids_do_not_meet)
{
    listening_server s;
    socket_client first = s.unix_client();
    socket_client second = s.tcp_client();
    for (socket_client* one : {&first, &second}) {
        one->send(request(1, "ask", R"(["who?"])"));
        BOOST_TEST(contains(one->read_line(), "who?"));
    }
    second.send(notification("answer", R"([1,"second"])"));
    second.expect(R"({"jsonrpc":"2.0","id":1,"result":"second"})");
    first.send(notification("answer", R"([1,"first"])"));
    first.expect(R"({"jsonrpc":"2.0","id":1,"result":"first"})");
}

// rule: security.harm.signals
BOOST_AUTO_TEST_CASE(a_signal_ends_all_sessions_in_order)
{
    for (const int signal : {SIGTERM, SIGINT}) {
        BOOST_TEST_CONTEXT("signal " << signal)
        {
            listening_server s;
            socket_client first = s.unix_client();
            socket_client second = s.tcp_client();
            for (socket_client* one : {&first, &second}) {
                one->send(endless_request(1));
                one->expect_service();
            }
            s.child().signal(signal);
            expect_cancelled(first);
            expect_cancelled(second);
            BOOST_TEST(s.wait_exit() == 128 + signal);
            BOOST_TEST(!fs::exists(s.path()));
            BOOST_TEST(s.errors().read_rest() == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_hang_up_ends_no_session)
{
    listening_server s;
    socket_client client = s.unix_client();
    client.send(endless_request(1));
    client.expect_service();
    s.child().signal(SIGHUP);
    client.expect_service();
    s.child().signal(SIGTERM);
    expect_cancelled(client);
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
}

// rule: security.harm.signals
BOOST_AUTO_TEST_CASE(a_second_signal_ends_at_once)
{
    listening_server s({"--cancel-grace-ms", "600000"});
    socket_client lazy = s.unix_client();
    lazy.send(request(1, "parts", R"({"count":100,"bytes":1000000})"));
    lazy.output().wait_readable();
    s.child().signal(SIGTERM); // it waits for the peer to read
    s.child().signal(SIGINT);
    const int code = s.wait_exit();
    BOOST_TEST((code == 128 + SIGTERM || code == 128 + SIGINT), "exit code " << code);
    BOOST_TEST(!fs::exists(s.path()));
}

BOOST_AUTO_TEST_CASE(each_session_has_counters)
{
    listening_server s({"--stats"});
    socket_client client = s.tcp_client();
    client.send(echo_request(1) + echo_request(2));
    client.expect(echo_reply(1));
    client.expect(echo_reply(2));
    client.close();
    BOOST_TEST(s.errors().read_line().value_or("") == "messages_in: 2");
    s.unix_client().close();
    std::string line;
    while (line != "messages_in: 0")
        line = s.errors().read_line().value();
}

// rule: security.access.idle
BOOST_AUTO_TEST_CASE(a_peer_that_does_not_read_is_left_after_a_while)
{
    listening_server s({"--write-stall-ms", "50", "--cancel-grace-ms", "50"});
    socket_client lazy = s.tcp_client();
    lazy.send(request(1, "parts", R"({"count":100,"bytes":1000000})"));
    const std::string line = s.errors().read_line().value_or("(end)");
    BOOST_TEST(contains(line, "the peer has stopped reading"), line);
    s.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(nobody_has_to_read_its_errors)
{
    listening_server s;
    s.errors().close();
    socket_client client = s.unix_client();
    client.send(notification("log", R"(["into the void"])"));
    client.expect_service();
}

BOOST_AUTO_TEST_CASE(what_a_killed_server_leaves_behind_is_replaced)
{
    listening_server first;
    first.child().signal(SIGKILL);
    first.wait_exit();
    BOOST_REQUIRE(fs::is_socket(first.path()));
    const listening_server second({"--unix", first.path()});
    socket_client(first.path()).expect_service();
}

BOOST_AUTO_TEST_CASE(an_address_that_can_t_be_listened_on_is_named)
{
    listening_server live;
    const scratch_directory directory;
    write_file(directory / "file", "precious");
    const std::pair<std::vector<std::string>, std::string> rows[] = {
        {{"--unix", live.path()}, "unix " + live.path().string()},
        {{"--unix", directory / "file"}, "unix " + (directory / "file").string()},
        {{"--unix", "/no such directory/socket"}, "unix /no such directory/socket"},
        {{"--tcp", std::to_string(live.port())}, "tcp 127.0.0.1:" + std::to_string(live.port())},
        {{"--tcp", "192.0.2.1:0", "--allow-any-address"}, "tcp 192.0.2.1:0"},
        {{"--unix", directory / "socket", "--tcp", std::to_string(live.port())}, "tcp 127.0.0.1:"},
    };
    for (const auto& [options, named] : rows) {
        const outcome result = refusal(options);
        BOOST_TEST(result.code == 3, named);
        BOOST_TEST(contains(result.err, "partyline-echo: cannot listen on " + named), result.err);
        BOOST_TEST(!contains(result.err, "/boost/"), result.err); // a place in a library
        BOOST_TEST(!contains(result.err, "[system:"), result.err);
    }
    BOOST_TEST(!fs::exists(directory / "socket"));
    BOOST_TEST(read_file(directory / "file") == "precious");
    live.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(any_address_is_listened_on_only_when_that_is_allowed_and_that_is_told)
{
    listening_server s({"--tcp", "0.0.0.0:0", "--allow-any-address"});
    const std::string where = s.errors().read_line().value_or("(end)");
    BOOST_TEST(where.starts_with("listening on tcp 0.0.0.0:"), where);
    BOOST_TEST(s.errors().read_line().value_or("(end)") == "partyline-echo: --allow-any-address: what is sent to " +
                                                               where.substr(where.rfind(' ') + 1) +
                                                               " travels in the clear, and whoever connects may call");
    s.tcp_client().expect_service();
}

BOOST_AUTO_TEST_CASE(misuse_is_told)
{
    const std::pair<std::vector<std::string>, const char*> rows[] = {
        {{"--tcp", "localhost"}, "localhost"},
        {{"--tcp", "::1:80"}, "brackets"},
        {{"--tcp", ":65536"}, ":65536"},
        {{"--tcp"}, "tcp"},
        {{"--unix"}, "unix"},
        {{"--max-connections", "2"}, "max-connections"},
        {{"--tcp", "0", "--max-connections", "0"}, "max-connections"},
        {{"--http", "0", "--max-connections", "0"}, "max-connections"},
        {{"--max-connections-per-address", "2"}, "max-connections-per-address"},
        {{"--http", "0", "--max-connections-per-address", "0"}, "max-connections-per-address"},
        {{"--tcp", "0", "--max-connections-per-address", "0"}, "max-connections-per-address"},
        {{"--idle-timeout", "2"}, "idle-timeout"},
        {{"--tcp", "0", "--idle-timeout", "-1"}, "idle-timeout"},
        {{"--first-message-timeout", "2"}, "first-message-timeout"},
        {{"--tcp", "0", "--first-message-timeout", "nan"}, "first-message-timeout"},
        {{"--http", "0", "--idle-timeout", "2"}, "idle-timeout"},
        {{"--listen", "0", "--memory-bytes", "2"}, "memory-bytes"},
        {{"--tcp", "0.0.0.0:0"}, "0.0.0.0 is no loopback address"},
        {{"--unix", "socket", "--allow-any-address"}, "allow-any-address"},
        {{"--tcp", "0", "--end-of-input", "maybe"}, "maybe"},
        {{"--tcp", "0", "--demo"}, "demo"},
        {{"--demo", "--unix", "socket"}, "unix"},
    };
    for (const auto& [options, named] : rows) {
        const outcome result = refusal(options);
        BOOST_TEST(result.code == 2, named);
        BOOST_TEST(contains(result.err, named), result.err);
    }
}

BOOST_AUTO_TEST_SUITE_END()
