#include "access/jwt/claims.hpp"
#include "jwt/jwt_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using partyline::access::check_claims;
using partyline::access::claim_rules;
using partyline::access::object_members;
using partyline::access::token_verdict;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

token_verdict checked(const std::string& claims, const claim_rules& rules = our_rules(),
                      std::chrono::system_clock::time_point now = noon)
{
    const std::optional<object_members> read = object_members::read(claims, 32);
    BOOST_REQUIRE(read);
    return check_claims(*read, rules, now);
}

std::string outcome(const std::string& claims, std::chrono::system_clock::time_point now = noon)
{
    return words(checked(claims, our_rules(), now).outcome);
}

std::string with(std::string_view name, std::string_view value)
{
    return claims_without(name, ",\"" + std::string(name) + "\":" + std::string(value));
}

std::string list_of(std::size_t count, const std::string& element)
{
    std::string text = "[";
    for (std::size_t i = 0; i != count; ++i)
        text += (i == 0 ? "" : ",") + element;
    return text + "]";
}

using scopes = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(claims_of_tokens)

BOOST_AUTO_TEST_CASE(good_claims_are_admitted)
{
    BOOST_TEST(outcome(good_claims()) == "admitted");
}

BOOST_AUTO_TEST_CASE(the_end_has_60_s_of_leeway)
{
    const auto end = noon + 300s;
    BOOST_TEST(outcome(good_claims(), end - 1s) == "admitted");
    BOOST_TEST(outcome(good_claims(), end) == "admitted");
    BOOST_TEST(outcome(good_claims(), end + 59s) == "admitted");
    BOOST_TEST(outcome(good_claims(), end + 60s) == "expired");
    BOOST_TEST(outcome(good_claims(), end + 61s) == "expired");
    BOOST_TEST(outcome(good_claims(), end + 24h * 365) == "expired");
    BOOST_TEST(outcome(with("exp", "1799999940.5")) == "admitted");
    BOOST_TEST(outcome(with("exp", "1799999940")) == "expired");
    BOOST_TEST(outcome(with("exp", "1.8000003E9")) == "admitted");
    BOOST_TEST(outcome(with("exp", "0")) == "expired");
}

BOOST_AUTO_TEST_CASE(the_end_is_needed_and_a_sensible_number)
{
    BOOST_TEST(outcome(claims_without("exp")) == "invalid");
    for (const char* const row :
         {R"("1800000300")", "1e308", "1e400", "-1", "-1e308", "null", "true", "[1800000300]", "{}", R"("NaN")",
          R"("inf")", "1800000300000", "253402300800", "99999999999999999999999999"})
        BOOST_TEST(outcome(with("exp", row)) == "invalid", row);
}

BOOST_AUTO_TEST_CASE(the_last_end_is_one_that_clocks_have)
{
    const token_verdict verdict = checked(with("exp", "253402300799"));
    BOOST_TEST(words(verdict.outcome) == "admitted");
    BOOST_CHECK(verdict.peer.until > noon);
}

