// What calls that ask nothing come to, in every revision that has it.

#include "mcp/contained.hpp"
#include "mcp/each_revision.hpp"
#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
#define WAV "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

struct row {
    std::string_view method;
    std::string_view params;
    std::string_view result;
    revision since = revision::v2024_11_05;
    revision until = revision::v2026_07_28;
};

const row rows[] = {
    {"tools/call", R"({"name":"test_simple_text"})",
     R"({"content":[{"type":"text","text":"This is a simple text response for testing."}]})"},
    {"tools/call", R"({"name":"test_simple_text","arguments":{}})",
     R"({"content":[{"type":"text","text":"This is a simple text response for testing."}]})"},
    {"tools/call", R"({"name":"test_simple_text","arguments":null})",
     R"({"content":[{"type":"text","text":"This is a simple text response for testing."}]})"},
    {"tools/call", R"({"name":"test_image_content"})",
     R"({"content":[{"type":"image","data":")" PNG R"(","mimeType":"image/png"}]})"},
    {"tools/call", R"({"name":"test_audio_content"})",
     R"({"content":[{"type":"audio","data":")" WAV R"(","mimeType":"audio/wav"}]})", revision::v2025_03_26},
    {"tools/call", R"({"name":"test_audio_content"})", R"({"content":[{"type":"text"}]})", revision::v2024_11_05,
     revision::v2024_11_05},
    {"tools/call", R"({"name":"test_embedded_resource"})",
     R"({"content":[{"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain",
         "text":"This is an embedded resource content."}}]})"},
    {"tools/call", R"({"name":"test_multiple_content_types"})",
     R"({"content":[{"type":"text","text":"Multiple content types test:"},
                    {"type":"image","data":")" PNG R"(","mimeType":"image/png"},
                    {"type":"resource","resource":{"uri":"test://mixed-content-resource",
                     "mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}]})"},
    {"tools/call", R"({"name":"test_error_handling"})",
     R"({"isError":true,
         "content":[{"type":"text","text":"This tool intentionally returns an error for testing"}]})"},
    {"tools/call", R"({"name":"test_reconnection"})",
     R"({"content":[{"type":"text","text":"Reconnection test completed successfully. If you received this, the client properly reconnected after stream closure."}]})"},
    {"tools/call", R"({"name":"echo","arguments":{"message":"\u00e4\u0000\n"}})",
     R"({"content":[{"type":"text","text":"\u00e4\u0000\n"}]})"},
    {"tools/call",
     R"({"name":"json_schema_2020_12_tool","arguments":{"name":"N","phone":"1","contactMethod":"phone"}})",
     R"({"content":[{"type":"text","text":"{\"name\":\"N\",\"phone\":\"1\",\"contactMethod\":\"phone\"}"}]})"},
    {"tools/call", R"({"name":"json_schema_2020_12_tool","arguments":{"email":"e","address":{"city":"C"}}})",
     R"({"content":[{"type":"text","text":"{\"email\":\"e\",\"address\":{\"city\":\"C\"}}"}]})"},
    {"tools/call", R"({"name":"json_schema_2020_12_tool","arguments":{"name":1,"email":"e"}})", R"({"isError":true})",
     revision::v2025_11_25},
    {"tools/call", R"({"name":"json_schema_2020_12_tool","arguments":{"email":"e","other":1}})", R"({"isError":true})",
     revision::v2025_11_25},
    {"tools/call", R"({"name":"json_schema_2020_12_tool"})", R"({"isError":true})", revision::v2025_11_25},
    {"tools/call", R"({"name":"test_x_mcp_header","arguments":{"region":"eu"}})",
     R"({"content":[{"type":"text","text":"Region: eu"}]})"},
    {"tools/call", R"({"name":"test_missing_capability"})", R"({"content":[{"type":"text","text":"Success"}]})"},
    {"tools/call", R"({"name":"spam_stdout"})", R"({"content":[{"type":"text","text":"Printed"}]})"},

    {"resources/read", R"({"uri":"test://static-text"})",
     R"({"contents":[{"uri":"test://static-text","mimeType":"text/plain",
         "text":"This is the content of the static text resource."}]})"},
    {"resources/read", R"({"uri":"test://static-binary"})",
     R"({"contents":[{"uri":"test://static-binary","mimeType":"image/png","blob":")" PNG R"("}]})"},
    {"resources/read", R"({"uri":"test://template/123/data"})",
     R"({"contents":[{"uri":"test://template/123/data","mimeType":"application/json",
         "text":"{\"id\":\"123\",\"templateTest\":true,\"data\":\"Data for ID: 123\"}"}]})"},
    {"resources/read", R"({"uri":"test://template/a%20b/data"})",
     R"({"contents":[{"uri":"test://template/a%20b/data",
         "text":"{\"id\":\"a b\",\"templateTest\":true,\"data\":\"Data for ID: a b\"}"}]})"},
    {"resources/read", R"({"uri":"test://watched-resource"})",
     R"({"contents":[{"uri":"test://watched-resource","mimeType":"text/plain"}]})"},

    {"prompts/get", R"({"name":"test_simple_prompt"})",
     R"({"messages":[{"role":"user","content":{"type":"text","text":"This is a simple prompt for testing."}}]})"},
    {"prompts/get", R"({"name":"test_prompt_with_arguments","arguments":{"arg1":"testValue1","arg2":"testValue2"}})",
     R"({"messages":[{"role":"user","content":{"type":"text",
         "text":"Prompt with arguments: arg1='testValue1', arg2='testValue2'"}}]})"},
    {"prompts/get", R"({"name":"test_prompt_with_embedded_resource","arguments":{"resourceUri":"test://x"}})",
     R"({"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"test://x","mimeType":"text/plain",
                      "text":"Embedded resource content for testing."}}},
                     {"role":"user","content":{"type":"text",
                      "text":"Please process the embedded resource above."}}]})"},
    {"prompts/get", R"({"name":"test_prompt_with_image"})",
     R"({"messages":[{"role":"user","content":{"type":"image","data":")" PNG R"(","mimeType":"image/png"}},
                     {"role":"user","content":{"type":"text","text":"Please analyze the image above."}}]})"},

    {"completion/complete",
     R"({"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":"test"}})",
     R"({"completion":{"values":["testValue1","testValue2"],"total":2,"hasMore":false}})"},
    {"completion/complete",
     R"({"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":"par"}})",
     R"({"completion":{"values":["paris","park","party"],"total":3,"hasMore":false}})"},
    {"completion/complete",
     R"({"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg2","value":"x"}})",
     R"({"completion":{"values":[],"total":0,"hasMore":false}})"},
    {"completion/complete",
     R"({"ref":{"type":"ref/resource","uri":"test://template/{id}/data"},"argument":{"name":"id","value":"x"}})",
     R"({"completion":{"values":[],"total":0,"hasMore":false}})"},

    {"ping", "{}", "{}", revision::v2024_11_05, revision::v2025_11_25},
    {"logging/setLevel", R"({"level":"info"})", "{}", revision::v2024_11_05, revision::v2025_11_25},
    {"resources/subscribe", R"({"uri":"test://watched-resource"})", "{}", revision::v2024_11_05, revision::v2025_11_25},
    {"resources/unsubscribe", R"({"uri":"test://watched-resource"})", "{}", revision::v2024_11_05,
     revision::v2025_11_25},
};

