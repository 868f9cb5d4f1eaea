#include "running_server.hpp"
#include "support/text_search.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;
using partyline::server;

namespace {

// Clients whose requests run, one for each kind of socket.
struct two_waiting_clients {
    explicit two_waiting_clients(const running_server& s, const std::string& first = request(1, "wait", "[]"))
        : over_unix(s.unix_client()), over_tcp(s.tcp_client())
    {
        for (socket_client* one : {&over_unix, &over_tcp}) {
            one->send(first);
            one->expect_service();
        }
    }

    void expect_cancelled()
    {
        for (socket_client* one : {&over_unix, &over_tcp}) {
            const std::string line = one->read_line();
            BOOST_TEST(contains(line, R"("id":1,"error":{"code":-32800)"), line);
            one->expect_end();
        }
    }

    socket_client over_unix;
    socket_client over_tcp;
};

void check_refuses(const running_server& s)
{
    BOOST_TEST(!std::filesystem::exists(s.path()));
    BOOST_CHECK_THROW(connect_tcp(s.port()), std::system_error);
}

// A server and a context that nobody runs unless the test does.
struct server_at_hand {
    asio::io_context context;
    scratch_directory directory;
    server s{context.get_executor(), server_methods()};
    std::optional<error_code> ended;

    server_at_hand() { s.listen_unix(directory / "socket"); }
    void start()
    {
        s.async_run([this](error_code failed) { ended = failed; });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_end, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(stop_cancels_what_runs_and_ends_every_session)
{
    running_server s;
    two_waiting_clients clients(s);
    s.get().stop();
    clients.expect_cancelled();
    BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
    for (int i = 0; i < 2; ++i)
        BOOST_TEST((s.ends.take().why == asio::error::operation_aborted));
    BOOST_TEST(s.get().connections() == 0u);
    check_refuses(s);
}

BOOST_AUTO_TEST_CASE(close_lets_what_runs_come_to_its_end)
{
    running_server s;
    two_waiting_clients clients(s, request(1, "delay", "[300]"));
    s.get().close();
    for (socket_client* one : {&clients.over_unix, &clients.over_tcp}) {
        one->expect(R"({"jsonrpc":"2.0","id":1,"result":null})");
        one->expect_end();
        one->close();
    }
    BOOST_TEST(!s.wait_end());
    for (int i = 0; i < 2; ++i)
        BOOST_TEST(!s.ends.take().why);
    BOOST_TEST(s.get().connections() == 0u);
    check_refuses(s);
}

BOOST_AUTO_TEST_CASE(a_stop_may_follow_a_close_that_takes_too_long)
{
    running_server s;
    two_waiting_clients clients(s);
    s.get().close();
    while (std::filesystem::exists(s.path()))
        std::this_thread::yield(); // it is closing
    s.get().stop();
    clients.expect_cancelled();
    BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(destruction_stops_what_runs)
{
    running_server s;
    two_waiting_clients clients(s);
    s.destroy();
    clients.expect_cancelled();
    BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
    check_refuses(s);
}

BOOST_AUTO_TEST_CASE(a_cancelled_run_is_a_stop)
{
    server_at_hand h;
    asio::cancellation_signal signal;
    h.s.async_run(asio::bind_cancellation_slot(signal.slot(), [&](error_code failed) { h.ended = failed; }));
    socket_client client(h.directory / "socket");
    while (h.s.connections() == 0)
        BOOST_REQUIRE(h.context.run_one_for(patience) == 1);
    signal.emit(asio::cancellation_type::terminal);
    h.context.run_for(patience);
    BOOST_REQUIRE(h.ended.has_value());
    BOOST_TEST((*h.ended == asio::error::operation_aborted));
    client.expect_end();
    signal.emit(asio::cancellation_type::terminal); // too late
    h.context.restart();
    h.context.run_for(patience);
}

BOOST_AUTO_TEST_CASE(a_server_that_ended_before_it_ran_says_so_at_once)
{
    for (auto end : {&server::close, &server::stop}) {
        server_at_hand h;
        (h.s.*end)();
        h.start();
        BOOST_TEST(!h.ended.has_value()); // not within the call
        h.context.run_for(patience);
        BOOST_REQUIRE(h.ended.has_value());
        BOOST_TEST((*h.ended == (end == &server::stop ? asio::error::operation_aborted : error_code())));
    }
}

BOOST_AUTO_TEST_CASE(a_server_runs_once)
{
    server_at_hand h;
    h.start();
    error_code second;
    h.s.async_run([&](error_code failed) { second = failed; });
    h.s.stop();
    h.context.run_for(patience);
    BOOST_TEST((second == errc::already_started));
    BOOST_TEST((h.ended == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(an_end_may_be_asked_for_again_and_hurried)
{
    running_server s;
    s.get().close();
    s.get().close();
    BOOST_TEST(!s.wait_end());
    s.get().stop();
    s.get().close();
}

BOOST_AUTO_TEST_CASE(a_server_and_its_sessions_may_go_with_a_context_that_no_longer_runs)
{
    server_at_hand h;
    h.start();
    socket_client client(h.directory / "socket");
    client.send(request(1, "wait", "[]"));
    while (h.s.connections() == 0)
        BOOST_REQUIRE(h.context.run_one_for(patience) == 1);
    h.context.poll();
}

BOOST_AUTO_TEST_CASE(a_server_that_never_ran_may_go)
{
    const server_at_hand h;
}

BOOST_AUTO_TEST_CASE(a_server_can_be_moved_while_it_runs)
{
    server_at_hand h;
    h.start();
    server moved(std::move(h.s));
    h.s = std::move(moved);
    BOOST_CHECK_THROW(moved.stop(), std::logic_error);
    BOOST_CHECK_THROW(moved.connections(), std::logic_error);
    h.context.poll();
    BOOST_TEST(!h.ended.has_value());
    h.s = server(h.context.get_executor(), server_methods());
    h.context.run_for(patience);
    BOOST_TEST((h.ended == asio::error::operation_aborted)); // the first one
}

BOOST_AUTO_TEST_CASE(misuse_throws)
{
    asio::io_context context;
    const std::shared_ptr<const partyline::method_table> none;
    BOOST_CHECK_THROW(server(context.get_executor(), none), std::invalid_argument);
    partyline::server_options no_room;
    no_room.max_connections = 0;
    BOOST_CHECK_THROW(server(context.get_executor(), server_methods(), no_room), std::invalid_argument);
    partyline::server_options stuck;
    stuck.session.bounds.outbox_hard_bytes = 1;
    BOOST_CHECK_THROW(server(context.get_executor(), server_methods(), stuck), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