BOOST_AUTO_TEST_CASE(the_begin_has_60_s_of_leeway)
{
    for (const char* const name : {"nbf", "iat"}) {
        BOOST_TEST_CONTEXT(name)
        {
            BOOST_TEST(outcome(claims_without(name)) == "admitted");
            BOOST_TEST(outcome(with(name, "1800000059")) == "admitted");
            BOOST_TEST(outcome(with(name, "1800000060")) == "admitted");
            BOOST_TEST(outcome(with(name, "1800000060.5")) == "invalid");
            BOOST_TEST(outcome(with(name, "1800000061")) == "invalid");
            BOOST_TEST(outcome(with(name, "0")) == "admitted");
            for (const char* const row : {R"("1")", "-1", "1e308", "null", "[]"})
                BOOST_TEST(outcome(with(name, row)) == "invalid", row);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_issuer_is_compared_exactly)
{
    BOOST_TEST(outcome(claims_without("iss")) == "invalid");
    for (const char* const row :
         {R"("https://as.example.org/")", R"("https://AS.example.org")", R"("https://as.example.or")", R"("")", "null",
          R"(["https://as.example.org"])", R"("https://as.example.org\u0000")", "1"})
        BOOST_TEST(outcome(with("iss", row)) == "invalid", row);
    BOOST_TEST(outcome(with("iss", R"("https:\/\/as.example.org")")) == "admitted");
}

BOOST_AUTO_TEST_CASE(one_audience_must_be_ours)
{
    BOOST_TEST(outcome(claims_without("aud")) == "wrong audience");
    for (const char* const row : {R"("https://rpc.example.org")", R"("https://rpc.example.org/mcp/")",
                                  R"("https://rpc.example.org/mc")", R"("HTTPS://rpc.example.org/mcp")", R"("")", "[]",
                                  R"(["https://rpc.example.org"])", R"("https://rpc.example.org/mcp https://x")"})
        BOOST_TEST(outcome(with("aud", row)) == "wrong audience", row);
    for (const char* const row : {"1", "null", "true", R"({"https://rpc.example.org/mcp":1})",
                                  R"([["https://rpc.example.org/mcp"]])", R"(["https://rpc.example.org/mcp",1])"})
        BOOST_TEST(outcome(with("aud", row)) == "invalid", row);
    for (const char* const row :
         {R"(["https://rpc.example.org/mcp"])", R"(["a", "https://rpc.example.org/mcp"])",
          R"("https://other.example.org")", R"(["https://other.example.org","https://rpc.example.org/mcp"])"})
        BOOST_TEST(outcome(with("aud", row)) == "admitted", row);
}

BOOST_AUTO_TEST_CASE(a_list_of_1000_audiences_is_searched)
{
    const std::string others = list_of(1000, R"("a")");
    BOOST_TEST(outcome(with("aud", others)) == "wrong audience");
    BOOST_TEST(outcome(with("aud", others.substr(0, others.size() - 1) + R"(,"https://rpc.example.org/mcp"])")) ==
               "admitted");
}

BOOST_AUTO_TEST_CASE(no_audience_of_ours_admits_nobody)
{
    claim_rules rules = our_rules();
    rules.audiences.clear();
    BOOST_TEST(words(checked(good_claims(), rules).outcome) == "wrong audience");
}

BOOST_AUTO_TEST_CASE(the_principal_is_of_1_to_256_printable_bytes_with_its_prefix)
{
    BOOST_TEST(outcome(claims_without("sub")) == "invalid");
    for (const std::string row : {R"("")", "1", "null", R"(["alice"])", R"("a\nb")", R"("a\u0000")", R"("a\u001b[2J")",
                                  R"("a\u202eb")", R"("a\u007f")", R"("a\u2028")"})
        BOOST_TEST(outcome(with("sub", row)) == "invalid", row);
    for (const std::string row :
         {R"("a")", R"("auth0|5f7c8ec7c33c6c004bbafe82")", "\"\xC3\x84rzte\"", R"("CN=a, O=b")"})
        BOOST_TEST(outcome(with("sub", row)) == "admitted", row);
    std::string umlauts;
    for (int i = 0; i != 128; ++i)
        umlauts += "\xC3\xA4";
    BOOST_TEST(outcome(with("sub", '"' + std::string(256, 'a') + '"')) == "admitted");
    BOOST_TEST(outcome(with("sub", '"' + std::string(257, 'a') + '"')) == "invalid");
    BOOST_TEST(outcome(with("sub", '"' + umlauts + '"')) == "admitted");
    BOOST_TEST(outcome(with("sub", '"' + umlauts + "a\"")) == "invalid");
    claim_rules prefixed = our_rules();
    prefixed.prefix = "as:";
    BOOST_TEST(words(checked(with("sub", '"' + std::string(253, 'a') + '"'), prefixed).outcome) == "admitted");
    for (const std::string& row : {std::string(254, 'a'), std::string()})
        BOOST_TEST(words(checked(with("sub", '"' + row + '"'), prefixed).outcome) == "invalid");
}

BOOST_AUTO_TEST_CASE(another_claim_may_be_the_principal)
{
    claim_rules rules = our_rules();
    rules.principal = "client_id";
    BOOST_TEST(words(checked(good_claims(), rules).outcome) == "invalid");
    BOOST_TEST(checked(good_claims(R"(,"client_id":"agent-7")"), rules).peer.principal == "agent-7");
}

BOOST_AUTO_TEST_CASE(scopes_are_a_text_or_a_list)
{
    BOOST_TEST(checked(claims_without("scope")).peer.scopes == scopes());
    BOOST_TEST(checked(with("scope", R"("")")).peer.scopes == scopes());
    BOOST_TEST(checked(with("scope", R"("  b  a b ")")).peer.scopes == (scopes{"a", "b"}));
    BOOST_TEST(checked(with("scope", R"(["b","a","b"])")).peer.scopes == (scopes{"a", "b"}));
    for (const char* const row : {"1", "null", "{}", R"([1])", R"(["a",null])", R"([["a"]])"})
        BOOST_TEST(outcome(with("scope", row)) == "invalid", row);
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_scopes_are_left_out)
{
    BOOST_TEST(checked(with("scope", R"(["two words","a","","\"","\\","\u00e4","b\u0000","b"])")).peer.scopes ==
               (scopes{"a", "b"}));
    BOOST_TEST(checked(with("scope", R"("a\nb c")")).peer.scopes == scopes{"c"});
    BOOST_TEST(checked(with("scope", '"' + std::string(256, 'a') + ' ' + std::string(257, 'b') + '"')).peer.scopes ==
               scopes{std::string(256, 'a')});
}

BOOST_AUTO_TEST_CASE(another_claim_may_have_the_scopes)
{
    claim_rules rules = our_rules();
    rules.scopes = "scp";
    BOOST_TEST(checked(good_claims(), rules).peer.scopes == scopes());
    BOOST_TEST(checked(good_claims(R"(,"scp":"x y")"), rules).peer.scopes == (scopes{"x", "y"}));
}

BOOST_AUTO_TEST_CASE(there_are_256_scopes_at_most)
{
    BOOST_TEST(outcome(with("scope", list_of(256, R"("a")"))) == "admitted");
    BOOST_TEST(outcome(with("scope", list_of(257, R"("a")"))) == "invalid");
    std::string text;
    for (int i = 0; i != 257; ++i)
        text += "a ";
    BOOST_TEST(outcome(with("scope", '"' + text + '"')) == "invalid");
}

BOOST_AUTO_TEST_SUITE_END()
