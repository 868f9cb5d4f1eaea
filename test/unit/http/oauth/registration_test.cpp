#include "http/oauth/registration.hpp"
#include "oauth/refused.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace std::literals;
using namespace partyline::http;
using partyline::test::has;
using partyline::test::words_of_refusal;

namespace {

issuer_metadata issuer_with(std::optional<std::vector<std::string>> methods = std::nullopt)
{
    issuer_metadata at;
    at.issuer = "https://as.example";
    at.registration_endpoint = "https://as.example/register";
    at.client_authentication = std::move(methods);
    return at;
}

registration_details some_details()
{
    registration_details of;
    of.name = "a \"program\"";
    of.redirect_uri = "http://127.0.0.1:4000/callback";
    of.scopes = scope_set::read("a b");
    return of;
}

client_identity registered(const std::string& answer, const issuer_metadata& at = issuer_with(), int status = 201)
{
    return read_registration(status, answer, some_details(), at);
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_oauth_registration)

BOOST_AUTO_TEST_CASE(a_client_that_is_known_does_not_register_and_documents_come_before_registrations)
{
    issuer_metadata at = issuer_with();
    BOOST_TEST((choose_registration(at, true, true) == registration_way::known));
    BOOST_TEST((choose_registration(at, false, true) == registration_way::dynamic));
    at.takes_metadata_documents = true;
    BOOST_TEST((choose_registration(at, true, true) == registration_way::known));
    BOOST_TEST((choose_registration(at, false, true) == registration_way::document));
    BOOST_TEST((choose_registration(at, false, false) == registration_way::dynamic));
    at.registration_endpoint.clear();
    BOOST_TEST((choose_registration(at, false, true) == registration_way::document));
    BOOST_TEST(has(words_of_refusal([&] { choose_registration(at, false, false); }), "registers no programs"));
}

BOOST_AUTO_TEST_CASE(a_client_registers_as_a_native_program_without_a_secret)
{
    const std::string rest = R"(,"scope":"a b"})";
    const std::string first = R"({"client_name":"a \"program\"","application_type":"native",)"
                              R"("redirect_uris":["http://127.0.0.1:4000/callback"],)"
                              R"("grant_types":["authorization_code","refresh_token"],"response_types":["code"],)"
                              R"("token_endpoint_auth_method":)";
    BOOST_TEST(registration_request(some_details(), issuer_with({{"client_secret_basic", "none"}})) ==
               first + "\"none\"" + rest);
    BOOST_TEST(registration_request(some_details(), issuer_with({{"client_secret_post"}})) ==
               first + "\"client_secret_post\"" + rest);
    registration_details without_scopes = some_details();
    without_scopes.scopes = scope_set();
    BOOST_TEST(registration_request(without_scopes, issuer_with()) == first + "\"client_secret_basic\"}");
}

BOOST_AUTO_TEST_CASE(the_answer_says_who_the_client_is)
{
    const client_identity who =
        registered(R"({"client_id":"i","client_secret":"s","client_secret_expires_at":1900000000,)"
                   R"("token_endpoint_auth_method":"client_secret_post"})");
    BOOST_TEST((who.issuer == "https://as.example" && who.id == "i" && who.secret == "s"));
    BOOST_TEST((who.method == client_authentication::post));
    BOOST_TEST(who.redirect_uri == "http://127.0.0.1:4000/callback");
    BOOST_TEST(who.until.value() == 1900000000);
    BOOST_TEST(!registered(R"({"client_id":"i","client_secret_expires_at":0})").until);
    BOOST_TEST((registered(R"({"client_id":"i"})", issuer_with(), 200).method == client_authentication::none));
}

BOOST_AUTO_TEST_CASE(a_secret_is_used_as_the_issuer_takes_it)
{
    const std::string answer = R"({"client_id":"i","client_secret":"s"})";
    const auto method = [&](std::vector<std::string> all) { return registered(answer, issuer_with(all)).method; };
    BOOST_TEST((registered(answer).method == client_authentication::basic));
    BOOST_TEST((method({"client_secret_post", "client_secret_basic"}) == client_authentication::basic));
    BOOST_TEST((method({"client_secret_post"}) == client_authentication::post));
    BOOST_TEST((method({"none"}) == client_authentication::none));
    BOOST_TEST(has(words_of_refusal([&] { method({"tls_client_auth"}); }), "takes no way to authenticate"));
    BOOST_TEST((choose_authentication(issuer_with({{"client_secret_basic"}}), {}) == client_authentication::none));
    const std::string without = R"({"client_id":"i","token_endpoint_auth_method":"client_secret_basic"})";
    BOOST_TEST((registered(without).method == client_authentication::none));
}

BOOST_AUTO_TEST_CASE(a_key_is_used_before_a_secret)
{
    const credentials_held both = {.secret = true, .key = true};
    BOOST_TEST((choose_authentication(issuer_with(), both) == client_authentication::key));
    BOOST_TEST((choose_authentication(issuer_with({{"client_secret_basic"}}), both) == client_authentication::basic));
    const credentials_held key = {.key = true};
    BOOST_TEST(has(words_of_refusal([&] { choose_authentication(issuer_with({{"client_secret_basic"}}), key); }),
                   "that this program has: a key"));
}

BOOST_AUTO_TEST_CASE(a_refusal_is_told_in_the_words_of_the_issuer)
{
    const auto refused = [](int status, const std::string& answer) {
        return words_of_refusal([&] { registered(answer, issuer_with(), status); });
    };
    BOOST_TEST(has(refused(400, R"({"error":"invalid_redirect_uri","error_description":"no\n\u001b[2Jloopback"})"),
                   "does not register this program: invalid_redirect_uri: no\\u000a\\u001b[2Jloopback"));
    BOOST_TEST(has(refused(403, ""), "HTTP status 403"));
    BOOST_TEST(has(refused(201, "{}"), "HTTP status 201"));
    BOOST_TEST(has(refused(201, R"({"client_id":17})"), "HTTP status 201"));
    BOOST_TEST(has(refused(201, R"({"client_id":")" + std::string(3000, 'x') + "\"}"), "HTTP status 201"));
    BOOST_TEST(has(refused(201, R"({"client_id":"i","client_secret":")" + std::string(8193, 'x') + "\"}"),
                   "a secret of more than 8192 bytes"));
    const std::string cut = refused(400, R"({"error":"e","error_description":")" + std::string(50000, 'x') + "\"}");
    BOOST_TEST(cut.size() < 1000U);
}

BOOST_AUTO_TEST_SUITE_END()
