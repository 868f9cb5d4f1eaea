#include "http/access/read_challenge.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace partyline::http {
namespace {

challenge read(const std::vector<std::string>& values, int status = 401)
{
    std::vector<field> fields = {{"Content-Type", "text/plain"}};
    for (const std::string& one : values)
        fields.push_back({"WWW-Authenticate", one});
    return read_challenge(status, fields);
}

BOOST_AUTO_TEST_SUITE(http_read_challenge)

BOOST_AUTO_TEST_CASE(a_challenge_has_the_status_and_the_parameters_of_bearer)
{
    const challenge told = read({R"(Bearer error="insufficient_scope", scope="files:read files:write", )"
                                 R"(resource_metadata="https://example.org/.well-known/oauth-protected-resource", )"
                                 R"(error_description="more is needed", realm="x")"},
                                403);
    BOOST_TEST(told.status == 403);
    BOOST_TEST(told.scheme == "Bearer");
    BOOST_TEST(told.error == "insufficient_scope");
    BOOST_TEST(told.error_description == "more is needed");
    BOOST_TEST(told.scope == "files:read files:write");
    BOOST_TEST(told.resource_metadata == "https://example.org/.well-known/oauth-protected-resource");
    BOOST_TEST(told.refused_token == "");
}

BOOST_AUTO_TEST_CASE(a_refusal_without_the_field_challenges_nobody)
{
    BOOST_TEST(read({}).scheme == "");
    BOOST_TEST(read({""}).scheme == "");
    BOOST_TEST(read({" , ,"}).scheme == "");
}

BOOST_AUTO_TEST_CASE(the_challenge_of_bearer_is_found_among_several)
{
    const std::vector<std::vector<std::string>> ways = {
        {"Bearer scope=a"},
        {"bearer Scope=\"a\""},
        {"BEARER  scope = \"\\a\""},
        {"Basic realm=\"x, Bearer scope=b\", charset=\"UTF-8\", Bearer scope=a"},
        {"Negotiate, Bearer scope=a, Basic realm=x"},
        {"Negotiate YWJj/+-._~==, Bearer scope=a"},
        {",, Bearer scope=a ,,"},
        {"Bearer\t scope=a\t,\tDPoP algs=\"ES256\""},
        {"Basic realm=x", "Bearer scope=a"},
        {"Bearer scope=a", "Bearer scope=b"},
        {"Bearer scope=\"b", "Bearer scope=a"}, // the first one breaks the grammar
        {"Bearer scope=a, Bearer scope=b, error=c"},
    };
    for (const auto& values : ways) {
        BOOST_TEST_CONTEXT(values.front())
        {
            BOOST_TEST(read(values).scheme == "Bearer");
            BOOST_TEST(read(values).scope == "a");
            BOOST_TEST(read(values).error == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(parameters_of_another_scheme_are_not_those_of_bearer)
{
    const challenge told = read({R"(Bearer, Basic scope="b", error=e)"});
    BOOST_TEST(told.scheme == "Bearer");
    BOOST_TEST(told.scope == "");
    BOOST_TEST(told.error == "");
}

BOOST_AUTO_TEST_CASE(without_bearer_the_first_scheme_is_told)
{
    BOOST_TEST(read({"Basic realm=x, DPoP scope=a"}).scheme == "Basic");
    BOOST_TEST(read({"DPoP", "Basic realm=x"}).scheme == "DPoP");
    BOOST_TEST(read({"Basic realm=x, DPoP scope=a"}).scope == "");
}

BOOST_AUTO_TEST_CASE(quoted_texts_are_read_without_their_quotes_and_escapes)
{
    BOOST_TEST(read({R"(Bearer error_description="a \"b\" \\ c, d=e")"}).error_description == R"(a "b" \ c, d=e)");
    BOOST_TEST(read({R"(Bearer scope="")"}).scope == "");
}

BOOST_AUTO_TEST_CASE(a_field_that_breaks_the_grammar_is_passed_over_as_a_whole)
{
    const std::vector<std::string> wrong = {"=",
                                            "\"Bearer\"",
                                            "Bearer scope",
                                            "scope=a",
                                            "Bearer scope=",
                                            "Bearer scope=, error=x",
                                            "Bearer scope=\"a",
                                            "Bearer scope=\"a\\",
                                            "Bearer scope=\"a\"b",
                                            "Bearer scope=a b",
                                            "Bearer scope=a error=b",
                                            "Bearer scope=a; error=b",
                                            "Bearer scope=a, scope=b",
                                            "Bearer scope=a, SCOPE=a",
                                            "Bearer\"x\"",
                                            "Bearer =a",
                                            "Bearer resource_metadata=https://example.org/x",
                                            "Bearer scope==a",
                                            "Bearer YWJj, =x",
                                            "Bearer \xc3\xa4=b"};
    for (const std::string& value : wrong) {
        BOOST_TEST_CONTEXT(value)
        {
            BOOST_TEST(read({value + ", DPoP"}).scope == "");
            BOOST_TEST(read({value}).error == "");
        }
    }
    BOOST_TEST(read({"Bearer scope=a error=b"}).scheme == "");
}

BOOST_AUTO_TEST_CASE(fields_and_parameters_are_bounded)
{
    const std::string name = "Bearer scope=\"";
    BOOST_TEST(read({name + std::string(8192 - name.size() - 1, 'a') + '"'}).scope.size() == 8192 - name.size() - 1);
    BOOST_TEST(read({name + std::string(8192 - name.size(), 'a') + '"'}).scheme == "");
    std::string many = "Bearer scope=a";
    for (int i = 1; i != 32; ++i)
        many += ", p" + std::to_string(i) + "=x";
    BOOST_TEST(read({many}).scope == "a");
    BOOST_TEST(read({many + ", p=x"}).scheme == "");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace partyline::http
