// Sessions that are taken up again.

#include "tls/context/ticket_keys.hpp"
#include "tls/engine/openssl.hpp"
#include "tls_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

using session_pointer = std::unique_ptr<SSL_SESSION, tls::freed_by<SSL_SESSION_free>>;

struct ticket_fixture : tls_fixture {
    int version = TLS1_3_VERSION;

    // A client that takes `by` up; what it may take up next, and whether the server went along.
    session_pointer resume(SSL_SESSION* by, bool& is_resumed)
    {
        handshake_outcome server_side;
        const auto client = make_foreign_client();
        SSL_set_max_proto_version(client->native(), version);
        if (by)
            SSL_set_session(client->native(), by);
        shake(*client, server_side);
        BOOST_TEST_REQUIRE(!*client->failed);
        BOOST_TEST(echoes(*client, *server_side.stream)); // with TLS 1.3 tickets come with the first data
        is_resumed = SSL_session_reused(client->native()) == 1;
        BOOST_TEST(SSL_session_reused(server_side.stream->native_handle()) == (is_resumed ? 1 : 0));
        subject = server_side.stream->peer_subject();
        SSL_set_shutdown(client->native(), SSL_SENT_SHUTDOWN); // else OpenSSL takes the session for a broken one
        return session_pointer(SSL_get1_session(client->native()));
    }
    session_pointer begin()
    {
        bool is_resumed = true;
        session_pointer first = resume(nullptr, is_resumed);
        BOOST_TEST(!is_resumed);
        return first;
    }
    bool resumes(const session_pointer& session)
    {
        bool is_resumed = false;
        resume(session.get(), is_resumed);
        return is_resumed;
    }

    std::string subject; // whom the server has seen last
};

const int both_versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};

bool same(const std::optional<tls::ticket_keys::key>& a, const std::optional<tls::ticket_keys::key>& b)
{
    return a && b && a->name == b->name && a->cipher == b->cipher && a->mac == b->mac;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tls_tickets, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE_F(ticket_fixture, a_session_is_taken_up_by_its_ticket, both_versions, spoken)
{
    version = spoken;
    BOOST_TEST(resumes(begin()));
}

BOOST_DATA_TEST_CASE_F(ticket_fixture, also_when_the_key_has_changed_and_not_when_it_has_twice, both_versions, spoken)
{
    version = spoken;
    const session_pointer one = begin();
    const session_pointer other = begin();
    server().rotate_tickets();
    BOOST_TEST(resumes(one));
    server().rotate_tickets();
    BOOST_TEST(!resumes(other));
}

BOOST_DATA_TEST_CASE_F(ticket_fixture, a_ticket_of_an_old_key_is_renewed, both_versions, spoken)
{
    version = spoken;
    const session_pointer old = begin();
    server().rotate_tickets();
    bool is_resumed = false;
    const session_pointer renewed = resume(old.get(), is_resumed);
    BOOST_TEST(is_resumed);
    server().rotate_tickets();
    BOOST_TEST(resumes(renewed));
}

BOOST_DATA_TEST_CASE_F(ticket_fixture, tickets_outlive_files_that_are_read_again, both_versions, spoken)
{
    version = spoken;
    const session_pointer one = begin();
    server().reload();
    BOOST_TEST(resumes(one));
}

// Else a client would be let in by a certificate that is over by now.
BOOST_DATA_TEST_CASE_F(ticket_fixture, who_may_show_a_certificate_gets_no_ticket, both_versions, spoken)
{
    version = spoken;
    server_options.client_ca_file = files.trusted_ca();
    server_options.clients = tls::client_certificates::optional;
    const session_pointer nobody = begin();
    BOOST_TEST(SSL_SESSION_has_ticket(nobody.get()) == 0);
    BOOST_TEST(!resumes(nobody));
    const auto alice = files.make("alice", {.common_name = "alice"});
    foreign_rules.use_certificate_chain_file(alice.certificate_file);
    foreign_rules.use_private_key_file(alice.key_file, asio::ssl::context::pem);
    const session_pointer known = begin();
    BOOST_TEST(subject == "CN=alice");
    BOOST_TEST(SSL_SESSION_has_ticket(known.get()) == 0);
    BOOST_TEST(!resumes(known));
    BOOST_TEST(subject == "CN=alice"); // by its certificate
}

BOOST_DATA_TEST_CASE_F(ticket_fixture, who_must_show_one_shows_it_each_time, both_versions, spoken)
{
    version = spoken;
    server_options.client_ca_file = files.trusted_ca();
    const auto now = files.make("alice", {.common_name = "alice"});
    foreign_rules.use_certificate_chain_file(now.certificate_file);
    foreign_rules.use_private_key_file(now.key_file, asio::ssl::context::pem);
    const session_pointer known = begin();
    const auto over = files.make("alice", {.common_name = "alice", .valid = validity::over});
    foreign_rules.use_certificate_chain_file(over.certificate_file);
    foreign_rules.use_private_key_file(over.key_file, asio::ssl::context::pem);
    const auto client = make_foreign_client();
    SSL_set_max_proto_version(client->native(), version);
    SSL_set_session(client->native(), known.get());
    handshake_outcome server_side;
    shake(*client, server_side);
    BOOST_TEST(server_side.failed->message() == "the peer's certificate was not accepted: certificate has expired");
}

BOOST_AUTO_TEST_CASE(a_key_is_changed_when_its_time_is_over)
{
    tls::ticket_keys keys(1h);
    const auto start = tls::ticket_keys::clock::now();
    const auto first = keys.newest(start);
    BOOST_TEST(same(first, keys.newest(start + 1h - 1s)));
    const auto second = keys.newest(start + 1h);
    BOOST_TEST(!same(first, second));
    BOOST_TEST(same(first, keys.find(first->name.data(), start + 1h)));
    BOOST_TEST(!keys.is_newest(*first));
    BOOST_TEST(keys.is_newest(*second));
    BOOST_TEST(same(second, keys.find(second->name.data(), start + 2h)));
    BOOST_TEST(!keys.find(first->name.data(), start + 2h));
}

BOOST_AUTO_TEST_CASE(after_a_long_rest_no_old_key_is_left)
{
    tls::ticket_keys keys(1h);
    const auto start = tls::ticket_keys::clock::now();
    const auto first = keys.newest(start);
    BOOST_TEST(!keys.find(first->name.data(), start + 2h));
}

BOOST_AUTO_TEST_SUITE_END()
