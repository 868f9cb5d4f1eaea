// Whom a client takes for the server that it wants.

#include "tls/context/client_core.hpp"
#include "tls/context/server_context_core.hpp"
#include "tls_fixture.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

struct verification_fixture : tls_fixture {
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

BOOST_FIXTURE_TEST_SUITE(tls_verification, verification_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_host_is_known_by_its_name)
{
    BOOST_TEST(connected_to("localhost") == "Success");
    BOOST_TEST(client_side.stream->peer_subject() == "CN=local");
    BOOST_TEST(server_side.stream->peer_subject().empty());
    BOOST_TEST(SSL_get_servername(server_side.stream->native_handle(), TLSEXT_NAMETYPE_host_name) == "localhost");
}

BOOST_AUTO_TEST_CASE(or_by_its_address_which_is_no_server_name)
{
    BOOST_TEST(connected_to("127.0.0.1") == "Success");
    BOOST_TEST(SSL_get_servername(server_side.stream->native_handle(), TLSEXT_NAMETYPE_host_name) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_dot_at_the_end_of_a_name_changes_nothing)
{
    unix_socket theirs(context);
    unix_socket accepted(context);
    asio::local::connect_pair(theirs, accepted);
    const auto core = std::make_shared<const tls::client_core>(client_options);
    const auto asking = core->make_layer(theirs.native_handle(), "localhost."); // not every resolver takes it
    const auto answering = tls::server_context_core(server_options).make_layer(accepted.native_handle(), {});
    for (int i = 0; i < 3; ++i) {
        asking->handshake();
        answering->handshake();
    }
    BOOST_TEST(asking->is_established());
    BOOST_TEST(SSL_get_servername(answering->native_handle(), TLSEXT_NAMETYPE_host_name) == "localhost");
}

BOOST_AUTO_TEST_CASE(both_send_without_delay)
{
    connected_to("localhost");
    for (handshake_outcome* side : {&client_side, &server_side}) {
        asio::ip::tcp::no_delay no_delay;
        side->stream->lowest_layer().get_option(no_delay);
        BOOST_TEST(no_delay.value());
    }
}

BOOST_AUTO_TEST_CASE(a_certificate_for_another_host_is_refused)
{
    server_options.certificates = {files.make("other", {.common_name = "localhost", .hosts = {"other.test"}})};
    BOOST_TEST(connected_to("localhost") == "the peer's certificate was not accepted: hostname mismatch");
    BOOST_TEST((client_side.failed->category() == tls::verification_category()));
    BOOST_TEST(client_side.failed->value() == X509_V_ERR_HOSTNAME_MISMATCH);
    BOOST_TEST(!client_side.stream->is_open());
    BOOST_TEST(server_side.failed->message() == "TLS: sslv3 alert bad certificate");
}

BOOST_AUTO_TEST_CASE(a_certificate_for_another_address_is_refused)
{
    server_options.certificates = {
        files.make("other", {.common_name = "127.0.0.1", .hosts = {"localhost", "127.0.0.1"}})};
    BOOST_TEST(connected_to("127.0.0.1") == "the peer's certificate was not accepted: IP address mismatch");
}

BOOST_AUTO_TEST_CASE(a_wildcard_within_a_label_is_no_certificate_for_a_host)
{
    server_options.certificates = {files.make("wild", {.common_name = "x", .hosts = {"localh*.test", "l*"}})};
    BOOST_TEST(connected_to("localhost") == "the peer's certificate was not accepted: hostname mismatch");
}

BOOST_AUTO_TEST_CASE(a_certificate_of_an_authority_that_nobody_trusts_is_refused)
{
    server_options.certificates = {
        files.make("unknown", {.common_name = "x", .hosts = {"localhost"}, .signed_by = signer::unknown})};
    BOOST_TEST(connected_to("localhost") ==
               "the peer's certificate was not accepted: unable to get local issuer certificate");
    BOOST_TEST(server_side.failed->message() == "TLS: tlsv1 alert unknown ca");
}

BOOST_AUTO_TEST_CASE(the_systems_authorities_know_nothing_of_ours)
{
    client_options.ca_file.clear();
    BOOST_TEST(connected_to("localhost") ==
               "the peer's certificate was not accepted: unable to get local issuer certificate");
}

BOOST_AUTO_TEST_CASE(a_certificate_that_its_owner_has_signed_is_refused)
{
    server_options.certificates = {
        files.make("own", {.common_name = "x", .hosts = {"localhost"}, .signed_by = signer::itself})};
    BOOST_TEST(connected_to("localhost") == "the peer's certificate was not accepted: self-signed certificate");
}

BOOST_AUTO_TEST_CASE(unless_it_is_trusted_itself)
{
    server_options.certificates = {
        files.make("own", {.common_name = "x", .hosts = {"localhost"}, .signed_by = signer::itself})};
    client_options.ca_file = server_options.certificates.front().certificate_file;
    BOOST_TEST(connected_to("localhost") == "Success");
}

BOOST_AUTO_TEST_CASE(a_certificate_that_is_over_is_refused)
{
    server_options.certificates = {
        files.make("over", {.common_name = "x", .hosts = {"localhost"}, .valid = validity::over})};
    BOOST_TEST(connected_to("localhost") == "the peer's certificate was not accepted: certificate has expired");
    BOOST_TEST(server_side.failed->message() == "TLS: sslv3 alert certificate expired");
}

BOOST_AUTO_TEST_CASE(who_verifies_nothing_takes_everybody_and_knows_nobody)
{
    server_options.certificates = {
        files.make("other", {.common_name = "x", .signed_by = signer::unknown, .valid = validity::over})};
    client_options.verify = tls::verify::none;
    BOOST_TEST(connected_to("localhost") == "Success");
    BOOST_TEST(client_side.stream->peer_subject().empty());
}

BOOST_AUTO_TEST_CASE(a_name_that_no_host_can_have_is_refused)
{
    const std::string hidden("127.0.0.1\0.test", 15);
    tls::async_connect(context.get_executor(), hidden, port(), client(), client_side.noting());
    BOOST_TEST_REQUIRE(run_until([&] { return client_side.failed.has_value(); }));
    BOOST_TEST((client_side.failed == asio::error::invalid_argument));
    const auto core = std::make_shared<const tls::client_core>(client_options);
    BOOST_CHECK_THROW(core->make_layer(-1, ""), std::invalid_argument);
    BOOST_CHECK_THROW(core->make_layer(-1, std::string(256, 'x')), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
