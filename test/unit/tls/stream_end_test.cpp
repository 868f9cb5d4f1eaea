// How a stream ends, by whomever.

#include "stream_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

BOOST_FIXTURE_TEST_SUITE(tls_stream_end, stream_fixture, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(the_end_that_tls_has_is_the_end)
{
    shake();
    say("last words");
    client->stream.async_shutdown([](error_code) {});
    BOOST_TEST((end_of_input() == asio::error::eof));
    BOOST_TEST((end_of_input() == asio::error::eof));
}

BOOST_AUTO_TEST_CASE(the_end_of_the_connection_alone_is_not)
{
    shake();
    say("last words");
    client->stream.next_layer().shutdown(asio::socket_base::shutdown_send);
    BOOST_TEST((end_of_input() == errc::stream_truncated));
    BOOST_TEST((end_of_input() == errc::stream_truncated));
}

// A system tells of a reset once, here while a record is awaited that has begun to come behind the others.
BOOST_AUTO_TEST_CASE(a_reset_is_told_behind_what_has_come_before)
{
    shake();
    say("last words");
    asio::write(client->stream.next_layer(), asio::buffer("\x17\x03\x03", 3));
    error_code failed;
    ours().write_some(asio::buffer("never read", 10), failed);
    client->stream.next_layer().close();
    BOOST_TEST(read_line(ours(), failed) == "last words");
    BOOST_TEST(!failed);
    BOOST_TEST((end_of_input() == asio::error::connection_reset));
    BOOST_TEST((end_of_input() == asio::error::connection_reset));
}

BOOST_AUTO_TEST_CASE(who_still_reads_then_is_still_told)
{
    shake();
    client->stream.next_layer().shutdown(asio::socket_base::shutdown_send);
    BOOST_TEST((end_of_input() == errc::stream_truncated));
    error_code failed;
    BOOST_TEST(ours().write_some(asio::buffer("good bye", 8), failed) == 8u);
    ours().shutdown(tls::stream::shutdown_send, failed);
    BOOST_TEST(!failed);
    BOOST_TEST(hear(8) == "good bye");
    BOOST_TEST(hear(1) == "End of file"); // not a stream that was cut off
}

BOOST_AUTO_TEST_CASE(our_end_is_told_and_we_still_hear)
{
    shake();
    error_code failed;
    ours().shutdown(tls::stream::shutdown_send, failed);
    BOOST_TEST(!failed);
    BOOST_TEST(hear(1) == "End of file");
    say("I have more");
    BOOST_TEST(read_line(ours(), failed) == "I have more");
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_closed_is_cut_off_for_its_peer)
{
    shake();
    ours().close();
    BOOST_TEST(!ours().is_open());
    BOOST_TEST(hear(1) == "stream truncated");
    error_code failed;
    read_line(ours(), failed);
    BOOST_TEST((failed == asio::error::bad_descriptor));
    BOOST_TEST(!ours().native_handle());
    BOOST_TEST(ours().peer_subject().empty());
    BOOST_TEST(ours().alpn().empty());
}

BOOST_AUTO_TEST_CASE(a_record_that_was_changed_on_the_way_ends_it)
{
    shake();
    const unsigned char forged[] = {23, 3,  3,  0,  20, 1,  2,  3,  4,  5,  6,  7, 8,
                                    9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    asio::write(client->stream.next_layer(), asio::buffer(forged));
    const error_code failed = end_of_input();
    BOOST_TEST((failed.category() == tls::openssl_category()));
    BOOST_TEST(end_of_input() == failed);
    error_code not_written;
    BOOST_TEST(ours().write_some(asio::buffer("x", 1), not_written) == 0u);
    BOOST_TEST(not_written == failed);
    ours().shutdown(tls::stream::shutdown_send, not_written);
    BOOST_TEST(hear(1).find("bad record mac") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_is_renegotiated)
{
    SSL_set_max_proto_version(client->native(), TLS1_2_VERSION);
    shake();
    SSL_renegotiate(client->native());
    std::optional<error_code> failed;
    char byte;
    ours().async_read_some(asio::buffer(&byte, 1), [&](error_code result, std::size_t) { failed = result; });
    std::optional<error_code> refused;
    client->stream.async_handshake(asio::ssl::stream_base::client, [&](error_code result) { refused = result; });
    BOOST_TEST(run_until([&] { return refused || failed; }));
    BOOST_TEST_REQUIRE(refused.has_value());
    BOOST_TEST(refused->message().find("no renegotiation") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_peer_that_has_gone_raises_no_signal)
{
    shake();
    client.reset();
    error_code failed;
    for (int i = 0; i < 3; ++i)
        ours().write_some(asio::buffer("x", 1), failed);
    BOOST_TEST((failed == asio::error::broken_pipe || failed == asio::error::connection_reset));
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_destroyed_ends_what_waits)
{
    shake();
    std::optional<error_code> failed;
    std::string room(10, '\0');
    ours().async_read_some(asio::buffer(room), [&](error_code result, std::size_t) { failed = result; });
    context.poll();
    server_side.stream.reset();
    BOOST_TEST(run_until([&] { return failed.has_value(); }));
    BOOST_TEST((failed == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(also_where_something_has_come_that_was_to_be_read)
{
    shake();
    say("never heard");
    std::optional<error_code> failed;
    ours().async_wait(tls::stream::wait_read, [&](error_code result) { failed = result; });
    server_side.stream.reset();
    BOOST_TEST(run_until([&] { return failed.has_value(); }));
}

// Its handler has an executor that is busy. What comes is too little to be read, so it would wait again, and nobody
// would end that.
BOOST_AUTO_TEST_CASE(what_ends_a_read_whose_wait_is_over_already)
{
    shake();
    asio::io_context elsewhere(1);
    asio::cancellation_signal signal;
    const std::function<void()> ways[] = {[&] { signal.emit(asio::cancellation_type::terminal); },
                                          [&] { ours().close(); }};
    for (const auto& end : ways) {
        std::optional<error_code> failed;
        char byte;
        const auto note = [&](error_code result, std::size_t) { failed = result; };
        ours().async_read_some(asio::buffer(&byte, 1),
                               asio::bind_cancellation_slot(signal.slot(), asio::bind_executor(elsewhere, note)));
        asio::write(client->stream.next_layer(), asio::buffer("\x17", 1));
        context.restart();
        context.poll();
        end();
        elsewhere.restart();
        elsewhere.poll();
        BOOST_TEST((failed == asio::error::operation_aborted));
    }
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_connection_says_so)
{
    tls::stream none(context.get_executor());
    error_code failed;
    BOOST_TEST(none.read_some({}, failed) == 0u);
    BOOST_TEST(!none.is_open());
    read_line(none, failed);
    BOOST_TEST((failed == asio::error::bad_descriptor));
    tls::stream& same = none;
    none = std::move(same); // as any handle
}

BOOST_AUTO_TEST_SUITE_END()
