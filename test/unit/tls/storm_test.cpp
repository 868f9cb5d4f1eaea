// A peer that sends records of TLS's own, and no data.

#include "tls/context/client_core.hpp"
#include "tls/context/server_context_core.hpp"
#include "tls_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

constexpr std::size_t kibibyte = 1024;

// OpenSSL over memory as the peer, and a layer of ours at the other end of a socket.
struct storm_fixture : tls_fixture {
    asio::ssl::context foreign_server{asio::ssl::context::tls_server};
    unix_socket theirs{context};
    unix_socket ours{context};
    tls::ssl_pointer peer;
    std::unique_ptr<tls::layer> layer;
    std::string unsent; // what the peer has written, and the socket has had no room for

    storm_fixture()
    {
        foreign_server.use_certificate_chain_file(server_options.certificates.front().certificate_file);
        foreign_server.use_private_key_file(server_options.certificates.front().key_file, asio::ssl::context::pem);
        asio::local::connect_pair(theirs, ours);
        theirs.non_blocking(true);
    }

    void accept_client()
    {
        peer.reset(SSL_new(foreign_rules.native_handle()));
        SSL_set_connect_state(peer.get());
        layer = tls::server_context_core(server_options).make_layer(ours.native_handle(), {});
        shake();
    }
    void connect_to_server(int newest = TLS1_3_VERSION)
    {
        peer.reset(SSL_new(foreign_server.native_handle()));
        SSL_set_max_proto_version(peer.get(), newest);
        SSL_set_accept_state(peer.get());
        const auto core = std::make_shared<tls::client_core>(client_options);
        layer = core->make_layer(ours.native_handle(), "localhost");
        shake();
    }
    void shake()
    {
        SSL_set_bio(peer.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
        for (int i = 0; i < 10 && !(SSL_is_init_finished(peer.get()) && layer->is_established()); ++i) {
            layer->handshake();
            hear();
            SSL_do_handshake(peer.get());
            send();
        }
        BOOST_TEST_REQUIRE(layer->is_established());
        BOOST_TEST_REQUIRE(unsent.empty());
    }

    // What the peer has written goes to the socket, as far as there is room.
    void send()
    {
        char* text = nullptr;
        const long size = BIO_get_mem_data(SSL_get_wbio(peer.get()), &text);
        unsent.append(text, static_cast<std::size_t>(size));
        BIO_reset(SSL_get_wbio(peer.get()));
        error_code is_full;
        unsent.erase(0, theirs.write_some(asio::buffer(unsent), is_full));
    }
    void hear()
    {
        std::string heard(64 * kibibyte, '\0');
        error_code nothing;
        const std::size_t count = theirs.read_some(asio::buffer(heard), nothing);
        BIO_write(SSL_get_rbio(peer.get()), heard.data(), static_cast<int>(count));
    }
    void update_keys(int times, int type = SSL_KEY_UPDATE_NOT_REQUESTED)
    {
        for (int i = 0; i < times; ++i) {
            SSL_key_update(peer.get(), type);
            SSL_do_handshake(peer.get());
        }
        send();
    }
    void say(const std::string& text)
    {
        SSL_write(peer.get(), text.data(), static_cast<int>(text.size()));
        send();
    }

    std::string read(error_code& failed)
    {
        std::string text(64 * kibibyte, '\0');
        text.resize(layer->read_some(asio::buffer(text), failed));
        return text;
    }
    // Reads while nothing but `more` of the peer's records comes, and gives what that ends with.
    error_code end_of_storm(const std::function<void()>& more)
    {
        error_code failed;
        for (int turns = 0; turns < 100; ++turns) {
            more();
            read(failed);
            if (failed != asio::error::would_block)
                break;
        }
        return failed;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_storm, storm_fixture, *boost::unit_test::timeout(120))

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(a_storm_of_key_updates_ends_the_connection)
{
    accept_client();
    int sent = 0;
    const auto more = [&] { update_keys(sent++ < 100 ? 1000 : 0); };
    BOOST_TEST((end_of_storm(more) == errc::no_data));
    BOOST_TEST(sent < 10);
    error_code failed;
    read(failed);
    BOOST_TEST((failed == errc::no_data));
    layer->write_some(asio::buffer("late", 4), failed);
    BOOST_TEST((failed == errc::no_data));
    BOOST_TEST((layer->handshake() == errc::no_data));
}

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(a_read_leaves_the_rest_of_a_storm_for_a_later_one)
{
    accept_client();
    theirs.set_option(asio::socket_base::send_buffer_size(static_cast<int>(400 * kibibyte)));
    update_keys(4000);
    const std::size_t before = ours.available();
    BOOST_TEST_REQUIRE(before > 64 * kibibyte);
    error_code failed;
    read(failed);
    BOOST_TEST((failed == asio::error::would_block));
    BOOST_TEST((layer->read_needs() == detail::secure_layer::need::read));
    BOOST_TEST(ours.available() > before - 40 * kibibyte);
}

// Whoever reads until there is nothing more leaves that loop.
// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(a_read_is_bounded_also_where_a_little_data_is_among_them)
{
    accept_client();
    theirs.set_option(asio::socket_base::send_buffer_size(static_cast<int>(400 * kibibyte)));
    for (int i = 0; i < 200; ++i) {
        update_keys(20);
        say("x");
    }
    const std::size_t before = ours.available();
    error_code failed;
    BOOST_TEST(!read(failed).empty());
    BOOST_TEST(!failed);
    BOOST_TEST(ours.available() > before - 40 * kibibyte);
    BOOST_TEST(read(failed).empty());
    BOOST_TEST((failed == asio::error::would_block));
    BOOST_TEST(!read(failed).empty());
}

BOOST_AUTO_TEST_CASE(key_updates_between_data_are_none_of_it)
{
    accept_client();
    std::string heard;
    error_code failed;
    for (int i = 0; i < 10; ++i) {
        update_keys(500);
        say("x");
        while (heard.size() == static_cast<std::size_t>(i) && (!failed || failed == asio::error::would_block))
            heard += read(failed);
    }
    BOOST_TEST(heard == "xxxxxxxxxx");
}

BOOST_AUTO_TEST_CASE(key_updates_that_ask_for_others_end_the_connection_too)
{
    accept_client();
    const auto more = [this] {
        update_keys(500, SSL_KEY_UPDATE_REQUESTED);
        hear();
        char nothing = 0;
        SSL_read(peer.get(), &nothing, 1); // the answers
    };
    BOOST_TEST((end_of_storm(more) == errc::no_data));
}

BOOST_AUTO_TEST_CASE(a_server_may_send_a_hundred_tickets)
{
    connect_to_server();
    for (int i = 0; i < 100; ++i) {
        SSL_new_session_ticket(peer.get());
        SSL_do_handshake(peer.get());
    }
    say("behind them");
    error_code failed = asio::error::would_block;
    std::string heard;
    while (heard.empty() && failed == asio::error::would_block)
        heard = read(failed);
    BOOST_TEST(heard == "behind them");
}

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(a_storm_of_tickets_ends_a_client)
{
    connect_to_server();
    const auto more = [this] {
        for (int i = 0; i < 20; ++i) {
            SSL_new_session_ticket(peer.get());
            SSL_do_handshake(peer.get());
        }
        send();
    };
    BOOST_TEST((end_of_storm(more) == errc::no_data));
}

BOOST_AUTO_TEST_CASE(a_storm_of_offers_to_renegotiate_ends_a_client)
{
    connect_to_server(TLS1_2_VERSION);
    const auto more = [this] {
        for (int i = 0; i < 100; ++i) {
            SSL_renegotiate(peer.get());
            SSL_do_handshake(peer.get());
        }
        send();
    };
    BOOST_TEST((end_of_storm(more) == errc::no_data));
}

// RFC 5246 §7.4.1.1: a client in a handshake ignores them.
// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(a_handshake_leaves_the_rest_of_a_storm_for_a_later_turn)
{
    const auto core = std::make_shared<tls::client_core>(client_options);
    layer = core->make_layer(ours.native_handle(), "localhost");
    theirs.set_option(asio::socket_base::send_buffer_size(static_cast<int>(400 * kibibyte)));
    for (int i = 0; i < 10000; ++i)
        unsent += std::string("\x16\x03\x03\0\x04\0\0\0\0", 9);
    error_code is_full;
    theirs.write_some(asio::buffer(unsent), is_full);
    const std::size_t before = ours.available();
    BOOST_TEST_REQUIRE(before > 64 * kibibyte);
    BOOST_TEST((layer->handshake() == asio::error::would_block));
    BOOST_TEST(ours.available() > before - 40 * kibibyte);
}

// What the socket holds is no news by then: whoever waits must come again all the same.
BOOST_AUTO_TEST_CASE(a_stream_goes_on_behind_what_it_has_left)
{
    auto client = make_foreign_client();
    handshake_outcome server_side;
    tls_fixture::shake(*client, server_side);
    for (int i = 0; i < 1000; ++i) {
        SSL_key_update(client->native(), SSL_KEY_UPDATE_NOT_REQUESTED);
        SSL_do_handshake(client->native());
    }
    asio::async_write(client->stream, asio::buffer("behind them", 11), [](error_code, std::size_t) {});
    error_code failed;
    BOOST_TEST(read_line(*server_side.stream, failed) == "behind them");
}

BOOST_AUTO_TEST_SUITE_END()
