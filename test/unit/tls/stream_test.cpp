// What comes over a stream, in whatever pieces.

#include "stream_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

BOOST_FIXTURE_TEST_SUITE(tls_stream, stream_fixture, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_record_of_one_byte_is_a_byte)
{
    shake();
    client->stream.lowest_layer().non_blocking(true);
    for (const char c : std::string("every byte by itself")) {
        say(std::string(1, c));
        error_code failed;
        BOOST_TEST(read_line(ours(), failed) == std::string(1, c));
    }
}

BOOST_AUTO_TEST_CASE(many_records_of_one_byte_are_read_one_after_the_other)
{
    shake();
    const std::string text(100, 'x'); // a Unix socket has room for few more
    for (const char c : text)
        say(std::string(1, c));
    std::string heard(text.size(), '\0');
    std::optional<error_code> failed;
    asio::async_read(ours(), asio::buffer(heard), [&](error_code result, std::size_t) { failed = result; });
    BOOST_TEST(run_until([&] { return failed.has_value(); }));
    BOOST_TEST(heard == text);
}

BOOST_AUTO_TEST_CASE(all_records_that_have_come_are_read_at_once)
{
    shake();
    for (const char c : std::string("abc"))
        say(std::string(1, c));
    error_code failed;
    char room[2];
    BOOST_TEST(ours().read_some(asio::buffer(room), failed) == 2u);
    BOOST_TEST(ours().read_some(asio::buffer(room), failed) == 1u);
    say("d");
    client->stream.next_layer().shutdown(asio::socket_base::shutdown_send);
    BOOST_TEST(ours().read_some(asio::buffer(room), failed) == 1u);
    BOOST_TEST(!failed);
    BOOST_TEST((end_of_input() == errc::stream_truncated));
}

BOOST_AUTO_TEST_CASE(an_empty_read_or_write_is_over_at_once)
{
    shake();
    error_code failed = asio::error::eof;
    BOOST_TEST(ours().read_some({}, failed) == 0u);
    BOOST_TEST(!failed);
    BOOST_TEST(ours().write_some(asio::const_buffer(), failed) == 0u);
    BOOST_TEST(!failed);
    int told = 0;
    ours().async_read_some(asio::mutable_buffer(), [&](error_code result, std::size_t) { told += result ? 0 : 1; });
    ours().async_write_some(asio::const_buffer(), [&](error_code result, std::size_t) { told += result ? 0 : 1; });
    BOOST_TEST(run_until([&] { return told == 2; }));
}

BOOST_AUTO_TEST_CASE(nothing_to_read_would_block)
{
    shake();
    error_code failed;
    char byte;
    BOOST_TEST(ours().read_some(asio::buffer(&byte, 1), failed) == 0u);
    BOOST_TEST((failed == asio::error::would_block));
    bool is_ready = false;
    ours().async_wait(tls::stream::wait_read, [&](error_code result) { is_ready = !result; });
    context.poll();
    BOOST_TEST(!is_ready);
    say("xy");
    BOOST_TEST(run_until([&] { return is_ready; }));
    BOOST_TEST(ours().read_some(asio::buffer(&byte, 1), failed) == 1u);
    is_ready = false;
    ours().async_wait(tls::stream::wait_read, [&](error_code result) { is_ready = !result; });
    BOOST_TEST(run_until([&] { return is_ready; })); // the rest is here already
}

BOOST_AUTO_TEST_CASE(a_part_of_a_record_is_waited_for_in_peace)
{
    shake();
    const unsigned char begun[] = {23, 3, 3, 0};
    asio::write(client->stream.next_layer(), asio::buffer(begun));
    bool is_told = false;
    std::string room(10, '\0');
    ours().async_read_some(asio::buffer(room), [&](error_code, std::size_t) { is_told = true; });
    context.restart();
    BOOST_TEST(context.poll() < 10u); // it does not turn round and round
    BOOST_TEST(!is_told);
    ours().close();
    BOOST_TEST(run_until([&] { return is_told; }));
}

BOOST_AUTO_TEST_CASE(a_write_that_has_no_room_goes_on_when_there_is_some)
{
    shake();
    const std::string text(4 << 20, 'x');
    bool is_said = false;
    asio::async_write(ours(), asio::buffer(text), [&](error_code failed, std::size_t) { is_said = !failed; });
    context.poll();
    BOOST_TEST(!is_said);
    BOOST_TEST(hear(text.size()) == text);
    BOOST_TEST(run_until([&] { return is_said; }));
}

BOOST_AUTO_TEST_CASE(a_write_that_has_no_room_goes_on_from_elsewhere)
{
    shake();
    const std::string text(1 << 20, 'x');
    error_code failed;
    std::size_t sent = 0;
    while (!failed)
        sent += ours().write_some(asio::buffer(text), failed);
    BOOST_TEST((failed == asio::error::would_block));
    const std::string same = text; // elsewhere
    std::optional<std::size_t> more;
    asio::async_write(ours(), asio::buffer(same), [&](error_code, std::size_t count) { more = count; });
    BOOST_TEST(hear(sent + same.size()) == std::string(sent + same.size(), 'x'));
    BOOST_TEST(run_until([&] { return more.has_value(); }));
}

BOOST_AUTO_TEST_CASE(an_error_that_is_waited_for_is_one_of_the_socket)
{
    shake();
    std::optional<error_code> failed;
    ours().async_wait(tls::stream::wait_error, [&](error_code result) { failed = result; });
    say("nothing wrong so far");
    BOOST_TEST(!failed.has_value());
    client->stream.next_layer().close();
    BOOST_TEST(run_until([&] { return failed.has_value(); }));
    BOOST_TEST(!*failed);
}

BOOST_AUTO_TEST_CASE(a_read_that_is_cancelled_has_read_nothing)
{
    shake();
    for (const auto type : {asio::cancellation_type::terminal, asio::cancellation_type::total}) {
        asio::cancellation_signal signal;
        std::optional<error_code> failed;
        std::string room(10, '\0');
        ours().async_read_some(
            asio::buffer(room),
            asio::bind_cancellation_slot(signal.slot(), [&](error_code result, std::size_t) { failed = result; }));
        context.poll();
        signal.emit(type);
        BOOST_TEST(run_until([&] { return failed.has_value(); }));
        BOOST_TEST((failed == asio::error::operation_aborted));
    }
    say("and then");
    error_code failed;
    BOOST_TEST(read_line(ours(), failed) == "and then");
}

BOOST_AUTO_TEST_SUITE_END()
