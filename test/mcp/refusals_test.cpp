// Requests that ask for what there is not, or say it wrongly.

#include "mcp/contained.hpp"
#include "mcp/each_revision.hpp"
#include "mcp/fixture_server.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

struct row {
    std::string_view method;
    std::string_view params;
    int code;
    std::string_view data = "null"; // what its data has in it
    revision since = revision::v2024_11_05;
    revision until = revision::v2026_07_28;
};

constexpr std::string_view nowhere = R"({"uri":"test://nonexistent-resource-for-conformance-testing"})";

const row rows[] = {
    {"tools/call", R"({"name":"no_such_tool","arguments":{}})", -32602},
    {"tools/call", R"({"arguments":{}})", -32602, R"({"parameter":"name","expected":"string"})"},
    {"tools/call", R"({"name":7})", -32602, R"({"parameter":"name"})"},
    {"tools/call", R"({"name":"echo","arguments":[]})", -32602, R"({"parameter":"arguments","expected":"object"})"},
    {"tools/call", R"({"name":"json_schema_2020_12_tool"})", -32602, "{}", revision::v2024_11_05,
     revision::v2025_06_18},
    {"tools/call", R"({"name":"test_dynamic_tool"})", -32602},
    {"prompts/get", R"({"name":"no_such_prompt"})", -32602},
    {"prompts/get", R"({"name":"test_prompt_with_arguments","arguments":{"arg1":"x"}})", -32602,
     R"({"parameter":"arg2"})"},
    {"prompts/get", R"({"name":"test_prompt_with_arguments","arguments":{"arg1":1,"arg2":"x"}})", -32602,
     R"({"parameter":"arg1"})"},
    {"resources/read", nowhere, -32002, nowhere, revision::v2024_11_05, revision::v2025_11_25},
    {"resources/read", nowhere, -32602, nowhere, revision::v2026_07_28},
    {"resources/read", R"({"uri":"test://template/a/b/data"})", -32602, R"({"uri":"test://template/a/b/data"})",
     revision::v2026_07_28},
    {"resources/read", "{}", -32602, R"({"parameter":"uri"})"},
    {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"no_such"},"argument":{"name":"a","value":""}})",
     -32602, R"({"parameter":"ref.name"})"},
    {"completion/complete", R"({"ref":{"type":"ref/else","name":"no_such"},"argument":{"name":"a","value":""}})",
     -32602, R"({"parameter":"ref.type"})"},
    {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"test_simple_prompt"}})", -32602,
     R"({"parameter":"argument"})"},
    {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"test_simple_prompt"},"argument":{"value":""}})",
     -32602, R"({"parameter":"argument.name"})"},
    {"completion/complete", R"({"ref":{"type":"ref/prompt"},"argument":{"name":"a","value":""}})", -32602,
     R"({"parameter":"ref.name","expected":"string"})"},
    {"tools/list", R"({"cursor":"nobody issued it"})", -32602, R"({"parameter":"cursor"})"},
    {"tools/list", R"({"cursor":7})", -32602, R"({"parameter":"cursor"})"},
    {"resources/list", R"({"cursor":""})", -32602, R"({"parameter":"cursor"})"},
    {"resources/templates/list", R"({"cursor":"x"})", -32602},
    {"prompts/list", R"({"cursor":"x"})", -32602},
    {"logging/setLevel", R"({"level":"loud"})", -32602, R"({"parameter":"level"})", revision::v2024_11_05,
     revision::v2025_11_25},
    {"resources/subscribe", "{}", -32602, R"({"parameter":"uri"})", revision::v2024_11_05, revision::v2025_11_25},
    {"unknown/method", "{}", -32601},
    {"server/discover", "{}", -32601, "null", revision::v2024_11_05, revision::v2025_11_25},
    {"subscriptions/listen", R"({"notifications":{}})", -32601, "null", revision::v2024_11_05, revision::v2025_11_25},
    {"subscriptions/listen", "{}", -32602, R"({"parameter":"notifications"})", revision::v2026_07_28},
    {"initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}})",
     -32600, "null", revision::v2024_11_05, revision::v2025_11_25},
    {"initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}})",
     -32601, "null", revision::v2026_07_28},
    {"ping", "{}", -32601, "null", revision::v2026_07_28},
    {"logging/setLevel", R"({"level":"info"})", -32601, "null", revision::v2026_07_28},
    {"resources/subscribe", R"({"uri":"test://watched-resource"})", -32601, "null", revision::v2026_07_28},
    {"resources/unsubscribe", R"({"uri":"test://watched-resource"})", -32601, "null", revision::v2026_07_28},
    {"tasks/list", "{}", -32601},
    {"tasks/get", R"({"taskId":"x"})", -32601, "null", revision::v2024_11_05, revision::v2025_11_25},
    {"tasks/get", R"({"taskId":"x"})", -32021,
     R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})", revision::v2026_07_28},
};

