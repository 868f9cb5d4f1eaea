// Tools that ask by their answer, from 2026-07-28 on.

#include "mcp/contained.hpp"
#include "mcp/fixture_server.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

#define NAME_FORM                                                                                                      \
    R"({"method":"elicitation/create","params":{"message":"What is your name?","requestedSchema":{"type":"object",)"   \
    R"("properties":{"name":{"type":"string"}},"required":["name"]}}})"
#define OK_FORM                                                                                                        \
    R"({"method":"elicitation/create","params":{"message":"Please confirm","requestedSchema":{"type":"object",)"       \
    R"("properties":{"ok":{"type":"boolean"}},"required":["ok"]}}})"

struct row {
    std::string_view tool;
    std::string_view asked; // exactly
    std::string_view answers;
    std::string_view text;
    std::string_view arguments = "{}";
};

const row rows[] = {
    {"test_input_required_result_elicitation", R"({"user_name":)" NAME_FORM "}",
     R"({"user_name":{"action":"accept","content":{"name":"Alice"}}})", "Hello, Alice!"},
    {"test_input_required_result_sampling",
     R"({"capital_question":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
         "content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":100}}})",
     R"({"capital_question":{"role":"assistant","content":{"type":"text","text":"Paris."},"model":"test-model"}})",
     "The model says: Paris."},
    {"test_input_required_result_list_roots", R"({"client_roots":{"method":"roots/list","params":{}}})",
     R"({"client_roots":{"roots":[{"uri":"file:///test/root","name":"Test Root"}]}})",
     "1 roots: Test Root (file:///test/root)"},
    {"test_input_required_result_request_state", R"({"confirm":)" OK_FORM "}",
     R"({"confirm":{"action":"accept","content":{"ok":true}}})", "state-ok: confirmed in round 2"},
    {"test_input_required_result_tampered_state", R"({"confirm":)" OK_FORM "}",
     R"({"confirm":{"action":"accept","content":{"ok":true}}})", "integrity-ok: state verified"},
    {"test_input_required_result_multiple_inputs",
     R"({"user_name":)" NAME_FORM R"(,"greeting":{"method":"sampling/createMessage","params":{"messages":[{
         "role":"user","content":{"type":"text","text":"Generate a greeting"}}],"maxTokens":50}},
         "client_roots":{"method":"roots/list","params":{}}})",
     R"({"user_name":{"action":"accept","content":{"name":"Alice"}},
         "greeting":{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m"},
         "client_roots":{"roots":[]}})",
     "Name: Alice; Greeting: Hi; Roots: 0"},
    {"test_streaming_elicitation", R"({"user_name":)" NAME_FORM "}",
     R"({"user_name":{"action":"accept","content":{"name":"Alice"}}})", "Streaming complete"},
    {"test_sampling",
     R"({"sampling":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
         "content":{"type":"text","text":"Say"}}],"maxTokens":100}}})",
     R"({"sampling":{"role":"assistant","content":{"type":"text","text":"Said"},"model":"m"}})", "LLM response: Said",
     R"({"prompt":"Say"})"},
    {"test_elicitation",
     R"({"user":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object",
         "properties":{"username":{"type":"string","description":"User's response"},
                       "email":{"type":"string","description":"User's email address"}},
         "required":["username","email"]}}}})",
     R"({"user":{"action":"decline"}})", "User response: action=decline, content={}", R"({"message":"Who?"})"},
};

// The result of a retry with answers and a state, which may be null.
json::object retry(fixture_server& s, std::string_view tool, std::string_view arguments, std::string_view answers,
                   const json::value& state)
{
    json::object params{{"name", json::string(tool)}, {"arguments", json::parse(arguments)}};
    params["inputResponses"] = json::parse(answers);
    if (!state.is_null())
        params["requestState"] = state;
    s.request("\"retry\"", modern, "tools/call", json::serialize(params));
    return s.read_result("\"retry\"");
}

