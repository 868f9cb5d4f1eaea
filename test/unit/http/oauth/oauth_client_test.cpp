// Logins over the network, of a client whose server and authorization server do as they should.

#include "http/oauth/authorization.hpp"
#include "oauth/login_fixture.hpp"

#include <partyline/http/client_errc.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;

BOOST_FIXTURE_TEST_SUITE(http_oauth_client, login_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_first_request_goes_without_a_token_and_nothing_is_asked)
{
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get().empty());
    BOOST_TEST(client().known().value().empty());
    BOOST_TEST(client().server() == server_address());
    BOOST_TEST((asked_server.empty() && asked_issuer.empty()));
}

BOOST_AUTO_TEST_CASE(a_person_logs_in_after_a_refusal)
{
    BOOST_TEST(token(401, {}, "files:read files:write") == "access-1");
    BOOST_TEST(client().known().value() == "access-1");
    BOOST_TEST(asked_server == std::vector{"GET /.well-known/oauth-protected-resource/mcp"s},
               boost::test_tools::per_element());
    const std::vector expected{"GET /.well-known/oauth-authorization-server"s, "POST /register"s, "POST /token"s};
    BOOST_TEST(asked_issuer == expected, boost::test_tools::per_element());
    const http::form_fields& login = logins.at(0);
    BOOST_TEST(login.find("response_type").value() == "code");
    BOOST_TEST(login.find("client_id").value() == "client-1");
    BOOST_TEST(login.find("code_challenge_method").value() == "S256");
    BOOST_TEST(login.find("resource").value() == server_address());
    BOOST_TEST(login.find("scope").value() == "files:read files:write");
    const http::form_fields form = token_form(0);
    BOOST_TEST(form.find("grant_type").value() == "authorization_code");
    BOOST_TEST(form.find("code").value() == "code-1");
    BOOST_TEST(form.find("redirect_uri").value() == login.find("redirect_uri").value());
    BOOST_TEST(form.find("resource").value() == server_address());
    BOOST_TEST(form.find("client_id").value() == "client-1");
    BOOST_TEST(http::challenge_of(form.find("code_verifier").value()) == login.find("code_challenge").value());
    run_until(context, [&] { return pages.size() == 1; });
    BOOST_TEST(pages[0].starts_with("HTTP/1.1 200 OK\r\n"), pages[0]);
    BOOST_TEST(pages[0].find("You can go back") != std::string::npos, pages[0]);
    BOOST_TEST(pages[0].find("logged in") == std::string::npos, pages[0]);
}

BOOST_AUTO_TEST_CASE(a_token_is_refreshed_a_minute_before_it_expires)
{
    granted = "a b";
    BOOST_TEST(token(401, {}, "a b c") == "access-1");
    now += 3539s;
    BOOST_TEST(client().known().value() == "access-1");
    now += 1s;
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(client().known().value() == "access-2");
    const http::form_fields form = token_form(1);
    BOOST_TEST(form.find("grant_type").value() == "refresh_token");
    BOOST_TEST(form.find("refresh_token").value() == "refresh-1");
    BOOST_TEST(form.find("scope").value() == "a b");
    BOOST_TEST(form.find("resource").value() == server_address());
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(tokens_and_registrations_last_longer_than_the_client)
{
    BOOST_TEST(token() == "access-1");
    restart();
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get() == "access-1");
    now += 2h;
    restart();
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST((registrations.size() == 1U && logins.size() == 1U));
    BOOST_TEST(token_form(1).find("client_id").value() == "client-1");
}

BOOST_AUTO_TEST_SUITE_END()
