#include "http/oauth/authorization.hpp"
#include "http/oauth/form.hpp"
#include "oauth/refused.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using namespace std::literals;
using namespace partyline::http;
using partyline::test::has;

namespace {

issuer_metadata some_issuer()
{
    issuer_metadata at;
    at.issuer = "https://as.example";
    at.authorization_endpoint = "https://as.example/authorize";
    return at;
}

const login_secrets secrets = {"the-state", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"};

login_answer read(const std::string& query, const issuer_metadata& at = some_issuer())
{
    return read_login_answer("/callback?" + query, at, secrets);
}

bool is_foreign(const login_answer& answer)
{
    return answer.outcome == login_outcome::foreign && answer.code.empty();
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_oauth_authorization)

BOOST_AUTO_TEST_CASE(the_challenge_is_that_of_the_rfc)
{
    BOOST_TEST(challenge_of(secrets.verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"); // RFC 7636 appendix B
}

BOOST_AUTO_TEST_CASE(each_login_has_secrets_of_its_own)
{
    std::set<std::string> all;
    for (int i = 0; i < 100; ++i) {
        const login_secrets made = make_login_secrets();
        BOOST_TEST((made.state.size() == 43 && made.verifier.size() == 43));
        all.insert({made.state, made.verifier});
    }
    BOOST_TEST(all.size() == 200U);
}

BOOST_AUTO_TEST_CASE(the_page_is_asked_for_with_everything_encoded)
{
    const login_wish wish = {"i&d", "http://127.0.0.1:1/callback", "https://mcp.example/mcp", scope_set::read("a b")};
    issuer_metadata at = some_issuer();
    const std::string query = "response_type=code&client_id=i%26d&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback"
                              "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                              "&state=the-state&resource=https%3A%2F%2Fmcp.example%2Fmcp";
    BOOST_TEST(login_page(at, wish, secrets) == "https://as.example/authorize?" + query + "&scope=a%20b");
    at.authorization_endpoint += "?tenant=1";
    login_wish other = wish;
    other.scopes = scope_set();
    BOOST_TEST(login_page(at, other, secrets) == "https://as.example/authorize?tenant=1&" + query);
    other.scopes = scope_set::read("offline_access");
    BOOST_TEST(has(login_page(at, other, secrets), "&scope=offline_access&prompt=consent"));
}

BOOST_AUTO_TEST_CASE(whoever_does_not_know_the_state_has_no_answer)
{
    for (const char* query : {"", "code=c", "code=c&state=", "code=c&state=the-stat", "code=c&state=the-state2",
                              "code=c&state=The-state", "code=c&state=the-state&state=the-state",
                              "code=c&code=d&state=the-state", "error=e", "code=%zz&state=the-state"})
        BOOST_TEST(is_foreign(read(query)), query);
    for (const char* target : {"/?code=c&state=the-state", "/callback/?code=c&state=the-state", "/favicon.ico",
                               "/Callback?code=c&state=the-state", "*", "", "/callback"})
        BOOST_TEST(is_foreign(read_login_answer(target, some_issuer(), secrets)), target);
    BOOST_TEST((read("code=c&state=the-state").outcome == login_outcome::code));
    BOOST_TEST(read("state=the-state&code=a%2Bb").code == "a+b");
}

// rule: security.login.issuer
BOOST_AUTO_TEST_CASE(the_issuer_is_compared_to_the_letter_before_anything_else)
{
    issuer_metadata announced = some_issuer();
    announced.sends_issuer = true;
    const std::string right = "&iss=https%3A%2F%2Fas.example";
    const struct {
        std::string query;
        bool is_taken_unannounced;
        bool is_taken_announced;
    } rows[] = {
        {"", true, false},
        {right, true, true},
        {"&iss=https%3A%2F%2Fas.example%2F", false, false},
        {"&iss=https%3A%2F%2FAS.example", false, false},
        {"&iss=https%3A%2F%2Fas.example%3A443", false, false},
        {"&iss=https%3A%2F%2Fevil.example", false, false},
        {"&iss=", false, false},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.query)
        {
            for (const bool is_announced : {false, true}) {
                const issuer_metadata at = is_announced ? announced : some_issuer();
                const bool is_taken = is_announced ? row.is_taken_announced : row.is_taken_unannounced;
                const login_answer code = read("code=c&state=the-state" + row.query, at);
                BOOST_TEST((code.outcome == (is_taken ? login_outcome::code : login_outcome::refused)));
                BOOST_TEST(code.code.empty() == !is_taken);
                // An error of another issuer is not shown as if it were one of this issuer.
                const login_answer error = read("error=access_denied&state=the-state" + row.query, at);
                BOOST_TEST((error.outcome == login_outcome::refused));
                BOOST_TEST(has(error.why, "access_denied") == is_taken);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(an_error_is_told_on_one_line)
{
    const login_answer denied = read("error=access_denied&error_description=no%0D%0A%1B[2Jway&state=the-state");
    BOOST_TEST((denied.outcome == login_outcome::refused && denied.error == "access_denied"));
    BOOST_TEST(denied.why == "the login was refused: 'access_denied': 'no\\u000d\\u000a\\u001b[2Jway'");
    BOOST_TEST(has(read("state=the-state").why, "neither a code nor an error"));
    BOOST_TEST(has(read("state=the-state&code=").why, "neither a code nor an error"));
    BOOST_TEST(read("state=the-state&error=" + std::string(7000, 'x')).why.size() < 400U);
}

BOOST_AUTO_TEST_SUITE_END()