json::object first_round(fixture_server& s, std::string_view tool, std::string_view arguments = "{}")
{
    s.call("1", modern, tool, arguments);
    json::object result = s.read_result("1");
    BOOST_TEST((result.at("resultType") == "input_required"));
    BOOST_TEST(!result.at("requestState").as_string().empty());
    return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(rounds, *boost::unit_test::timeout(100))

// rule: mcp.stdio.no_requests, mcp.rounds.pattern, mcp.rounds.kinds, mcp.rounds.something
BOOST_AUTO_TEST_CASE(what_is_asked_comes_back_with_the_retry)
{
    fixture_server s;
    for (const row& what : rows) {
        BOOST_TEST_CONTEXT(what.tool)
        {
            const json::object asked = first_round(s, what.tool, what.arguments);
            BOOST_TEST(asked.at("inputRequests") == json::parse(what.asked), json::serialize(asked));
            const json::object result = retry(s, what.tool, what.arguments, what.answers, asked.at("requestState"));
            BOOST_TEST((result.at("resultType") == "complete"));
            BOOST_TEST(text_of(result) == what.text);
        }
    }
    s.finish();
}

// rule: mcp.rounds.no_retry
BOOST_AUTO_TEST_CASE(answers_may_come_with_the_first_call)
{
    fixture_server s;
    for (const row& what : rows) {
        if (what.tool == "test_input_required_result_request_state")
            continue; // its text has the number of the round
        const json::object result = retry(s, what.tool, what.arguments, what.answers, nullptr);
        BOOST_TEST(text_of(result) == what.text);
    }
    s.finish();
}

// rule: mcp.elicit.form
BOOST_AUTO_TEST_CASE(forms_of_all_kinds_are_asked_by_the_answer_too)
{
    fixture_server s;
    for (const char* const tool : {"test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums"}) {
        const json::object asked = first_round(s, tool);
        BOOST_TEST(asked.at("inputRequests").as_object().contains("user"));
        const json::object result = retry(s, tool, "{}", R"({"user":{"action":"cancel"}})", asked.at("requestState"));
        BOOST_TEST(text_of(result) == "Elicitation completed: action=cancel, content={}");
    }
    s.finish();
}

// rule: mcp.rounds.again
BOOST_AUTO_TEST_CASE(a_second_question_needs_only_its_own_answer)
{
    fixture_server s;
    const std::string_view tool = "test_input_required_result_multi_round";
    const json::object first = first_round(s, tool);
    BOOST_TEST(first.at("inputRequests").as_object().contains("step1"));
    const json::object second =
        retry(s, tool, "{}", R"({"step1":{"action":"accept","content":{"name":"Alice"}}})", first.at("requestState"));
    BOOST_TEST((second.at("resultType") == "input_required"));
    BOOST_TEST(second.at("inputRequests").as_object().size() == 1);
    BOOST_TEST(second.at("inputRequests").as_object().contains("step2"));
    BOOST_TEST((second.at("requestState") != first.at("requestState")));
    const json::object last =
        retry(s, tool, "{}", R"({"step2":{"action":"accept","content":{"color":"red"}}})", second.at("requestState"));
    BOOST_TEST(text_of(last) == "Name: Alice; Color: red");
    s.finish();
}

// rule: mcp.rounds.check, mcp.rounds.again, mcp.elicit.check
BOOST_AUTO_TEST_CASE(answers_that_do_not_fit_are_asked_for_again)
{
    fixture_server s;
    const std::string_view tool = "test_input_required_result_elicitation";
    for (const char* const answers :
         {R"({"wrong_key":{"action":"accept","content":{"name":"Alice"}}})", R"({"user_name":12345})", "null", "[]",
          "7", R"({"user_name":{"action":"accept"}})", R"({"user_name":{"action":"accept","content":{"name":7}}})",
          R"({"user_name":{"action":"perhaps"}})", R"({"user_name":{}})"}) {
        BOOST_TEST_CONTEXT(answers)
        {
            const json::object result = retry(s, tool, "{}", answers, nullptr);
            BOOST_TEST((result.at("resultType") == "input_required"));
            BOOST_TEST(result.at("inputRequests").as_object().contains("user_name"));
        }
    }
    s.finish();
}

// rule: mcp.rounds.more
BOOST_AUTO_TEST_CASE(more_answers_than_were_asked_for_do_not_matter)
{
    fixture_server s;
    const json::object result =
        retry(s, "test_input_required_result_elicitation", "{}",
              R"({"a":1,"user_name":{"action":"accept","content":{"name":"Bob"}},"b":{}})", nullptr);
    BOOST_TEST(text_of(result) == "Hello, Bob!");
    s.finish();
}

// rule: mcp.meta.rely, mcp.stateless.prior, mcp.rounds.declared
BOOST_AUTO_TEST_CASE(only_what_the_client_can_do_is_asked_for)
{
    const std::string_view tool = "test_input_required_result_capabilities";
    fixture_server s;
    s.capabilities = json::parse(R"({"sampling":{}})").as_object();
    const json::object asked = first_round(s, tool);
    BOOST_TEST(asked.at("inputRequests").as_object().size() == 1);
    BOOST_TEST((asked.at("inputRequests").at("sample_input").at("method") == "sampling/createMessage"));
    const json::object result = retry(
        s, tool, "{}", R"({"sample_input":{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}})",
        asked.at("requestState"));
    BOOST_TEST(text_of(result) == "capabilities-ok: received sample_input");
    s.capabilities = json::parse(R"({"sampling":{},"elicitation":{}})").as_object();
    BOOST_TEST(first_round(s, tool).at("inputRequests").as_object().size() == 2);
    s.finish();
}

// rule: mcp.error.reserved, mcp.meta.capability
BOOST_AUTO_TEST_CASE(a_client_that_cannot_be_asked_is_told_what_it_lacks)
{
    const std::pair<std::string_view, std::string_view> tools[] = {
        {"test_input_required_result_elicitation", R"({"elicitation":{}})"},
        {"test_input_required_result_sampling", R"({"sampling":{}})"},
        {"test_input_required_result_list_roots", R"({"roots":{}})"},
        {"test_input_required_result_multiple_inputs", R"({"sampling":{},"elicitation":{},"roots":{}})"},
        {"test_missing_capability", R"({"sampling":{}})"},
    };
    fixture_server s;
    s.capabilities = {};
    for (const auto& [tool, lacks] : tools) {
        s.call("401", modern, tool);
        const json::object error = s.read_error("401", -32021);
        BOOST_TEST((error.at("data").at("requiredCapabilities") == json::parse(lacks)), json::serialize(error));
    }
    s.finish();
}

BOOST_AUTO_TEST_CASE(a_prompt_asks_in_the_same_way)
{
    fixture_server s;
    s.request("1", modern, "prompts/get", R"({"name":"test_input_required_result_prompt"})");
    const json::object asked = s.read_result("1");
    BOOST_TEST((asked.at("inputRequests").at("user_context").at("method") == "elicitation/create"));
    json::object params{{"name", "test_input_required_result_prompt"}, {"requestState", asked.at("requestState")}};
    params["inputResponses"] = json::parse(R"({"user_context":{"action":"accept","content":{"context":"rain"}}})");
    s.request("2", modern, "prompts/get", json::serialize(params));
    BOOST_TEST(contains(json::serialize(s.read_result("2").at("messages")), "rain"));
    s.finish();
}

BOOST_AUTO_TEST_CASE(progress_comes_before_what_is_asked)
{
    fixture_server s;
    s.request("1", modern, "tools/call", R"({"name":"test_streaming_elicitation","_meta":{"progressToken":"t"}})");
    BOOST_TEST(s.read().at("params").at("progress").to_number<int>() == 50);
    BOOST_TEST((s.read_result("1").at("resultType") == "input_required"));
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
