// Who the client is for an authorization server, over the network: known, by a document, registered; and programs that
// log in for themselves.

#include "oauth/login_fixture.hpp"
#include "oauth/refused.hpp"
#include "protocol/json/base64.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;

BOOST_FIXTURE_TEST_SUITE(http_oauth_login_clients, login_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_client_that_is_known_uses_its_secret)
{
    options.client_id = "known";
    options.client_secret = "s";
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(registrations.empty());
    BOOST_TEST(token_fields.at(0) == "Basic " + encode_base64("known:s"));
    BOOST_TEST(!token_form(0).find("client_id"));
    restart();
    members["token_endpoint_auth_methods_supported"] = R"(["client_secret_post"])";
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST((token_fields.at(1).empty() && token_form(1).find("client_secret").value() == "s"));
}

BOOST_AUTO_TEST_CASE(a_client_id_is_not_told_to_another_issuer)
{
    options.client_id = "known";
    options.client_secret = "s";
    options.issuer = "https://as.example";
    BOOST_TEST(has(failure_words(), "and the client id is of another one, 'https://as.example'"));
    BOOST_TEST(asked_issuer.empty());
    options.issuer = issuer_address();
    restart();
    BOOST_TEST(token() == "access-1");
}

BOOST_AUTO_TEST_CASE(an_issuer_may_be_any_of_those_that_the_server_names)
{
    issuer = "https://first.example\",\"" + issuer_address();
    options.issuer = issuer_address();
    BOOST_TEST(token() == "access-1");
}

BOOST_AUTO_TEST_CASE(the_port_of_the_answer_may_be_chosen)
{
    using boost::asio::ip::tcp;
    tcp::acceptor taken(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
    options.redirect_port = taken.local_endpoint().port();
    BOOST_TEST(!has(failure_words(), "it has succeeded"));
    BOOST_TEST((logins.empty() && registrations.empty()));
    taken.close();
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(logins.at(0).find("redirect_uri").value() ==
               "http://127.0.0.1:" + std::to_string(options.redirect_port) + "/callback");
}

BOOST_AUTO_TEST_CASE(a_client_id_without_an_issuer_stays_with_the_first_one)
{
    options.client_id = "known";
    options.client_secret = "s";
    BOOST_TEST(token() == "access-1");
    issuer = issuer_address("/other");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("GET /.well-known/oauth-authorization-server/other "))
            return std::nullopt;
        return json_answer(200, R"({"issuer":")" + issuer + R"(","token_endpoint":")" + issuer_address("/stolen") +
                                    R"(","authorization_endpoint":")" + issuer_address("/a") +
                                    R"(","code_challenge_methods_supported":["S256"]})");
    };
    BOOST_TEST(has(failure_words(401, "access-1"), "names another authorization server than before"));
    restart(); // the store knows it, too
    BOOST_TEST(has(failure_words(401, "access-1"), "names another authorization server than before"));
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_document_is_the_id_where_the_issuer_takes_it)
{
    options.metadata_url = "https://client.example/metadata.json";
    members["client_id_metadata_document_supported"] = "true";
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(registrations.empty());
    BOOST_TEST(logins.at(0).find("client_id").value() == options.metadata_url);
    BOOST_TEST(token_form(0).find("client_id").value() == options.metadata_url);
    members["client_id_metadata_document_supported"] = "false";
    restart();
    kept.clear();
    BOOST_TEST(token() == "access-2");
    BOOST_TEST(logins.at(1).find("client_id").value() == "client-1");
}

BOOST_AUTO_TEST_CASE(another_issuer_means_another_registration_and_no_old_credentials)
{
    BOOST_TEST(token(401, {}, "a") == "access-1");
    issuer = issuer_address("/new");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("GET /.well-known/oauth-authorization-server/new "))
            return std::nullopt;
        return json_answer(200, R"({"issuer":")" + issuer + R"(","token_endpoint":")" + issuer_address("/token") +
                                    R"(","authorization_endpoint":")" + issuer_address("/authorize") +
                                    R"(","registration_endpoint":")" + issuer_address("/register") +
                                    R"(","code_challenge_methods_supported":["S256"]})");
    };
    iss = issuer;
    BOOST_TEST(token(401, "access-1", "b") == "access-2");
    BOOST_TEST(registrations.size() == 2U);
    BOOST_TEST(logins.at(1).find("client_id").value() == "client-2");
    BOOST_TEST(logins.at(1).find("scope").value() == "b"); // those of the other one mean nothing here
    for (const std::string& form : token_forms)
        BOOST_TEST(!has(form, "refresh-1"));
}

