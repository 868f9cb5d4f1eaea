// What peers do that a server must not suffer from: they go, say nothing, come in numbers, or are browsers.

#include "running_server.hpp"
#include "support/text_search.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <any>
#include <deque>
#include <stdexcept>

#include <sys/socket.h>
#include <unistd.h>

using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::end_of_input;
using partyline::errc;
using partyline::error_code;
using partyline::peer_identity;
using partyline::server_options;
using partyline::session_options;

namespace {

constexpr auto never = std::chrono::steady_clock::duration::max();

// Nothing ends a session but what the peer does.
server_options without_limits()
{
    server_options options;
    options.session.drain_timeout = never;
    options.session.first_message_timeout = never;
    options.session.idle_timeout = never;
    options.session.write_stall = never;
    return options;
}

// One request runs, one waits, and for more there is no room.
server_options with_room_for_two()
{
    server_options options = without_limits();
    options.session.on_overload = partyline::overload::pause;
    options.session.bounds.in_flight_requests = 1;
    options.session.bounds.waiting_requests = 1;
    return options;
}

const std::string three_requests = request(1, "wait", "[]") + request(2, "wait", "[]") + request(3, "wait", "[]");

// `test` with a client on each kind of socket.
template <class Test>
void for_each_kind(const running_server& s, Test test)
{
    test(s.unix_client());
    test(s.tcp_client());
}

void check_all_end(running_server& s, int count, const error_code& why)
{
    for (int i = 0; i < count; ++i)
        BOOST_TEST(s.ends.take().why == why);
    BOOST_TEST(s.get().connections() == 0u);
    BOOST_TEST(s.log.size() == 0u);
}

const std::string http_post =
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\r\n" + echo_request(1);

} // namespace