// What a model is told since it can do better; before 2025-11-25 it is the program that is told.
struct wrong_arguments {
    std::string_view tool;
    std::string_view arguments;
    std::vector<std::string_view> told;
};

const wrong_arguments for_models[] = {
    {"echo", "{}", {"message"}},
    {"echo", R"({"message":7})", {"message", "string"}},
    {"echo", R"({"message":"x","other":1})", {"other"}},
    {"slow", R"({"steps":0,"ms":-1})", {"2 arguments", "steps", "from 1 to 100000", "ms", "from 0 to 60000"}},
    {"slow", R"({"steps":"x","ms":1.5,"more":true})", {"3 arguments", "steps", "ms", "more"}},
    {"test_simple_text", R"({"x":1})", {"x"}},
    {"json_schema_2020_12_tool",
     R"({"name":1,"address":{"city":2},"other":3})",
     {"/name", "/address/city", "/other", "phone", "email"}},
};

} // namespace

BOOST_AUTO_TEST_SUITE(refusals, *boost::unit_test::timeout(100))

// rule: mcp.response.one, mcp.error.members, mcp.error.code, mcp.error.legacy_range, mcp.error.retired
// rule: mcp.tools.protocol_error, mcp.resources.not_found, mcp.resources.not_found_legacy, mcp.resources.empty
// rule: mcp.prompts.errors, mcp.prompts.validate, mcp.completion.errors, mcp.completion.validate, mcp.log.wrong_level
// rule: mcp.pages.wrong
BOOST_AUTO_TEST_CASE(errors_have_the_code_and_the_data_of_their_revision)
{
    request_in_each_revision(rows, [](fixture_server& s, const row& what, revision) {
        const json::object error = s.read_error("7", what.code);
        const json::value* const data = error.if_contains("data");
        const json::value expected = json::parse(what.data);
        if (!expected.is_null())
            BOOST_TEST(difference(expected, data ? *data : json::value()) == "");
    });
}

// rule: mcp.tools.wrong_arguments, mcp.tools.inputs
BOOST_AUTO_TEST_CASE(all_that_is_wrong_with_arguments_is_told_at_once)
{
    for (const revision r : {revision::v2025_11_25, revision::v2026_07_28}) {
        fixture_server s(r);
        for (const wrong_arguments& one : for_models) {
            BOOST_TEST_CONTEXT(one.tool << ' ' << one.arguments)
            {
                s.call("1", r, one.tool, one.arguments);
                const json::object result = s.read_result("1");
                BOOST_TEST(is_tool_error(result));
                for (const std::string_view word : one.told)
                    BOOST_TEST(contains(text_of(result), word), text_of(result));
            }
        }
        s.finish();
    }
}

// rule: mcp.tools.inputs
BOOST_AUTO_TEST_CASE(programs_are_told_of_wrong_arguments_before_models_were)
{
    for (const revision r : {revision::v2024_11_05, revision::v2025_03_26, revision::v2025_06_18}) {
        fixture_server s(r);
        for (const wrong_arguments& one : for_models) {
            BOOST_TEST_CONTEXT(one.tool << ' ' << one.arguments)
            {
                s.call("1", r, one.tool, one.arguments);
                s.read_error("1", -32602);
            }
        }
        s.finish();
    }
}

BOOST_AUTO_TEST_SUITE_END()
