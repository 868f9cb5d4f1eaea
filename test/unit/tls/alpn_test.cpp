// Which protocol both sides go on with.

#include "tls_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

#include <openssl/err.h>

using namespace partyline;
using namespace partyline::test;

namespace {

struct alpn_fixture : tls_fixture {
    handshake_outcome server_side;
    handshake_outcome client_side;

    // Our client and our server; what the client says of it.
    std::string connected_to(const std::string& host)
    {
        connect(host, client_side, server_side);
        return client_side.failed->message();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_alpn, alpn_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_protocol_that_both_speak_is_agreed_on)
{
    const auto client = make_foreign_client();
    const unsigned char offered[] = "\x02h2\x08http/1.1";
    SSL_set_alpn_protos(client->native(), offered, sizeof offered - 1);
    shake(*client, server_side);
    BOOST_TEST(client->alpn() == "http/1.1");
    BOOST_TEST(server_side.stream->alpn() == "http/1.1");
}

BOOST_AUTO_TEST_CASE(so_it_is_by_our_client)
{
    client_options.alpn = {"spdy/3", "http/1.1"};
    BOOST_TEST(connected_to("localhost") == "Success");
    BOOST_TEST(client_side.stream->alpn() == "http/1.1");
}

BOOST_AUTO_TEST_CASE(of_several_the_server_has_its_favourite)
{
    server_options.alpn = {"first", "http/1.1"};
    client_options.alpn = {"http/1.1", "first"};
    BOOST_TEST(connected_to("localhost") == "Success");
    BOOST_TEST(client_side.stream->alpn() == "first");
}

BOOST_AUTO_TEST_CASE(a_client_that_offers_none_is_served)
{
    BOOST_TEST(connected_to("localhost") == "Success");
    BOOST_TEST(client_side.stream->alpn().empty());
    BOOST_TEST(server_side.stream->alpn().empty());
}

BOOST_AUTO_TEST_CASE(a_client_that_offers_only_others_is_told_so)
{
    client_options.alpn = {"h2"};
    BOOST_TEST(connected_to("localhost") == "TLS: tlsv1 alert no application protocol");
    BOOST_TEST(server_side.failed->message() == "TLS: no application protocol");
    BOOST_TEST(ERR_GET_REASON(static_cast<unsigned long>(server_side.failed->value())) ==
               SSL_R_NO_APPLICATION_PROTOCOL);
}

BOOST_AUTO_TEST_CASE(a_server_without_protocols_does_not_look_at_them)
{
    server_options.alpn.clear();
    client_options.alpn = {"h2"};
    BOOST_TEST(connected_to("localhost") == "Success");
    BOOST_TEST(client_side.stream->alpn().empty());
}

BOOST_AUTO_TEST_CASE(a_name_for_a_protocol_has_its_length_in_a_byte)
{
    client_options.alpn = {""};
    BOOST_CHECK_THROW(client(), std::invalid_argument);
    server_options.alpn = {std::string(256, 'x')};
    BOOST_CHECK_THROW(tls::server_context{server_options}, std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
