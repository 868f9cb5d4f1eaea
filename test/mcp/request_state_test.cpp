// A `requestState` is good for the request that it was given for, in the process that gave it, and in its time.

#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string tool = "test_input_required_result_tampered_state";

std::string state_of(fixture_server& s, std::string_view name, std::string_view arguments = "{}")
{
    s.call("\"first\"", modern, name, arguments);
    return std::string(s.read_result("\"first\"").at("requestState").as_string());
}

void send_retry(fixture_server& s, std::string_view name, const json::value& state, std::string_view arguments = "{}")
{
    json::object params{{"name", json::string(name)}, {"arguments", json::parse(arguments)}, {"requestState", state}};
    params["inputResponses"] =
        json::parse(R"({"confirm":{"action":"accept","content":{"ok":true}},"user":{"action":"decline"}})");
    s.request("\"retry\"", modern, "tools/call", json::serialize(params));
}

// One text for whatever is wrong, so that nobody learns how near a forged one is.
void expect_refusal(fixture_server& s)
{
    const json::object error = s.read_error("\"retry\"", -32602);
    BOOST_TEST((error.at("message") == "Invalid or expired requestState"));
}

void expect_acceptance(fixture_server& s)
{
    BOOST_TEST(text_of(s.read_result("\"retry\"")) == "integrity-ok: state verified");
}

} // namespace

BOOST_AUTO_TEST_SUITE(request_state, *boost::unit_test::timeout(100))

// rule: mcp.stateless.handle
BOOST_AUTO_TEST_CASE(a_state_is_taken_as_it_was_given_even_twice)
{
    fixture_server s;
    const std::string state = state_of(s, tool);
    for (int i = 0; i != 2; ++i) {
        send_retry(s, tool, json::string(state));
        expect_acceptance(s);
    }
    s.finish();
}

// rule: mcp.rounds.integrity
BOOST_AUTO_TEST_CASE(a_state_that_has_been_changed_is_refused)
{
    fixture_server s;
    const std::string state = state_of(s, tool);
    send_retry(s, tool, json::string(state + "-TAMPERED"));
    expect_refusal(s);
    for (std::size_t at = 0; at < state.size(); at += 7) {
        std::string other = state;
        other[at] = other[at] == 'A' ? 'B' : 'A';
        send_retry(s, tool, json::string(other));
        expect_refusal(s);
    }
    s.finish();
}

// rule: mcp.error.message, mcp.rounds.hostile, mcp.rounds.error
BOOST_AUTO_TEST_CASE(what_is_no_state_at_all_is_refused)
{
    fixture_server s;
    for (const char* const other : {R"("")", R"("x")", "7", "{}", "[]", "true", R"("\u0000")", R"("\ud83d\ude00")"}) {
        BOOST_TEST_CONTEXT(other)
        {
            send_retry(s, tool, json::parse(other));
            expect_refusal(s);
        }
    }
    send_retry(s, tool, json::string(std::string(200'000, 'A')));
    expect_refusal(s);
    s.finish();
}

// rule: mcp.rounds.request
BOOST_AUTO_TEST_CASE(a_state_is_of_one_tool_with_one_set_of_arguments)
{
    fixture_server s;
    send_retry(s, "test_input_required_result_request_state", json::string(state_of(s, tool)));
    expect_refusal(s);
    const std::string state = state_of(s, "test_elicitation", R"({"message":"Who?"})");
    send_retry(s, "test_elicitation", json::string(state), R"({"message":"Else?"})");
    expect_refusal(s);
    send_retry(s, "test_elicitation", json::string(state), R"({ "message" : "Wh\u006f?" })");
    BOOST_TEST(text_of(s.read_result("\"retry\"")) == "User response: action=decline, content={}");
    s.finish();
}

// rule: mcp.stateless.process, mcp.rounds.no_retry
BOOST_AUTO_TEST_CASE(a_state_of_another_process_is_refused_unless_both_have_one_secret)
{
    fixture_server one;
    fixture_server other;
    send_retry(other, tool, json::string(state_of(one, tool)));
    expect_refusal(other);
    const std::string option = "--state-secret=" + std::string(32, 's');
    fixture_server twin({option});
    fixture_server its_twin({option});
    send_retry(its_twin, tool, json::string(state_of(twin, tool)));
    expect_acceptance(its_twin);
}

// rule: mcp.rounds.expiry
BOOST_AUTO_TEST_CASE(a_state_expires)
{
    fixture_server s({"--state-lifetime-ms=50"});
    const std::string state = state_of(s, tool);
    s.call("\"meanwhile\"", modern, "test_reconnection"); // for 100 ms
    s.read_result("\"meanwhile\"");
    send_retry(s, tool, json::string(state));
    expect_refusal(s);
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
