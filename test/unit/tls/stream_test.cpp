// What comes over the wire, in whatever pieces, and how it ends.

#include "tls/context/server_core.hpp"
#include "tls_play.hpp"
#include "transport/socket/socket_channel.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

struct stream_fixture : tls_play {
    handshake_outcome server_side;
    std::unique_ptr<foreign_client> client = make_foreign_client();

    tls::stream& ours() { return *server_side.stream; }
    void shake() { tls_play::shake(*client, server_side); }

    void say(const std::string& text)
    {
        bool is_said = false;
        asio::async_write(client->stream, asio::buffer(text), [&](error_code, std::size_t) { is_said = true; });
        BOOST_TEST_REQUIRE(run_until([&] { return is_said; }));
    }
    std::string hear(std::size_t size)
    {
        std::string text(size, '\0');
        std::optional<error_code> failed;
        asio::async_read(client->stream, asio::buffer(text), [&](error_code result, std::size_t) { failed = result; });
        BOOST_TEST_REQUIRE(run_until([&] { return failed.has_value(); }));
        return *failed ? failed->message() : text;
    }
    // What reading fails with.
    error_code end_of_input()
    {
        error_code failed;
        while (!failed)
            read_line(ours(), failed);
        return failed;
    }
};

// Lets a client begin a handshake and gives what it sends first.
std::string client_hello(SSL& client)
{
    SSL_set_bio(&client, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(&client);
    SSL_do_handshake(&client);
    char* text = nullptr;
    const long size = BIO_get_mem_data(SSL_get_wbio(&client), &text);
    return std::string(text, static_cast<std::size_t>(size));
}

// Gives it what its server has said, and what it says then.
std::string answered(SSL& client, unix_socket& from)
{
    std::string heard(65536, '\0');
    from.non_blocking(true);
    error_code nothing;
    const std::size_t count = from.read_some(asio::buffer(heard), nothing);
    BIO_write(SSL_get_rbio(&client), heard.data(), static_cast<int>(count));
    BIO_reset(SSL_get_wbio(&client));
    SSL_do_handshake(&client);
    char* text = nullptr;
    const long size = BIO_get_mem_data(SSL_get_wbio(&client), &text);
    return std::string(text, static_cast<std::size_t>(size));
}

} // namespace

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

BOOST_AUTO_TEST_CASE(what_has_been_read_before_comes_first_wherever_it_is_cut)
{
    tls::server_core core(server_options);
    const tls::ssl_pointer example(SSL_new(foreign_rules.native_handle()));
    const std::size_t size = client_hello(*example).size();
    for (std::size_t cut = 0; cut <= size; ++cut) {
        unix_socket theirs(context);
        unix_socket accepted(context);
        asio::local::connect_pair(theirs, accepted);
        const tls::ssl_pointer hello_client(SSL_new(foreign_rules.native_handle()));
        const std::string hello = client_hello(*hello_client);
        const auto layer = core.accept(accepted.native_handle(), hello.substr(0, cut));
        if (cut != hello.size()) {
            BOOST_TEST((layer->handshake() == asio::error::would_block));
            BOOST_TEST((layer->read_needs() == detail::secure_layer::need::read));
            asio::write(theirs, asio::buffer(hello.substr(cut)));
        } else {
            BOOST_TEST(layer->has_pending());
        }
        BOOST_TEST((layer->handshake() == asio::error::would_block));
        char answer = 0;
        asio::read(theirs, asio::buffer(&answer, 1));
        BOOST_TEST(answer == 22); // a handshake record: ServerHello
    }
}

BOOST_AUTO_TEST_CASE(a_handshake_may_come_byte_by_byte)
{
    tls::server_core core(server_options);
    unix_socket theirs(context);
    unix_socket accepted(context);
    asio::local::connect_pair(theirs, accepted);
    const auto layer = core.accept(accepted.native_handle(), {});
    const tls::ssl_pointer asking(SSL_new(foreign_rules.native_handle()));
    for (std::string said = client_hello(*asking); !said.empty(); said = answered(*asking, theirs))
        for (const char byte : said) {
            BOOST_TEST(!layer->is_established());
            asio::write(theirs, asio::buffer(&byte, 1));
            layer->handshake();
        }
    BOOST_TEST(layer->is_established());
}

BOOST_AUTO_TEST_CASE(a_handshake_waits_for_room_to_answer)
{
    using need = detail::secure_layer::need;
    tls::server_core core(server_options);
    unix_socket theirs(context);
    unix_socket accepted(context);
    asio::local::connect_pair(theirs, accepted);
    accepted.non_blocking(true);
    error_code is_full;
    std::size_t filled = 0;
    while (!is_full)
        filled += accepted.write_some(asio::buffer(std::string(4096, 'x')), is_full);
    const tls::ssl_pointer asking(SSL_new(foreign_rules.native_handle()));
    const auto layer = core.accept(accepted.native_handle(), client_hello(*asking));
    BOOST_TEST((layer->handshake() == asio::error::would_block));
    BOOST_TEST((layer->read_needs() == need::write));
    BOOST_TEST((layer->write_needs() == need::write));
    BOOST_TEST(!layer->has_pending());
    std::string junk(filled, '\0');
    asio::read(theirs, asio::buffer(junk));
    BOOST_TEST((layer->handshake() == asio::error::would_block));
    BOOST_TEST((layer->read_needs() == need::read));
    asio::write(theirs, asio::buffer(answered(*asking, theirs)));
    BOOST_TEST(!layer->handshake());
}

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
    client->stream.async_handshake(asio::ssl::stream_base::client, [](error_code) {});
    std::optional<error_code> failed;
    char byte;
    ours().async_read_some(asio::buffer(&byte, 1), [&](error_code result, std::size_t) { failed = result; });
    std::optional<error_code> refused;
    client->stream.async_handshake(asio::ssl::stream_base::client, [&](error_code result) { refused = result; });
    BOOST_TEST(run_until([&] { return refused || failed; }));
    BOOST_TEST_REQUIRE(refused.has_value());
    BOOST_TEST(refused->message().find("no renegotiation") != std::string::npos);
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

BOOST_AUTO_TEST_CASE(a_peer_that_has_gone_raises_no_signal)
{
    shake();
    client.reset();
    error_code failed;
    for (int i = 0; i < 3; ++i)
        ours().write_some(asio::buffer("x", 1), failed);
    BOOST_TEST((failed == asio::error::broken_pipe || failed == asio::error::connection_reset));
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

BOOST_AUTO_TEST_CASE(a_stream_without_a_connection_says_so)
{
    tls::stream none(context.get_executor());
    error_code failed;
    BOOST_TEST(none.read_some({}, failed) == 0u);
    BOOST_TEST(!none.is_open());
    read_line(none, failed);
    BOOST_TEST((failed == asio::error::bad_descriptor));
    none = std::move(none); // as any handle
}

BOOST_AUTO_TEST_SUITE_END()
