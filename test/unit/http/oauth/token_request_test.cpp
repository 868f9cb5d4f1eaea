#include "http/oauth/token_request.hpp"
#include "oauth/refused.hpp"
#include "protocol/json/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

using namespace std::literals;
using namespace partyline::http;
using partyline::test::has;
using partyline::test::words_of_refusal;

namespace {

issuer_metadata token_issuer()
{
    issuer_metadata at;
    at.issuer = "https://as.example";
    return at;
}

struct authenticated {
    std::string form;
    std::string field;
};

authenticated by(client_authentication method)
{
    client_identity who;
    who.id = "a:b c";
    who.secret = "s%+\xc3\xa9";
    who.method = method;
    form_writer form;
    std::vector<field_text> fields;
    authenticate(form, fields, who, token_issuer(), nullptr, {});
    return {form.take(), fields.empty() ? "" : fields.at(0).name + ": " + fields.at(0).value};
}

issued_tokens issued(const std::string& answer)
{
    return std::get<issued_tokens>(read_token_answer(200, answer, token_issuer()));
}

std::string refused(int status, const std::string& answer)
{
    return words_of_refusal([&] { read_token_answer(status, answer, token_issuer()); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_oauth_token_request)

BOOST_AUTO_TEST_CASE(id_and_secret_are_encoded_before_they_are_joined)
{
    const authenticated basic = by(client_authentication::basic);
    BOOST_TEST(basic.form.empty());
    BOOST_TEST(basic.field == "Authorization: Basic " + partyline::encode_base64("a%3Ab%20c:s%25%2B%C3%A9"));
    const authenticated post = by(client_authentication::post);
    BOOST_TEST((post.form == "client_id=a%3Ab%20c&client_secret=s%25%2B%C3%A9" && post.field.empty()));
    const authenticated none = by(client_authentication::none);
    BOOST_TEST((none.form == "client_id=a%3Ab%20c" && none.field.empty()));
}

BOOST_AUTO_TEST_CASE(each_request_names_the_resource)
{
    BOOST_TEST(code_request("c", "v", "http://127.0.0.1:1/callback", "https://m").take() ==
               "grant_type=authorization_code&code=c&code_verifier=v"
               "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback&resource=https%3A%2F%2Fm");
    BOOST_TEST(refresh_request("r", scope_set::read("a b"), "https://m").take() ==
               "grant_type=refresh_token&refresh_token=r&resource=https%3A%2F%2Fm&scope=a%20b");
    BOOST_TEST(refresh_request("r", scope_set(), "https://m").take() ==
               "grant_type=refresh_token&refresh_token=r&resource=https%3A%2F%2Fm");
    BOOST_TEST(credentials_request(scope_set::read("a"), "https://m").take() ==
               "grant_type=client_credentials&resource=https%3A%2F%2Fm&scope=a");
}

BOOST_AUTO_TEST_CASE(an_answer_has_tokens)
{
    const issued_tokens all = issued(R"({"access_token":"a","token_type":"bEARER","expires_in":3600,)"
                                     R"("refresh_token":"r","scope":"x y"})");
    BOOST_TEST((all.access == "a" && all.refresh == "r"));
    BOOST_TEST(all.scopes.value().text() == "x y");
    BOOST_TEST((all.lifetime.value() == 3600s));
    const issued_tokens least = issued(R"({"access_token":"a","token_type":"Bearer"})");
    BOOST_TEST((least.refresh.empty() && !least.scopes && !least.lifetime));
    const auto lifetime = [](const std::string& told) {
        return issued(R"({"access_token":"a","token_type":"Bearer","expires_in":)" + told + "}").lifetime;
    };
    BOOST_TEST((lifetime("\"60\"").value() == 60s));
    BOOST_TEST((lifetime("59.9").value() == 59s));
    BOOST_TEST((lifetime("-5").value() == 0s));
    BOOST_TEST((lifetime("1e15").value() == 24h * 3650));
    BOOST_TEST((!lifetime("null") && !lifetime("\"soon\"") && !lifetime("1e300") && !lifetime("true")));
}

BOOST_AUTO_TEST_CASE(a_token_that_would_not_be_one_value_of_a_field_is_refused)
{
    for (const std::string& wrong :
         {""s, "a b"s, "a\\r\\nX: y"s, "a\\u0000"s, "\\u00e9"s, "a!b"s, "a,b"s, std::string(40000, 'x')})
        BOOST_TEST(has(refused(200, R"({"token_type":"Bearer","access_token":")" + wrong + "\"}"),
                       "no access_token that can be used"));
    BOOST_TEST(has(refused(200, R"({"token_type":"Bearer","access_token":7})"), "no access_token"));
    BOOST_TEST(has(refused(200, R"({"token_type":"DPoP","access_token":"a"})"), "of the type 'DPoP'"));
    BOOST_TEST(has(refused(200, R"({"access_token":"a"})"), "of the type ''"));
    for (const char* wrong : {"", "<html>", "[]", "access_token=a&token_type=bearer"})
        BOOST_TEST(has(refused(200, wrong), "no access_token"), wrong);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_no_failure_of_the_answer)
{
    for (const int status : {400, 401, 200}) { // some servers refuse by 200
        const std::string answer = R"({"error":"invalid_grant","error_description":"used"})";
        const auto read = read_token_answer(status, answer, token_issuer());
        BOOST_TEST(words_of(std::get<oauth_error>(read)) == "invalid_grant: used");
        BOOST_TEST(std::get<oauth_error>(read).status == status);
    }
    for (const int status : {302, 404, 500}) {
        const auto read = read_token_answer(status, "<html>", token_issuer());
        BOOST_TEST(has(words_of(std::get<oauth_error>(read)), "HTTP status " + std::to_string(status)));
        BOOST_TEST(std::get<oauth_error>(read).code.empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