BOOST_AUTO_TEST_SUITE(server_peers, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(unix_peers_that_have_closed_keep_nothing)
{
    running_server s(without_limits());
    for (int i = 0; i < 40; ++i) {
        socket_client client = s.unix_client();
        client.send(request(1, "wait", "[]"));
        if (i % 2)
            client.expect_service(); // it runs
        client.close();
    }
    check_all_end(s, 40, errc::peer_gone);
}

BOOST_AUTO_TEST_CASE(a_unix_peer_that_closes_later_is_noticed_then)
{
    running_server s(without_limits());
    socket_client client = s.unix_client();
    client.send(request(1, "wait", "[]"));
    client.close_send();
    s.unix_client().expect_service();
    s.ends.take();
    BOOST_TEST(s.get().connections() == 1u); // it may still read
    client.close();
    check_all_end(s, 1, errc::peer_gone);
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(a_peer_that_goes_while_reading_is_paused_is_noticed)
{
    running_server s(with_room_for_two());
    socket_client client = s.unix_client();
    client.send(three_requests);
    s.unix_client().expect_service();
    s.ends.take();
    client.close();
    check_all_end(s, 1, errc::peer_gone);
}

BOOST_AUTO_TEST_CASE(reading_goes_on_after_a_pause_in_which_nobody_went)
{
    running_server s(with_room_for_two());
    socket_client client = s.unix_client();
    for (int round = 0; round < 3; ++round) {
        client.send(numbered(1, 20, [](std::uint64_t id) { return request(id, "delay", "[1]"); }));
        for (int i = 0; i < 20; ++i)
            client.read_line();
    }
    client.close();
    check_all_end(s, 1, {});
}

BOOST_AUTO_TEST_CASE(half_a_close_is_served_to_its_end)
{
    running_server s(without_limits());
    for_each_kind(s, [&](socket_client client) {
        client.send(request(1, "delay", "[50]"));
        client.close_send();
        client.expect(R"({"jsonrpc":"2.0","id":1,"result":null})");
        client.expect_end();
        BOOST_TEST(!s.ends.take().why);
    });
}

BOOST_AUTO_TEST_CASE(half_a_close_may_mean_that_the_peer_has_gone)
{
    server_options options = without_limits();
    options.session.at_end_of_input = end_of_input::peer_gone;
    running_server s(std::move(options));
    for_each_kind(s, [&](socket_client client) {
        client.send(request(1, "wait", "[]"));
        client.close_send();
        client.expect_end();
        BOOST_TEST((s.ends.take().why == errc::peer_gone));
    });
    socket_client idle = s.tcp_client();
    idle.send(echo_request(1));
    idle.close_send();
    idle.expect(echo_reply(1)); // written before the end was read
    check_all_end(s, 1, {});
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(half_a_close_while_reading_is_paused_may_mean_the_same)
{
    server_options options = with_room_for_two();
    options.session.at_end_of_input = end_of_input::peer_gone;
    running_server s(std::move(options));
    for_each_kind(s, [&](socket_client client) {
        client.send(three_requests);
        s.unix_client().expect_service();
        s.ends.take();
        client.send(std::string(1000, ' ')); // the end stands behind it
        client.close_send();
        BOOST_TEST((s.ends.take().why == errc::peer_gone));
    });
    check_all_end(s, 0, {});
}

BOOST_AUTO_TEST_CASE(the_drain_timeout_bounds_what_runs_for_a_tcp_peer_that_may_have_gone)
{
    server_options options = without_limits();
    options.session.drain_timeout = 50ms;
    running_server s(std::move(options));
    socket_client client = s.tcp_client();
    client.send(request(1, "wait", "[]"));
    client.close();
    BOOST_TEST((s.ends.take().why == errc::drain_timeout));
}

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(urgent_data_takes_no_time)
{
    boost::asio::io_context context;
    partyline::server server(context.get_executor(), server_methods(), with_room_for_two());
    socket_client client(server.listen_tcp("127.0.0.1", 0).port());
    server.async_run([](error_code) {});
    client.send(three_requests);
    context.run_for(100ms); // it has paused
    for (int i = 0; i < 3; ++i) {
        checked(static_cast<int>(::send(client.output().fd(), "!", 1, MSG_OOB | MSG_NOSIGNAL)), "send");
        BOOST_TEST(context.run_for(100ms) < 20u);
    }
}

BOOST_AUTO_TEST_CASE(who_says_nothing_at_first_is_left)
{
    server_options options = without_limits();
    options.session.first_message_timeout = 100ms;
    running_server s(std::move(options));
    socket_client good = s.tcp_client();
    good.expect_service();
    socket_client quiet = s.tcp_client();
    socket_client slow = s.unix_client();
    slow.send(R"({"jsonrpc":"2.0",)");
    for (int i = 0; i < 2; ++i)
        BOOST_TEST((s.ends.take().why == errc::no_message));
    quiet.expect_end();
    slow.expect_end();
    BOOST_TEST(s.log.take() == "a session ended: no message has come within the time for the first one");
    BOOST_TEST(s.log.size() == 0u); // told once
    good.expect_service();
}

// rule: security.access.idle
BOOST_AUTO_TEST_CASE(who_has_nothing_to_do_is_left)
{
    server_options options = without_limits();
    options.session.idle_timeout = 200ms;
    running_server s(std::move(options));
    socket_client busy = s.tcp_client();
    busy.send(request(1, "wait", "[]"));
    for (int i = 0; i < 2; ++i) {
        socket_client idle = s.unix_client();
        idle.expect_service();
        idle.expect_end();
        BOOST_TEST((s.ends.take().why == errc::idle));
    }
    busy.expect_service();
    BOOST_TEST(s.log.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_duration_of_max_means_never)
{
    running_server s(without_limits());
    socket_client client = s.tcp_client();
    client.expect_service();
    client.send(request(1, "delay", "[20]") + request(2, "big", "[3000000]"));
    client.close_send();
    std::size_t bytes = 0;
    for (int i = 0; i < 2; ++i)
        bytes += client.read_line().size();
    BOOST_TEST(bytes > 3'000'000u);
    client.expect_end();
    check_all_end(s, 1, {});
}

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(nobody_gets_more_connections_from_one_address_than_there_may_be)
{
    server_options options;
    options.max_connections_per_address = 2;
    running_server s(std::move(options));
    socket_client first = s.tcp_client();
    socket_client second = s.tcp_client();
    first.expect_service();
    second.expect_service();
    for (int i = 0; i < 3; ++i)
        s.tcp_client().expect_end();
    BOOST_TEST(s.log.take() ==
               "refused a connection from 127.0.0.1: as many are open as there may be from one address");
    BOOST_TEST(s.log.size() == 0u); // told once
    s.unix_client().expect_service();
    s.ends.take();
    first.close();
    s.ends.take();
    s.tcp_client().expect_service();
    second.expect_service();
}

BOOST_AUTO_TEST_CASE(by_default_one_address_leaves_half_of_the_room_to_others)
{
    server_options options;
    options.max_connections = 200;
    running_server s(std::move(options));
    std::deque<socket_client> clients;
    for (int i = 0; i < 100; ++i)
        clients.push_back(s.tcp_client());
    clients.back().expect_service();
    s.tcp_client().expect_end();
    s.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(an_http_request_is_neither_executed_nor_answered)
{
    running_server s;
    for (int i = 0; i < 3; ++i) {
        socket_client page = s.tcp_client();
        page.send(http_post);
        page.expect_end();
        const running_server::session_end end = s.ends.take();
        BOOST_TEST((end.why == errc::http_request));
        BOOST_TEST(end.counters.messages_in == 0u);
        BOOST_TEST(end.counters.requests == 0u);
    }
    BOOST_TEST(s.log.take() == "a session ended: an HTTP or TLS request came, which is not served here");
    BOOST_TEST(s.log.size() == 0u); // told once
}

BOOST_AUTO_TEST_CASE(an_http_request_may_come_in_pieces_and_under_each_framing)
{
    for (const auto framing : {partyline::framing_kind::lines, partyline::framing_kind::content_length}) {
        server_options options;
        options.session.framing = framing;
        running_server s(std::move(options));
        socket_client page = s.unix_client();
        for (const char c : std::string("CONNECT"))
            page.send({&c, 1});
        BOOST_TEST(!page.has_output());
        page.send(" localhost:1 HTTP/1.1\r\n\r\n" + echo_request(1));
        page.expect_end();
        BOOST_TEST((s.ends.take().why == errc::http_request));
    }
}

BOOST_AUTO_TEST_CASE(a_header_is_no_http_request)
{
    server_options options;
    options.session.framing = partyline::framing_kind::content_length;
    running_server s(std::move(options));
    socket_client client = s.tcp_client();
    const std::string text = request(1, "echo", "[1]");
    client.send("Con");
    client.send("tent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
    BOOST_TEST(contains(client.read_line(), "Content-Length: "));
}

BOOST_AUTO_TEST_CASE(who_has_connected_is_told)
{
    mailbox<peer_identity> peers;
    server_options options;
    options.on_session_start = [&](session_options&, const peer_identity& peer) { peers.put(peer); };
    running_server s(std::move(options));
    socket_client over_unix = s.unix_client();
    const peer_identity local = peers.take();
    BOOST_TEST_REQUIRE(local.local.has_value());
    BOOST_TEST(local.local->process == ::getpid());
    BOOST_TEST(local.local->user == ::geteuid());
    BOOST_TEST(local.local->group == ::getegid());
    BOOST_TEST(!local.address.has_value());

    boost::asio::io_context context;
    boost::asio::ip::tcp::socket over_tcp(context);
    over_tcp.connect({boost::asio::ip::address_v4::loopback(), s.port()});
    const peer_identity remote = peers.take();
    BOOST_TEST(!remote.local.has_value());
    BOOST_TEST_REQUIRE(remote.address.has_value());
    BOOST_TEST(remote.address->ip == over_tcp.local_endpoint().address());
    BOOST_TEST(remote.address->port == over_tcp.local_endpoint().port());
}

BOOST_AUTO_TEST_CASE(handlers_see_who_has_connected_and_each_connection_has_rights_of_its_own)
{
    struct echo_alone final : partyline::access_view {
        partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
        {
            return {method == "echo" ? partyline::access_answer::allowed : partyline::access_answer::hidden};
        }
    };
    server_options options;
    options.on_session_start = [](session_options& its, const peer_identity& peer) {
        if (!peer.local)
            its.access = std::make_shared<const echo_alone>();
    };
    running_server s(std::move(options));
    socket_client local = s.unix_client();
    local.send(request(1, "user", "[]") + '\n');
    BOOST_TEST(contains(local.read_line(), "\"result\":" + std::to_string(::geteuid())));
    socket_client remote = s.tcp_client();
    remote.send(request(1, "user", "[]") + '\n');
    BOOST_TEST(contains(remote.read_line(), "-32601"));
    remote.send(request(2, "echo", "[1]") + '\n');
    BOOST_TEST(contains(remote.read_line(), "[1]"));
}

// rule: security.harm.own_fault
BOOST_AUTO_TEST_CASE(an_at_start_that_throws_costs_its_own_connection_alone)
{
    server_options options;
    options.max_connections_per_address = 1; // the place is free again
    options.on_session_start = [calls = 0](session_options&, const peer_identity&) mutable {
        if (++calls == 2)
            throw std::runtime_error("not this one");
    };
    running_server s(std::move(options));
    socket_client before = s.unix_client();
    before.expect_service();
    s.tcp_client().expect_end();
    BOOST_TEST(contains(s.log.take(), "not this one"));
    s.tcp_client().expect_service();
    before.expect_service();
}

BOOST_AUTO_TEST_CASE(a_function_makes_the_methods_of_each_session)
{
    server_options options;
    options.on_session_start = [](session_options& its, const peer_identity&) { its.user_data = 1000; };
    const auto make = [calls = 0](boost::asio::any_io_executor executor, session_options& its) mutable {
        if (++calls == 2)
            throw std::runtime_error("not this one");
        partyline::method_table methods;
        methods.add("number", [calls, of = its.user_data] { return std::any_cast<int>(of) + calls; });
        methods.add("is_serial",
                    [executor](partyline::request_context& own) { return executor == own.get_executor(); });
        return methods;
    };
    running_server s(std::move(options), 2, make);
    const auto expect = [](socket_client client, const std::string& number) {
        client.send(request(1, "number", "[]") + request(2, "is_serial", "[]"));
        client.expect(R"({"jsonrpc":"2.0","id":1,"result":)" + number + '}');
        client.expect(R"({"jsonrpc":"2.0","id":2,"result":true})");
    };
    expect(s.unix_client(), "1001");
    s.tcp_client().expect_end();
    BOOST_TEST(contains(s.log.take(), "not this one"));
    expect(s.tcp_client(), "1003");
}

BOOST_AUTO_TEST_SUITE_END()
