#include "http/oauth/discovery.hpp"
#include "oauth/refused.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace std::literals;
using namespace partyline::http;
using partyline::test::has;
using partyline::test::words_of_refusal;

namespace {

using texts = std::vector<std::string>;

const url server = parse_url("https://mcp.example/v1/mcp?x=1");

std::string server_document(const std::string& resource)
{
    return R"({"resource":")" + resource + R"(","authorization_servers":["https://as.example"]})";
}

issuer_metadata read_issuer(const std::string& members, const std::string& issuer = "https://as.example")
{
    return read_issuer_metadata("{" + members + "}", issuer, issuer_source::named, address_scope::public_only);
}

constexpr char issuer_members[] = R"("issuer":"https://as.example","token_endpoint":"https://as.example/t")";

} // namespace

BOOST_AUTO_TEST_SUITE(http_oauth_discovery)

BOOST_AUTO_TEST_CASE(the_metadata_of_a_server_is_where_it_says_or_at_its_path_or_at_the_root)
{
    BOOST_TEST(server_metadata_addresses(server, "https://x/y") == texts{"https://x/y"},
               boost::test_tools::per_element());
    const texts both = {"https://mcp.example/.well-known/oauth-protected-resource/v1/mcp",
                        "https://mcp.example/.well-known/oauth-protected-resource"};
    BOOST_TEST(server_metadata_addresses(server, "") == both, boost::test_tools::per_element());
    const texts root = {"https://mcp.example:8443/.well-known/oauth-protected-resource"};
    for (const char* address : {"https://mcp.example:8443", "https://mcp.example:8443/", "wss://mcp.example:8443/"})
        BOOST_TEST(server_metadata_addresses(parse_url(address), "") == root, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_resource_is_the_server_or_a_path_above_it)
{
    for (const char* right : {"https://mcp.example/v1/mcp", "https://mcp.example/v1/mcp/", "https://mcp.example/v1",
                              "https://mcp.example/v1/", "https://mcp.example", "https://mcp.example/",
                              "https://MCP.example:443/v1", "https://mcp.example/v1/mcp?x=1"}) {
        const server_metadata read = read_server_metadata(server_document(right), server);
        BOOST_TEST(read.resource == right); // to the letter: so it is sent
    }
    for (const char* wrong : {"https://evil.example/v1/mcp", "http://mcp.example/v1/mcp", "https://mcp.example:444/v1",
                              "https://mcp.example/v1/mc", "https://mcp.example/v1/mcp/more", "https://mcp.example/V1",
                              "https://mcp.example/v1?x=1", "https://mcp.example.evil.example/v1/mcp",
                              "https://mcp.example@evil.example/", "https://mcp.example/v1#x", "urn:x", ""}) {
        const std::string why = words_of_refusal([&] { read_server_metadata(server_document(wrong), server); });
        BOOST_TEST(has(why, "is about another one"), std::string(wrong) + ": " + why);
    }
}

BOOST_AUTO_TEST_CASE(the_metadata_of_a_server_has_an_issuer_and_may_have_scopes)
{
    const server_metadata read =
        read_server_metadata(R"({"resource":"https://mcp.example","authorization_servers":["https://a","https://b"],)"
                             R"("scopes_supported":["x","y z",1,"w"]})",
                             server);
    BOOST_TEST(read.issuers == (texts{"https://a", "https://b"}), boost::test_tools::per_element());
    BOOST_TEST(read.scopes_supported.text() == "x w");
    for (const char* wrong :
         {R"({"resource":"https://mcp.example"})", R"({"resource":"https://mcp.example","authorization_servers":[]})",
          R"({"resource":"https://mcp.example","authorization_servers":"https://a"})"})
        BOOST_TEST(has(words_of_refusal([&] { read_server_metadata(wrong, server); }), "no authorization server"));
    for (const char* wrong : {"", "[]", "<html>", "{", "{\"resource\":1e999}", "null"})
        BOOST_TEST(has(words_of_refusal([&] { read_server_metadata(wrong, server); }), "no JSON object"), wrong);
    BOOST_TEST(has(words_of_refusal([&] { read_server_metadata(std::string(60000, '['), server); }), "no JSON object"));
}

BOOST_AUTO_TEST_CASE(the_metadata_of_an_issuer_is_at_two_addresses_or_three)
{
    const auto of = [](const char* issuer) { return issuer_metadata_addresses(issuer, address_scope::public_only); };
    const texts two = {"https://as.example/.well-known/oauth-authorization-server",
                       "https://as.example/.well-known/openid-configuration"};
    BOOST_TEST(of("https://as.example") == two, boost::test_tools::per_element());
    BOOST_TEST(of("https://as.example/") == two, boost::test_tools::per_element());
    const texts three = {"https://as.example/.well-known/oauth-authorization-server/tenant1",
                         "https://as.example/.well-known/openid-configuration/tenant1",
                         "https://as.example/tenant1/.well-known/openid-configuration"};
    BOOST_TEST(of("https://as.example/tenant1") == three, boost::test_tools::per_element());
    BOOST_TEST(of("https://as.example/tenant1/") == three, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_issuer_is_at_https_or_on_loopback_where_the_server_is)
{
    for (const char* wrong : {"http://as.example", "http://127.0.0.1:1", "ftp://as.example", "as.example",
                              "javascript:alert(1)", "file:///etc/passwd", "https://a b", "https://user@as.example",
                              "https://as.example?x=1", "https://as.example#x", "https://as.example/\"", ""}) {
        const auto read = [&] { issuer_metadata_addresses(wrong, address_scope::public_only); };
        BOOST_TEST(has(words_of_refusal(read), "the authorization server is not used"), wrong);
    }
    for (const char* right : {"http://127.0.0.1:1", "http://localhost:1/a", "http://[::1]:1"})
        BOOST_TEST(!issuer_metadata_addresses(right, address_scope::any).empty(), right);
    BOOST_TEST(has(words_of_refusal([] { issuer_metadata_addresses("http://10.0.0.1", address_scope::any); }),
                   "https is expected"));
}

BOOST_AUTO_TEST_CASE(an_issuer_says_what_it_can)
{
    const issuer_metadata read = read_issuer(
        std::string(issuer_members) +
        R"(,"authorization_endpoint":"https://login.example/a?b=c","registration_endpoint":"https://as.example/r",)"
        R"("scopes_supported":["a","offline_access"],"token_endpoint_auth_methods_supported":["none"],)"
        R"("token_endpoint_auth_signing_alg_values_supported":["ES256"],"code_challenge_methods_supported":["plain",)"
        R"("S256"],"client_id_metadata_document_supported":true,"authorization_response_iss_parameter_supported":true)");
    BOOST_TEST(read.authorization_endpoint == "https://login.example/a?b=c");
    BOOST_TEST(read.token_endpoint == "https://as.example/t");
    BOOST_TEST(read.registration_endpoint == "https://as.example/r");
    BOOST_TEST(read.scopes_supported.text() == "a offline_access");
    BOOST_TEST(read.client_authentication.value() == texts{"none"}, boost::test_tools::per_element());
    BOOST_TEST(read.signing_algorithms == texts{"ES256"}, boost::test_tools::per_element());
    BOOST_TEST((read.has_s256 && read.takes_metadata_documents && read.sends_issuer));
    const issuer_metadata least = read_issuer(issuer_members);
    BOOST_TEST((!least.has_s256 && !least.takes_metadata_documents && !least.sends_issuer));
    BOOST_TEST(!least.client_authentication);
}

// rule: security.login.issuer
BOOST_AUTO_TEST_CASE(the_issuer_of_the_metadata_is_the_one_that_was_named_to_the_letter)
{
    for (const char* other : {"https://as.example/", "https://AS.example", "https://as.example:443", "https://evil",
                              "https://as.example/tenant1", "http://as.example", ""}) {
        const std::string members =
            R"("issuer":")" + std::string(other) + R"(","token_endpoint":"https://as.example/t")";
        BOOST_TEST(has(words_of_refusal([&] { read_issuer(members); }), "is about another one"), other);
    }
    BOOST_TEST(has(words_of_refusal([] { read_issuer(R"("token_endpoint":"https://as.example/t")"); }), "another"));
}

// rule: security.login.addresses
BOOST_AUTO_TEST_CASE(endpoints_are_at_https)
{
    for (const char* name : {"authorization_endpoint", "token_endpoint", "registration_endpoint"}) {
        for (const char* wrong : {"http://as.example/x", "javascript:alert(1)", "http://127.0.0.1/x", "calc.exe",
                                  "https://as.example/$(id) x", "https://as.example/#x", "https://a\\nb"}) {
            const std::string members = R"("issuer":"https://as.example",")" + std::string(name) + "\":\"" + wrong +
                                        "\"" + (name == "token_endpoint"s ? "" : R"(,"token_endpoint":"https://a/t")");
            const std::string why = words_of_refusal([&] { read_issuer(members); });
            BOOST_TEST(has(why, "the "s + name + " of the authorization server is not used"), why);
        }
    }
    BOOST_TEST(has(words_of_refusal([] { read_issuer(R"("issuer":"https://as.example")"); }), "no token_endpoint"));
}

BOOST_AUTO_TEST_CASE(nobody_logs_in_without_a_page_or_without_s256)
{
    issuer_metadata at = read_issuer(issuer_members);
    BOOST_TEST(has(words_of_refusal([&] { check_login(at); }), "no authorization_endpoint"));
    at.authorization_endpoint = "https://as.example/a";
    BOOST_TEST(has(words_of_refusal([&] { check_login(at); }), "PKCE with S256"));
    at.has_s256 = true;
    BOOST_TEST(words_of_refusal([&] { check_login(at); }) == "no failure");
}

BOOST_AUTO_TEST_CASE(a_server_without_metadata_is_its_own_issuer)
{
    const server_metadata own = default_server_metadata(server);
    BOOST_TEST(own.resource == "https://mcp.example/v1/mcp");
    BOOST_TEST(own.issuers == texts{"https://mcp.example"}, boost::test_tools::per_element());
    for (const std::string& issuer : {"https://mcp.example"s, "https://mcp.example/"s}) {
        const std::string text = R"({"issuer":")" + issuer + R"(","token_endpoint":"https://mcp.example/t"})";
        const auto read = [&](issuer_source source) {
            return read_issuer_metadata(text, "https://mcp.example", source, address_scope::public_only);
        };
        BOOST_TEST(read(issuer_source::origin).issuer == issuer);
    }
    const issuer_metadata none = default_issuer_metadata("https://mcp.example");
    BOOST_TEST(none.authorization_endpoint == "https://mcp.example/authorize");
    BOOST_TEST(none.token_endpoint == "https://mcp.example/token");
    BOOST_TEST(none.registration_endpoint == "https://mcp.example/register");
    BOOST_TEST(words_of_refusal([&] { check_login(none); }) == "no failure");
}

BOOST_AUTO_TEST_SUITE_END()
