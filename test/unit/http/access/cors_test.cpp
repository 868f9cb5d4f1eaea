#include "http/access/cors.hpp"
#include "made_head.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace http = partyline::http;

using partyline::test::contains;
using partyline::test::made_head;

BOOST_AUTO_TEST_SUITE(http_cors)

BOOST_AUTO_TEST_CASE(a_listed_page_may_read_the_session_and_caches_keep_it_apart)
{
    const std::string fields = http::cors_fields("https://page.example");
    BOOST_TEST(fields == "Access-Control-Allow-Origin: https://page.example\r\nVary: Origin\r\n"
                         "Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate\r\n");
}

BOOST_AUTO_TEST_CASE(options_without_a_preflight_tell_the_methods_alone)
{
    const made_head head({{"Host", "localhost"}, {"Access-Control-Request-Headers", "mcp-param-a"}});
    BOOST_TEST(http::preflight_fields(head, "POST, OPTIONS") == "Allow: POST, OPTIONS\r\n");
}

BOOST_AUTO_TEST_CASE(a_preflight_is_told_what_may_be_sent)
{
    const made_head head({{"Access-Control-Request-Method", "POST"}});
    BOOST_TEST(http::preflight_fields(head, "GET, POST") ==
               "Allow: GET, POST\r\nAccess-Control-Allow-Methods: GET, POST\r\n"
               "Access-Control-Allow-Headers: Authorization, Content-Type, Accept, Last-Event-ID, traceparent, "
               "tracestate, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Partyline-Proof\r\n"
               "Access-Control-Max-Age: 600\r\n");
}

BOOST_AUTO_TEST_CASE(pages_may_send_what_handlers_read)
{
    const made_head head({{"Access-Control-Request-Method", "POST"}});
    const std::vector<std::string> read{"x-tenant", "x-role"};
    BOOST_TEST(contains(http::preflight_fields(head, "POST", read), ", Partyline-Proof, x-tenant, x-role\r\n"));
}

BOOST_AUTO_TEST_CASE(of_the_fields_that_are_asked_for_those_of_parameters_are_told)
{
    const struct {
        const char* asked;
        const char* told; // behind the last of the others
    } rows[] = {
        {"mcp-param-region", "Partyline-Proof, mcp-param-region\r\n"},
        {"Mcp-Param-A,mcp-param-b", "Partyline-Proof, Mcp-Param-A, mcp-param-b\r\n"},
        {" mcp-param-a\t, content-type ,, mcp-param-b", "Partyline-Proof, mcp-param-a, mcp-param-b\r\n"},
        {"mcp-param-", "Partyline-Proof\r\n"},
        {"x-mcp-param-a", "Partyline-Proof\r\n"},
        {"mcp-param-a b", "Partyline-Proof\r\n"},
        {"mcp-param-a:b", "Partyline-Proof\r\n"},
        {"mcp-param-\xc3\xa4", "Partyline-Proof\r\n"},
        {"mcp-param-a\r\nSet-Cookie: b", "Partyline-Proof\r\n"},
        {"*", "Partyline-Proof\r\n"},
        {"cookie", "Partyline-Proof\r\n"},
    };
    for (const auto& row : rows) {
        const made_head head(
            {{"Access-Control-Request-Method", "POST"}, {"Access-Control-Request-Headers", row.asked}});
        const std::string fields = http::preflight_fields(head, "POST");
        BOOST_TEST_CONTEXT(row.asked)
        {
            BOOST_TEST(contains(fields, row.told), fields);
            BOOST_TEST(!contains(fields, "Cookie"), fields);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