BOOST_AUTO_TEST_CASE(a_registered_client_comes_back_to_its_port)
{
    has_refresh_tokens = false;
    BOOST_TEST(token() == "access-1");
    restart();
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST(registrations.size() == 1U);
    BOOST_TEST(logins.at(1).find("redirect_uri").value() == logins.at(0).find("redirect_uri").value());
    // Somebody else has the port: it registers with another one.
    const std::string uri = logins.at(0).find("redirect_uri").value();
    const auto port = static_cast<std::uint16_t>(std::stoi(uri.substr(uri.find(':', 7) + 1)));
    boost::asio::ip::tcp::acceptor other(context, {boost::asio::ip::make_address("127.0.0.1"), port});
    BOOST_TEST(token(401, "access-2") == "access-3");
    BOOST_TEST(registrations.size() == 2U);
    BOOST_TEST(logins.at(2).find("redirect_uri").value() != uri);
    BOOST_TEST(logins.at(2).find("client_id").value() == "client-2");
}

BOOST_AUTO_TEST_CASE(a_registration_that_the_issuer_has_lost_is_made_anew)
{
    BOOST_TEST(token() == "access-1");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token ") || !has(asked.body, "client_id=client-1"))
            return std::nullopt;
        return json_answer(401, R"({"error":"invalid_client"})");
    };
    now += 2h;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(registrations.size() == 2U);
    BOOST_TEST(logins.at(1).find("client_id").value() == "client-2");
}

BOOST_AUTO_TEST_CASE(servers_of_2025_03_26_have_no_metadata)
{
    has_metadata = false;
    std::vector<std::string> seen;
    at_server = [&](const asked_request& asked) -> std::optional<std::string> {
        seen.push_back(asked.head.substr(0, asked.head.find(" HTTP/")));
        if (seen.back() == "POST /register")
            return json_answer(201, R"({"client_id":"c","client_secret":"s"})");
        if (seen.back() == "POST /token")
            return json_answer(200, R"({"access_token":"old","token_type":"bearer"})");
        return std::nullopt;
    };
    iss = "";
    BOOST_TEST(token() == "old");
    const std::vector expected{"GET /.well-known/oauth-protected-resource/mcp"s,
                               "GET /.well-known/oauth-protected-resource"s,
                               "GET /.well-known/oauth-authorization-server"s,
                               "GET /.well-known/openid-configuration"s,
                               "POST /register"s,
                               "POST /token"s};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    BOOST_TEST(asked_issuer.empty());
}

BOOST_AUTO_TEST_CASE(metadata_that_a_server_names_is_the_only_one)
{
    http::challenge named = refusal();
    named.resource_metadata = server_address("/custom.json");
    started<std::string> missing = ask(named);
    missing.failure();
    BOOST_TEST(has(missing.words, "which it has named"), missing.words);
    BOOST_TEST(asked_server == std::vector{"GET /custom.json"s}, boost::test_tools::per_element());
    at_server = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("GET /custom.json "))
            return bare_answer(404);
        return json_answer(200, R"({"resource":")" + resource + R"(","authorization_servers":[")" + issuer + "\"]}");
    };
    BOOST_TEST(ask(named).get() == "access-1");
    now += 2h;
    restart();
    BOOST_TEST(ask().get() == "access-2");                    // refreshed: the address is kept, too
    BOOST_TEST(token(403, "access-2", "more") == "access-3"); // a refusal that does not name it
    BOOST_TEST(logins.at(1).find("client_id").value() == "client-1");
    named.refused_token = "access-3";
    named.resource_metadata = "http://169.254.169.254/latest/meta-data";
    started<std::string> elsewhere = ask(named);
    elsewhere.failure();
    BOOST_TEST(has(elsewhere.words, "the address of the server's metadata is not used"), elsewhere.words);
}

BOOST_AUTO_TEST_CASE(a_program_logs_in_for_itself)
{
    options.open_page = nullptr;
    options.client_id = "machine";
    options.client_secret = "s";
    has_refresh_tokens = false;
    members["authorization_endpoint"] = "";
    members["code_challenge_methods_supported"] = "";
    scopes_supported = R"(["x","offline_access"])";
    members["scopes_supported"] = R"(["x","offline_access"])";
    BOOST_TEST(ask().get().empty());
    BOOST_TEST(token() == "access-1");
    const http::form_fields form = token_form(0);
    BOOST_TEST(form.find("grant_type").value() == "client_credentials");
    BOOST_TEST(form.find("scope").value() == "x");
    BOOST_TEST(form.find("resource").value() == server_address());
    BOOST_TEST(token_fields.at(0) == "Basic " + encode_base64("machine:s"));
    now += 2h;
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(token(403, "access-2", "y") == "access-3");
    BOOST_TEST(token_form(2).find("scope").value() == "x y");
}

BOOST_AUTO_TEST_SUITE_END()
