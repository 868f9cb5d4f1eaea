#include "running_server.hpp"
#include "support/few_descriptors.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>

#include <sys/socket.h>

using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::errc;
using partyline::error_code;
using partyline::server_options;

namespace {

server_options room_for(std::size_t connections)
{
    server_options options;
    options.max_connections = connections;
    return options;
}

unique_fd unconnected_socket()
{
    return unique_fd(checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_accept, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(many_connections_at_once_over_both_kinds_of_socket)
{
    running_server s;
    std::deque<socket_client> clients;
    for (int i = 0; i < 100; ++i) {
        clients.push_back(s.unix_client());
        clients.push_back(s.tcp_client());
    }
    for (int round = 0; round < 3; ++round) {
        for (socket_client& one : clients)
            one.send(echo_request(1) + echo_request(2));
        for (socket_client& one : clients) {
            one.expect(echo_reply(1));
            one.expect(echo_reply(2));
        }
    }
    BOOST_TEST(s.get().connections() == 200u);
    clients.clear();
    for (int i = 0; i < 200; ++i) {
        const running_server::session_end end = s.ends.take();
        BOOST_TEST(!end.why);
        BOOST_TEST(end.counters.requests == 6u);
    }
    BOOST_TEST(s.get().connections() == 0u);
}

BOOST_AUTO_TEST_CASE(beyond_the_most_connections_a_peer_waits_until_one_has_ended)
{
    running_server s(room_for(2));
    socket_client first = s.unix_client();
    socket_client second = s.tcp_client();
    first.expect_service();
    second.expect_service();
    socket_client third = s.unix_client();
    socket_client fourth = s.tcp_client();
    third.send(echo_request(3));
    fourth.send(echo_request(4));
    first.expect_service();
    second.expect_service();
    BOOST_TEST(s.get().connections() == 2u);
    BOOST_TEST(!third.has_output());
    BOOST_TEST(!fourth.has_output());

    second.close();
    first.close();
    third.expect(echo_reply(3));
    fourth.expect(echo_reply(4));
    BOOST_TEST(s.get().connections() == 2u);
}

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(no_address_is_left_out_when_room_is_scarce)
{
    running_server s(room_for(1));
    socket_client served = s.unix_client();
    served.expect_service();
    std::deque<socket_client> waiting;
    waiting.push_back(s.tcp_client());
    for (int i = 0; i < 4; ++i)
        waiting.push_back(s.unix_client());
    for (socket_client& one : waiting)
        one.send(echo_request(1));
    served.close();
    std::size_t before = 0;
    for (std::size_t ready; (ready = first_ready(waiting)) != 0; ++before)
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(ready));
    BOOST_TEST(before <= 1u); // else the last of all
}

BOOST_AUTO_TEST_CASE(a_server_that_has_nothing_to_do_does_nothing)
{
    boost::asio::io_context context;
    const scratch_directory directory;
    partyline::server server(context.get_executor(), server_methods(), room_for(1));
    server.listen_unix(directory / "socket");
    server.async_run([](error_code) {});
    const auto is_idle = [&] {
        context.poll();
        return context.run_one_for(300ms) == 0;
    };
    BOOST_TEST(is_idle());
    const socket_client served(directory / "socket");
    const socket_client waiting(directory / "socket"); // for whom there is no room
    while (server.connections() == 0)
        BOOST_REQUIRE(context.run_one_for(patience) == 1);
    BOOST_TEST(is_idle());
}

BOOST_AUTO_TEST_CASE(each_session_has_options_of_its_own)
{
    int begun = 0;
    server_options options;
    options.on_session_start = [&](partyline::session_options& own, const partyline::peer_identity&) {
        own.bounds.id_bytes = ++begun == 1 ? 1 : 1000;
    };
    running_server s(std::move(options));
    socket_client first = s.unix_client();
    first.send(echo_request(12345));
    BOOST_TEST(contains(first.read_line(), "-32600"));
    socket_client second = s.unix_client();
    second.send(echo_request(12345));
    second.expect(echo_reply(12345));
}

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(what_one_peer_does_is_nothing_to_the_others)
{
    running_server s;
    socket_client good = s.tcp_client();
    good.expect_service();

    s.unix_client().close();
    BOOST_TEST(!s.ends.take().why);
    s.tcp_client().close();
    BOOST_TEST(!s.ends.take().why);

    socket_client careless = s.unix_client();
    careless.send("rubbish\n\xff\xfe\n" + std::string(100'000, '[') + "\n");
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(contains(careless.read_line(), "\"error\""));
    careless.expect_service();

    socket_client rude = s.tcp_client();
    rude.send(request(1, "wait", "[]") + request(2, "big", "[3000000]"));
    rude.output().wait_readable();
    rude.close(); // with output unread, so that the connection is reset
    BOOST_TEST(bool(s.ends.take().why));
    good.expect_service();
    BOOST_TEST(s.log.size() == 0u);
}

// rule: security.access.idle
BOOST_AUTO_TEST_CASE(a_peer_that_never_reads_is_left_in_the_end)
{
    server_options options;
    options.session.write_stall = 50ms;
    options.session.cancel_grace = 50ms;
    running_server s(std::move(options));
    socket_client lazy = s.unix_client();
    lazy.send(request(1, "big", "[3000000]"));
    BOOST_TEST((s.ends.take().why == errc::write_stalled));
    BOOST_TEST(contains(s.log.take(), "the peer has stopped reading"));
    s.tcp_client().expect_service();
}

BOOST_AUTO_TEST_CASE(a_lack_of_descriptors_is_outlived_and_told_once,
                     *boost::unit_test::precondition(can_set_descriptor_limit))
{
    running_server s;
    socket_client served = s.unix_client();
    served.expect_service();
    std::vector<socket_client> later;
    std::vector<unique_fd> sockets;
    for (int i = 0; i < 3; ++i)
        sockets.push_back(unconnected_socket());
    std::string line;
    std::vector<std::string> replies;
    {
        few_descriptors lack(0);
        for (unique_fd& one : sockets) {
            connect_unix(one, s.path());
            later.emplace_back(std::move(one));
            later.back().send(echo_request(later.size()));
        }
        line = s.log.take();
        served.send(echo_request(0));
        replies.push_back(served.read_line());
        lack.allow(1);
        replies.push_back(later[0].read_line()); // the next one can't be accepted
        lack.allow(2);
        replies.push_back(later[1].read_line());
    }
    replies.push_back(later[2].read_line());
    for (std::uint64_t id = 0; id < 4; ++id)
        BOOST_TEST(replies[id] == echo_reply(id));
    BOOST_TEST(contains(line, s.path().string()), line);
    BOOST_TEST(contains(line, "Too many open files"), line);
    BOOST_TEST(s.log.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_lack_of_descriptors_takes_no_time, *boost::unit_test::precondition(can_set_descriptor_limit))
{
    boost::asio::io_context context;
    const scratch_directory directory;
    server_options options;
    options.session.log = [](std::string_view) {};
    partyline::server server(context.get_executor(), server_methods(), std::move(options));
    std::vector<unique_fd> waiting;
    for (const char* name : {"first", "second"}) {
        server.listen_unix(directory / name);
        waiting.push_back(unconnected_socket());
        connect_unix(waiting.back(), directory / name);
    }
    server.async_run([](error_code) {});
    std::size_t handlers = 0;
    {
        const few_descriptors lack(0);
        handlers = context.run_for(600ms);
    }
    BOOST_TEST(handlers < 100u);
    BOOST_TEST(server.connections() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
