// Fields of a request that repeat what its body says.

#include "http/sessions/mirrored_fields.hpp"
#include "made_head.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace http = partyline::http;

using partyline::test::made_head;

namespace {

using given_fields = std::vector<http::field>;

std::string wrong_field(const given_fields& sent, const http::mcp_message& m)
{
    const made_head head(sent);
    const auto wrong = http::find_mismatch(head, m);
    return wrong ? wrong->field : "none";
}

http::mcp_message call_of(std::string name)
{
    http::mcp_message m;
    m.method = "tools/call";
    m.version = "2026-07-28";
    m.name = std::move(name);
    m.has_name = true;
    return m;
}

std::string wrong_parameter(const given_fields& sent, const std::string& arguments, const http::mirrored_arguments& of)
{
    const made_head head(sent);
    partyline::message_reader reader(partyline::limits{});
    const std::string text =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":)" + arguments + "}}";
    reader.read(text);
    const auto wrong = http::find_mismatch(head, reader, of);
    return wrong ? wrong->field + ": " + wrong->expected + ", " + wrong->actual : "none";
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_repeated_fields)

BOOST_AUTO_TEST_CASE(standard_fields_are_there_once_and_say_the_same_as_the_body)
{
    const http::field version{"MCP-Protocol-Version", "2026-07-28"};
    const http::field method{"Mcp-Method", "tools/call"};
    const http::field name{"Mcp-Name", "echo"};
    const struct {
        given_fields sent;
        const char* wrong;
    } rows[] = {
        {{version, method, name}, "none"},
        {{name, method, version, {"Mcp-Param-X", "y"}}, "none"},
        {{{"mcp-protocol-version", "2026-07-28"}, {"MCP-METHOD", "tools/call"}, {"mcp-name", "echo"}}, "none"},
        {{version, method, {"Mcp-Name", "=?base64?ZWNobw==?="}}, "none"},
        {{method, name}, "MCP-Protocol-Version"},
        {{{"MCP-Protocol-Version", "2025-11-25"}, method, name}, "MCP-Protocol-Version"},
        {{{"MCP-Protocol-Version", ""}, method, name}, "MCP-Protocol-Version"},
        {{version, version, method, name}, "MCP-Protocol-Version"},
        {{version, name}, "Mcp-Method"},
        {{version, {"Mcp-Method", "tools/list"}, name}, "Mcp-Method"},
        {{version, {"Mcp-Method", "Tools/Call"}, name}, "Mcp-Method"},
        {{version, method, method, name}, "Mcp-Method"},
        {{version, method}, "Mcp-Name"},
        {{version, method, {"Mcp-Name", "other"}}, "Mcp-Name"},
        {{version, method, {"Mcp-Name", "Echo"}}, "Mcp-Name"},
        {{version, method, name, {"mcp-name", "other"}}, "Mcp-Name"},
        {{version, method, {"Mcp-Name", "=?base64?ZWNobw?="}}, "Mcp-Name"},
        {{version, method, {"Mcp-Name", "=?base64?ZWNobw=="}}, "Mcp-Name"},
    };
    std::size_t number = 0;
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT("row " << number)
        {
            BOOST_TEST(wrong_field(row.sent, call_of("echo")) == row.wrong);
        }
        ++number;
    }
    BOOST_TEST(wrong_field({version, method, {"Mcp-Name", "=?base64?w6Q=?="}}, call_of("\xc3\xa4")) == "none");
}

