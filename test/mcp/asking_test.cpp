// Tools that ask while they run, up to 2025-11-25.

#include "mcp/contained.hpp"
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
    std::string_view tool;
    std::string_view arguments;
    std::string_view asked; // what the client is asked, exactly
    std::string_view answer;
    std::string_view text;
    bool is_error = false;
};

#define USER_FORM                                                                                                      \
    R"({"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object",)"                 \
    R"("properties":{"username":{"type":"string","description":"User's response"},)"                                   \
    R"("email":{"type":"string","description":"User's email address"}},"required":["username","email"]}}})"

const row rows[] = {
    {"test_sampling", R"({"prompt":"Test prompt for sampling"})",
     R"({"method":"sampling/createMessage","params":{"messages":[{"role":"user",
         "content":{"type":"text","text":"Test prompt for sampling"}}],"maxTokens":100}})",
     R"({"role":"assistant","content":{"type":"text","text":"This is a test"},"model":"test-model","stopReason":"endTurn"})",
     "LLM response: This is a test"},
    {"test_elicitation", R"({"message":"Who?"})", USER_FORM,
     R"({"action":"accept","content":{"username":"testuser","email":"test@example.com"}})",
     R"(User response: action=accept, content={"username":"testuser","email":"test@example.com"})"},
    {"test_elicitation", R"({"message":"Who?"})", USER_FORM, R"({"action":"decline"})",
     "User response: action=decline, content={}"},
    {"test_elicitation", R"({"message":"Who?"})", USER_FORM, R"({"action":"cancel"})",
     "User response: action=cancel, content={}"},
    {"test_elicitation", R"({"message":"Who?"})", USER_FORM, R"({"action":"accept","content":{"username":7}})",
     "The client has answered \"user\" (elicitation/create) with something else", true},
    {"test_elicitation", R"({"message":"Who?"})", USER_FORM, R"({"action":"perhaps"})",
     "The client has answered \"user\" (elicitation/create) with something else", true},
    {"test_elicitation_sep1034_defaults", "{}",
     R"({"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{
         "name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
         "score":{"type":"number","default":95.5},
         "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
         "verified":{"type":"boolean","default":true}},"required":[]}}})",
     R"({"action":"accept","content":{"name":"Jane Smith","age":25,"score":88,"status":"inactive","verified":false}})",
     R"(Elicitation completed: action=accept, content={"name":"Jane Smith","age":25,"score":88,"status":"inactive","verified":false})"},
    {"test_elicitation_sep1330_enums", "{}",
     R"({"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{
         "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
         "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
            {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
         "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
            "enumNames":["Option One","Option Two","Option Three"]},
         "untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
         "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
            {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},"required":[]}}})",
     R"({"action":"decline"})", "Elicitation completed: action=decline, content={}"},
};

// It may be asked by each revision that has what it asks: forms came with 2025-06-18, lists in them with 2025-11-25.
bool is_in(const row& what, revision r)
{
    if (what.tool == "test_sampling")
        return true;
    return r >= (what.tool == "test_elicitation_sep1330_enums" ? revision::v2025_11_25 : revision::v2025_06_18);
}

void check_members(std::string_view expected, const json::object& asked)
{
    const json::value whole = json::parse(expected);
    const std::string wrong = difference(whole, asked);
    BOOST_TEST(wrong.empty(), wrong);
    const json::value& params = asked.at("params");
    const json::value& expected_params = whole.at("params");
    if (expected_params.as_object().contains("message"))
        BOOST_TEST(params == expected_params, json::serialize(params));
}

} // namespace

BOOST_AUTO_TEST_SUITE(asking, *boost::unit_test::timeout(100))

// rule: mcp.elicit.message, mcp.elicit.flat, mcp.elicit.refused, mcp.elicit.check, mcp.sample.role
BOOST_AUTO_TEST_CASE(a_tool_asks_and_goes_on_with_the_answer)
{
    for (const revision r : all_revisions) {
        if (r == modern)
            continue;
        fixture_server s(r);
        for (const row& what : rows) {
            if (!is_in(what, r))
                continue;
            BOOST_TEST_CONTEXT(to_string(r) << ": " << what.tool << ' ' << what.answer)
            {
                s.call("1", r, what.tool, what.arguments);
                const json::object asked = s.read();
                check_members(what.asked, asked);
                s.answer(asked, what.answer);
                const json::object result = s.read_result("1");
                BOOST_TEST(text_of(result) == what.text);
                BOOST_TEST(is_tool_error(result) == what.is_error);
            }
        }
        s.finish();
    }
}

