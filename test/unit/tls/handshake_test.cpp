// What both sides ask of each other before anything is said.

#include "tls/context/client_core.hpp"
#include "tls/context/server_context_core.hpp"
#include "tls_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

#include <openssl/err.h>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

struct handshake_fixture : tls_fixture {
    handshake_outcome server_side;
    handshake_outcome client_side;

    // Our client and our server; what the client says of it.
    std::string connected_to(const std::string& host)
    {
        connect(host, client_side, server_side);
        return client_side.failed->message();
    }

    // A foreign client that speaks these versions; what it says of it.
    std::string shaken_with(int oldest, int newest)
    {
        const auto client = make_foreign_client();
        SSL_set_min_proto_version(client->native(), oldest);
        SSL_set_max_proto_version(client->native(), newest);
        SSL_set_security_level(client->native(), 0); // 1.1 is below every other
        shake(*client, server_side);
        return *client->failed ? client->failed->message() : SSL_get_version(client->native());
    }
};

int reason_of(error_code failed)
{
    return ERR_GET_REASON(static_cast<unsigned long>(failed.value()));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_handshake, handshake_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(both_versions_are_spoken)
{
    BOOST_TEST(shaken_with(TLS1_2_VERSION, TLS1_2_VERSION) == "TLSv1.2");
    BOOST_TEST(!*server_side.failed);
    BOOST_TEST(shaken_with(TLS1_3_VERSION, TLS1_3_VERSION) == "TLSv1.3");
    BOOST_TEST(!*server_side.failed);
}

BOOST_AUTO_TEST_CASE(a_server_may_insist_on_the_newest_version)
{
    server_options.minimum_version = tls::version::tls_1_3;
    BOOST_TEST(shaken_with(TLS1_2_VERSION, TLS1_3_VERSION) == "TLSv1.3");
    BOOST_TEST(shaken_with(TLS1_2_VERSION, TLS1_2_VERSION).find("alert protocol version") != std::string::npos);
    BOOST_TEST(server_side.failed->message() == "TLS: unsupported protocol");
}

BOOST_AUTO_TEST_CASE(what_is_older_than_1_2_is_refused)
{
    BOOST_TEST(shaken_with(TLS1_1_VERSION, TLS1_1_VERSION).find("alert protocol version") != std::string::npos);
    BOOST_TEST(server_side.failed->message() == "TLS: unsupported protocol");
    BOOST_TEST((server_side.failed->category() == tls::openssl_category()));
    BOOST_TEST(reason_of(*server_side.failed) == SSL_R_UNSUPPORTED_PROTOCOL);
    BOOST_TEST(!server_side.stream->is_open());
}

BOOST_AUTO_TEST_CASE(a_client_may_insist_on_the_newest_version)
{
    client_options.minimum_version = tls::version::tls_1_3;
    server_options.adjust = [](SSL_CTX& rules) { SSL_CTX_set_max_proto_version(&rules, TLS1_2_VERSION); };
    BOOST_TEST(connected_to("localhost") == "TLS: tlsv1 alert protocol version");
    BOOST_TEST(!client_side.stream->is_open());
}

BOOST_AUTO_TEST_SUITE_END()
