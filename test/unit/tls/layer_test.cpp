// What a layer reads and waits for while it shakes hands.

#include "tls/context/server_context_core.hpp"
#include "tls/engine/openssl.hpp"
#include "tls_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

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

BOOST_FIXTURE_TEST_SUITE(tls_layer, tls_fixture, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(what_has_been_read_before_comes_first_wherever_it_is_cut)
{
    tls::server_context_core core(server_options);
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
    tls::server_context_core core(server_options);
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
    tls::server_context_core core(server_options);
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

BOOST_AUTO_TEST_SUITE_END()