// rule: mcp.operation.capabilities, mcp.elicit.mode
BOOST_AUTO_TEST_CASE(a_client_that_cannot_be_asked_makes_the_call_fail)
{
    fixture_server s;
    s.capabilities = {};
    s.greet(legacy);
    for (const row& what : rows) {
        s.call("1", legacy, what.tool, what.arguments);
        const json::object result = s.read_result("1");
        BOOST_TEST(is_tool_error(result));
        const std::string_view lacks = what.tool == "test_sampling" ? "sampling" : "elicitation";
        BOOST_TEST(contains(text_of(result), lacks), text_of(result));
    }
    s.call("1", legacy, "test_missing_capability");
    BOOST_TEST(is_tool_error(s.read_result("1")));
    s.finish();
}

// rule: mcp.operation.version
BOOST_AUTO_TEST_CASE(nobody_is_asked_for_what_the_revision_does_not_have)
{
    for (const revision r : {revision::v2024_11_05, revision::v2025_03_26}) {
        fixture_server s(r);
        s.call("1", r, "test_elicitation", R"({"message":"Who?"})");
        BOOST_TEST(is_tool_error(s.read_result("1")));
        s.finish();
    }
}

BOOST_AUTO_TEST_CASE(a_client_that_refuses_makes_the_call_fail)
{
    fixture_server s(legacy);
    s.call("1", legacy, "test_sampling", R"({"prompt":"x"})");
    const json::object asked = s.read();
    s.send(R"({"jsonrpc":"2.0","id":)" + json::serialize(asked.at("id")) +
           R"(,"error":{"code":-1,"message":"User rejected sampling request"}})");
    const json::object result = s.read_result("1");
    BOOST_TEST(is_tool_error(result));
    BOOST_TEST(contains(text_of(result), "User rejected sampling request"), text_of(result));
    s.finish();
}

BOOST_AUTO_TEST_CASE(two_questions_come_one_after_the_other)
{
    fixture_server s(legacy);
    s.call("\"x\"", legacy, "ask_twice");
    for (const char* const value : {"one", "two"}) {
        const json::object asked = s.read();
        s.expect_quiet();
        s.answer(asked, R"({"action":"accept","content":{"value":")" + std::string(value) + R"("}})");
    }
    BOOST_TEST(text_of(s.read_result("\"x\"")) == "First: one, second: two");
    s.finish();
}

BOOST_AUTO_TEST_CASE(three_questions_come_at_once)
{
    fixture_server s(legacy);
    s.call("1", legacy, "test_input_required_result_multiple_inputs");
    for (int i = 0; i != 3; ++i) {
        const json::object asked = s.read();
        if (asked.at("method") == "roots/list")
            s.answer(asked, R"({"roots":[{"uri":"file:///test/root","name":"Test Root"}]})");
        else if (asked.at("method") == "elicitation/create")
            s.answer(asked, R"({"action":"accept","content":{"name":"Alice"}})");
        else
            s.answer(asked, R"({"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m"})");
    }
    BOOST_TEST(text_of(s.read_result("1")) == "Name: Alice; Greeting: Hi; Roots: 1");
    s.finish();
}

BOOST_AUTO_TEST_CASE(a_prompt_may_ask_as_well)
{
    fixture_server s(legacy);
    s.request("1", legacy, "prompts/get", R"({"name":"test_input_required_result_prompt"})");
    s.answer(s.read(), R"({"action":"accept","content":{"context":"the weather"}})");
    BOOST_TEST(contains(json::serialize(s.read_result("1")), "the weather"));
    s.finish();
}

// rule: mcp.cancel.id, mcp.cancel.late
BOOST_AUTO_TEST_CASE(a_question_that_is_never_answered_goes_with_its_call)
{
    fixture_server s(legacy);
    s.call("1", legacy, "test_elicitation", R"({"message":"Who?"})");
    const json::object asked = s.read();
    s.cancel("1");
    const json::object told = s.read();
    BOOST_TEST((told.at("method") == "notifications/cancelled"));
    BOOST_TEST((told.at("params").at("requestId") == asked.at("id")));
    s.answer(asked, R"({"action":"accept","content":{"username":"late","email":"late"}})");
    s.expect_quiet();
    s.finish();
}

BOOST_AUTO_TEST_CASE(a_question_that_is_never_answered_ends_with_the_input)
{
    fixture_server s(legacy);
    s.call("1", legacy, "test_elicitation", R"({"message":"Who?"})");
    s.read();
    s.close_input();
    const json::object result = s.read_result("1");
    BOOST_TEST(is_tool_error(result));
    BOOST_TEST(contains(text_of(result), "The client has not answered \"user\" (elicitation/create)"), text_of(result));
    s.expect_end(3);
}

BOOST_AUTO_TEST_SUITE_END()