const json::value modern_result = json::parse(
    R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"partyline-mcp-fixture"}}})");

void check(const row& what, revision r, const json::object& result)
{
    const std::string wrong = difference(json::parse(what.result), result);
    BOOST_TEST(wrong.empty(), wrong);
    if (what.result == "{}")
        BOOST_TEST(result.empty());
    const bool is_failure = json::parse(what.result).as_object().contains("isError");
    BOOST_TEST((is_failure == is_tool_error(result)));
    if (r == modern)
        BOOST_TEST(difference(modern_result, result) == "");
    else
        BOOST_TEST(!result.contains("resultType"));
}

} // namespace

BOOST_AUTO_TEST_SUITE(results, *boost::unit_test::timeout(100))

// rule: mcp.message.jsonrpc, mcp.response.result, mcp.response.one, mcp.result.type, mcp.meta.server_info
// rule: mcp.schema.dialect, mcp.ping.answer, mcp.tools.image, mcp.tools.failure, mcp.resources.text
// rule: mcp.resources.binary, mcp.prompts.content
BOOST_AUTO_TEST_CASE(every_call_comes_to_what_the_suite_wants)
{
    request_in_each_revision(
        rows, [](fixture_server& s, const row& what, revision r) { check(what, r, s.read_result("7")); });
}

// rule: mcp.cache.hints, mcp.cache.public
BOOST_AUTO_TEST_CASE(what_may_be_kept_of_a_resource_is_private)
{
    fixture_server s;
    s.request("1", modern, "resources/read", R"({"uri":"test://static-text"})");
    BOOST_TEST(difference(json::parse(R"({"ttlMs":300000,"cacheScope":"private"})"), s.read_result("1")) == "");
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
