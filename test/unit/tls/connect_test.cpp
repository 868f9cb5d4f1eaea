// Handshakes that never come to their end.

#include "tls_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

struct pair_fixture : tls_fixture {
    unix_socket theirs{context};
    unix_socket accepted{context};
    handshake_outcome ours;

    pair_fixture() { asio::local::connect_pair(theirs, accepted); }

    error_code wait()
    {
        BOOST_TEST_REQUIRE(run_until([&] { return ours.failed.has_value(); }));
        BOOST_TEST(!ours.stream->is_open());
        return *ours.failed;
    }
    error_code accept_what_says(const std::string& text)
    {
        asio::write(theirs, asio::buffer(text));
        tls::async_accept(std::move(accepted), server(), ours.noting());
        return wait();
    }
};

const asio::cancellation_type kinds[] = {asio::cancellation_type::terminal, asio::cancellation_type::partial,
                                         asio::cancellation_type::total};

} // namespace

namespace boost::asio {
static std::ostream& boost_test_print_type(std::ostream& out, cancellation_type kind)
{
    return out << static_cast<unsigned>(kind);
}
} // namespace boost::asio

BOOST_AUTO_TEST_SUITE(tls_connect, *boost::unit_test::timeout(120))

BOOST_FIXTURE_TEST_CASE(what_is_no_tls_is_told_apart, pair_fixture)
{
    BOOST_TEST(accept_what_says("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").message() == "TLS: http request");
}

BOOST_FIXTURE_TEST_CASE(garbage_is_refused, pair_fixture)
{
    BOOST_TEST(accept_what_says(std::string(64, '\xAA')).message() == "TLS: wrong version number");
}

BOOST_FIXTURE_TEST_CASE(so_is_a_hello_that_makes_no_sense, pair_fixture)
{
    const error_code failed = accept_what_says(std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\xFF", 10));
    BOOST_TEST((failed.category() == tls::openssl_category()));
}

BOOST_FIXTURE_TEST_CASE(a_client_that_goes_has_cut_it_off, pair_fixture)
{
    theirs.close();
    tls::async_accept(std::move(accepted), server(), ours.noting());
    BOOST_TEST((wait() == errc::stream_truncated));
}

BOOST_FIXTURE_TEST_CASE(a_client_that_says_nothing_is_not_waited_for, pair_fixture)
{
    server_options.handshake_timeout = 10ms;
    tls::async_accept(std::move(accepted), server(), ours.noting());
    BOOST_TEST((wait() == asio::error::timed_out));
}

BOOST_FIXTURE_TEST_CASE(nor_is_a_server, tls_fixture)
{
    handshake_outcome ours;
    client_options.handshake_timeout = 10ms;
    tls::async_connect(context.get_executor(), "127.0.0.1", port(), client(), ours.noting());
    BOOST_TEST_REQUIRE(run_until([&] { return ours.failed.has_value(); }));
    BOOST_TEST((ours.failed == asio::error::timed_out));
    BOOST_TEST(!ours.stream->is_open());
    BOOST_TEST(context.poll() == 0u);
}

BOOST_FIXTURE_TEST_CASE(the_time_of_a_handshake_ends_with_it, pair_fixture)
{
    server_options.handshake_timeout = 1h;
    foreign_client client(std::move(theirs), foreign_rules);
    tls::async_accept(std::move(accepted), server(), ours.noting());
    client.stream.async_handshake(asio::ssl::stream_base::client, [&](error_code failed) { client.failed = failed; });
    BOOST_TEST(run_until([&] { return client.failed && ours.failed; }));
    context.restart();
    context.run_for(5s);
    BOOST_TEST(context.stopped()); // no timer is left
}

BOOST_FIXTURE_TEST_CASE(where_nobody_listens_nobody_is_connected_to, tls_fixture)
{
    const std::uint16_t gone = port();
    acceptor.close();
    handshake_outcome ours;
    tls::async_connect(context.get_executor(), "127.0.0.1", gone, client(), ours.noting());
    BOOST_TEST_REQUIRE(run_until([&] { return ours.failed.has_value(); }));
    BOOST_TEST((ours.failed == asio::error::connection_refused));
}

BOOST_DATA_TEST_CASE_F(pair_fixture, accepting_can_be_cancelled_at_any_point, kinds, kind)
{
    for (std::size_t steps = 0; steps < 100; ++steps) {
        theirs = unix_socket(context);
        accepted = unix_socket(context);
        asio::local::connect_pair(theirs, accepted);
        foreign_client client(std::move(theirs), foreign_rules);
        handshake_outcome accepting;
        asio::cancellation_signal signal;
        tls::async_accept(std::move(accepted), server(),
                          asio::bind_cancellation_slot(signal.slot(), accepting.noting()));
        client.stream.async_handshake(asio::ssl::stream_base::client,
                                      [&](error_code failed) { client.failed = failed; });
        context.restart();
        for (std::size_t i = 0; i < steps; ++i)
            context.poll_one();
        const bool was_over = accepting.failed.has_value();
        signal.emit(kind);
        BOOST_TEST_REQUIRE(run_until([&] { return accepting.failed && client.failed; }));
        if (*accepting.failed)
            BOOST_TEST((accepting.failed == asio::error::operation_aborted));
        BOOST_TEST(accepting.stream->is_open() == !*accepting.failed);
        if (was_over)
            return;
    }
    BOOST_ERROR("a handshake has no end");
}

BOOST_DATA_TEST_CASE_F(tls_fixture, connecting_can_be_cancelled_at_any_point, kinds, kind)
{
    for (std::size_t steps = 0; steps < 200; ++steps) {
        handshake_outcome connecting;
        handshake_outcome accepting;
        asio::cancellation_signal signal;
        acceptor =
            tcp::acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)); // whom nobody has come to
        acceptor.async_accept([&](error_code failed, tcp::socket socket) {
            if (!failed)
                tls::async_accept(std::move(socket), server(), accepting.noting());
            else
                accepting.failed = failed;
        });
        tls::async_connect(context.get_executor(), "127.0.0.1", port(), client(),
                           asio::bind_cancellation_slot(signal.slot(), connecting.noting()));
        context.restart();
        for (std::size_t i = 0; i < steps; ++i)
            context.poll_one();
        const bool was_over = connecting.failed.has_value();
        signal.emit(kind);
        BOOST_TEST_REQUIRE(run_until([&] { return connecting.failed.has_value(); }));
        if (*connecting.failed)
            BOOST_TEST((connecting.failed == asio::error::operation_aborted));
        BOOST_TEST(connecting.stream->is_open() == !*connecting.failed);
        acceptor.cancel();
        BOOST_TEST_REQUIRE(run_until([&] { return accepting.failed.has_value(); }));
        if (was_over)
            return;
    }
    BOOST_ERROR("a handshake has no end");
}

BOOST_AUTO_TEST_SUITE_END()
