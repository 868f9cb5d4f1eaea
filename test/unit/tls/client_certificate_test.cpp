// Who a client is.

#include "tls_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline;
using namespace partyline::test;

namespace {

struct client_certificate_fixture : tls_fixture {
    handshake_outcome server_side;
    handshake_outcome client_side;

    client_certificate_fixture() { server_options.client_ca_file = files.trusted_ca(); }

    void be(const certificate_text& text)
    {
        const tls::certificate_files made = files.make("client", text);
        client_options.certificate_file = made.certificate_file;
        client_options.key_file = made.key_file;
    }

    void speak(int version)
    {
        server_options.adjust = [version](SSL_CTX& rules) { SSL_CTX_set_max_proto_version(&rules, version); };
    }

    // What the server says of the client.
    std::string client_outcome()
    {
        connect("localhost", client_side, server_side);
        return server_side.failed->message();
    }

    // What the client hears of that, which with TLS 1.3 comes after its handshake.
    std::string told()
    {
        error_code failed = *client_side.failed;
        if (!failed)
            read_line(*client_side.stream, failed);
        return failed.message();
    }
};

const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};

} // namespace

BOOST_AUTO_TEST_SUITE(tls_client_certificate, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE_F(client_certificate_fixture, a_client_is_known_by_its_certificate, versions, version)
{
    speak(version);
    be({.common_name = "alice, the first"});
    BOOST_TEST(client_outcome() == "Success");
    BOOST_TEST(server_side.stream->peer_subject() == "CN=alice\\, the first");
}

BOOST_DATA_TEST_CASE_F(client_certificate_fixture, one_without_is_refused, versions, version)
{
    speak(version);
    BOOST_TEST(client_outcome() == "TLS: peer did not return a certificate");
    BOOST_TEST(told() == (version == TLS1_2_VERSION ? "TLS: sslv3 alert handshake failure"
                                                    : "TLS: tlsv13 alert certificate required"));
}

BOOST_DATA_TEST_CASE_F(client_certificate_fixture, unless_it_is_optional, versions, version)
{
    speak(version);
    server_options.clients = tls::client_certificates::optional;
    BOOST_TEST(client_outcome() == "Success");
    BOOST_TEST(server_side.stream->peer_subject().empty());
}

BOOST_DATA_TEST_CASE_F(client_certificate_fixture, a_bad_one_is_refused_even_where_none_is_needed, versions, version)
{
    speak(version);
    server_options.clients = tls::client_certificates::optional;
    be({.common_name = "mallory", .signed_by = signer::itself});
    BOOST_TEST(client_outcome() == "the peer's certificate was not accepted: self-signed certificate");
}

BOOST_DATA_TEST_CASE_F(client_certificate_fixture, one_of_an_unknown_authority_is_refused, versions, version)
{
    speak(version);
    be({.common_name = "mallory", .signed_by = signer::unknown});
    BOOST_TEST(client_outcome() == "the peer's certificate was not accepted: unable to get local issuer certificate");
    BOOST_TEST(told() == "TLS: tlsv1 alert unknown ca");
}

BOOST_DATA_TEST_CASE_F(client_certificate_fixture, one_that_is_over_is_refused, versions, version)
{
    speak(version);
    be({.common_name = "alice", .valid = validity::over});
    BOOST_TEST(client_outcome() == "the peer's certificate was not accepted: certificate has expired");
    BOOST_TEST(told() == "TLS: sslv3 alert certificate expired");
}

BOOST_FIXTURE_TEST_CASE(a_certificate_and_its_key_come_together, client_certificate_fixture)
{
    be({.common_name = "alice"});
    client_options.key_file.clear();
    BOOST_CHECK_THROW(client(), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