BOOST_AUTO_TEST_CASE(arguments_that_fields_repeat_are_the_same_there)
{
    const struct {
        const char* arguments;
        given_fields sent;
        const char* wrong;
    } rows[] = {
        {R"({"region":"us-west1"})", {{"Mcp-Param-Region", "us-west1"}}, "none"},
        {R"({"region":"us-west1"})", {{"MCP-PARAM-REGION", "us-west1"}}, "none"},
        {R"({"region":"Hello"})", {{"Mcp-Param-Region", "=?base64?SGVsbG8=?="}}, "none"},
        {R"({"region":"Hello"})", {{"Mcp-Param-Region", "Hello"}, {"Mcp-Param-Unknown", "1"}}, "none"},
        {R"({"region":""})", {{"Mcp-Param-Region", ""}}, "none"},
        {R"({"region":"\u00e4\"\\"})", {{"Mcp-Param-Region", "=?base64?w6QiXA==?="}}, "none"},
        {R"({"region":null})", {}, "none"},
        {R"({})", {}, "none"},
        {R"([])", {}, "none"},
        {R"({"region":true})", {{"Mcp-Param-Region", "true"}}, "none"},
        {R"({"region":42})", {{"Mcp-Param-Region", "42"}}, "none"},
        {R"({"region":42})", {{"Mcp-Param-Region", "42.0"}}, "none"},
        {R"({"region":42.0})", {{"Mcp-Param-Region", "42"}}, "none"},
        {R"({"region":4.2e1})", {{"Mcp-Param-Region", "042"}}, "none"},
        {R"({"region":-7})", {{"Mcp-Param-Region", "-7"}}, "none"},
        {R"({"region":9007199254740993})", {{"Mcp-Param-Region", "9007199254740993"}}, "none"},
        {R"({"region":1})", {{"Mcp-Param-Region", "=?base64?MQ==?="}}, "none"},

        {R"({"region":"us-west1"})", {}, "Mcp-Param-Region: us-west1, "},
        {R"({"region":"us-west1"})", {{"Mcp-Param-Region", "us-west2"}}, "Mcp-Param-Region: us-west1, us-west2"},
        {R"({"region":"us-west1"})", {{"Mcp-Param-Region", "US-west1"}}, "Mcp-Param-Region: us-west1, US-west1"},
        {R"({"region":"a"})", {{"Mcp-Param-Region", "a"}, {"Mcp-Param-region", "a"}}, "Mcp-Param-Region: a, a"},
        {R"({"region":"Hello"})",
         {{"Mcp-Param-Region", "=?base64?SGVsbG8?="}},
         "Mcp-Param-Region: Hello, =?base64?SGVsbG8?="},
        {R"({"region":null})", {{"Mcp-Param-Region", "null"}}, "Mcp-Param-Region: , null"},
        {R"({})", {{"Mcp-Param-Region", ""}}, "Mcp-Param-Region: , "},
        {R"({"region":true})", {{"Mcp-Param-Region", "1"}}, "Mcp-Param-Region: true, 1"},
        // Of a string the characters count, whatever they look like.
        {R"({"region":"7"})", {{"Mcp-Param-Region", "07"}}, "Mcp-Param-Region: 7, 07"},
        {R"({"region":"7"})", {{"Mcp-Param-Region", "7.0"}}, "Mcp-Param-Region: 7, 7.0"},
        {R"({"region":42})", {{"Mcp-Param-Region", "43"}}, "Mcp-Param-Region: 42, 43"},
        {R"({"region":42})", {{"Mcp-Param-Region", "42.5"}}, "Mcp-Param-Region: 42, 42.5"},
        {R"({"region":42})", {{"Mcp-Param-Region", "42x"}}, "Mcp-Param-Region: 42, 42x"},
        {R"({"region":42})", {{"Mcp-Param-Region", "0x2a"}}, "Mcp-Param-Region: 42, 0x2a"},
        {R"({"region":42})", {{"Mcp-Param-Region", ""}}, "Mcp-Param-Region: 42, "},
        {R"({"region":0})", {{"Mcp-Param-Region", "nan"}}, "Mcp-Param-Region: 0, nan"},
        {R"({"region":1e999})", {{"Mcp-Param-Region", "inf"}}, "Mcp-Param-Region: 1e999, inf"},
        {R"({"region":9007199254740993})",
         {{"Mcp-Param-Region", "9007199254740992"}},
         "Mcp-Param-Region: 9007199254740993, 9007199254740992"},
        {R"({"region":9007199254740993.0})",
         {{"Mcp-Param-Region", "9007199254740992"}},
         "Mcp-Param-Region: 9007199254740993.0, 9007199254740992"},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.arguments << ' ' << (row.sent.empty() ? "" : row.sent.front().value))
        {
            BOOST_TEST(wrong_parameter(row.sent, row.arguments, {{"Region", {"region"}}}) == row.wrong);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_argument_is_found_by_the_properties_that_lead_to_it)
{
    const http::mirrored_arguments of = {{"Zone", {"where", "zone"}}, {"Tenant", {"tenant"}}};
    const std::string arguments = R"({"where":{"zone":"a"},"tenant":"b","zone":"c"})";
    BOOST_TEST(wrong_parameter({{"Mcp-Param-Zone", "a"}, {"Mcp-Param-Tenant", "b"}}, arguments, of) == "none");
    BOOST_TEST(wrong_parameter({{"Mcp-Param-Zone", "c"}, {"Mcp-Param-Tenant", "b"}}, arguments, of) ==
               "Mcp-Param-Zone: a, c");
    BOOST_TEST(wrong_parameter({{"Mcp-Param-Zone", "a"}}, arguments, of) == "Mcp-Param-Tenant: b, ");
    BOOST_TEST(wrong_parameter({}, R"({"where":"zone"})", of) == "none");
}

BOOST_AUTO_TEST_SUITE_END()
