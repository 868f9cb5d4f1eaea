// What `session_options::on_served` is told of an MCP server: which tool, prompt or resource, whether the tool has
// failed, and the trace.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp/server/context.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/rpc/tracing.hpp>
#include <partyline/session/served_event.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::answer_outcome;
using partyline::request_disposition;
using partyline::served_event;
using partyline::task;

namespace {

struct certainty {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(certainty, (), (yes))

struct served_mcp_fixture : mcp_dialogue {
    served_mcp_fixture()
    {
        server.add_tool("works", "Works", [] { return "done"; });
        server.add_tool("fails", "Fails", []() -> std::string { throw mcp::tool_error("no"); });
        server.add_tool("where", "Tells its trace",
                        [](mcp::context& c) { return std::string(c.rpc().trace().trace_id()); });
        server.add_tool("asks", "Asks", [](mcp::context& c) -> task<std::string> {
            const auto sure = co_await c.elicit<certainty>("sure", "Sure?");
            co_return sure ? "sure" : "unsure";
        });
        server.add_prompt("hello", "Hello", [] { return "hello"; });
        server.add_resource("test://one", "one", "One", [] { return "text"; });
        options.on_served = [this](const served_event& e) {
            told.push_back(std::string(e.method) + '(' + std::string(e.key) + ')' +
                           (e.outcome == answer_outcome::error ? " error" : "") + (e.is_tool_error ? " failed" : ""));
            trace_id = e.trace->trace_id();
            versions.emplace_back(e.protocol_version);
            dispositions.push_back(e.disposition);
        };
    }

    ~served_mcp_fixture()
    {
        destroy_session(); // which tells of what it leaves
        settle();
    }

    std::vector<std::string> told;
    std::string trace_id;
    std::vector<std::string> versions;
    std::vector<request_disposition> dispositions;
};

const std::string known_trace(32, 'a');
const std::string trace_member = R"({"traceparent":"00-)" + known_trace + R"(-00f067aa0ba902b7-01"})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_server_served, served_mcp_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(each_call_is_told_by_what_it_names)
{
    greet();
    told.clear();
    call("1", "works");
    call("2", "fails");
    call("3", "unknown");
    send(request("4", "prompts/get", R"({"name":"hello"})"));
    send(request("5", "resources/read", R"({"uri":"test://one"})"));
    send(request("6", "tools/list", "{}"));
    for (int i = 0; i != 6; ++i)
        receive();
    const std::vector<std::string> expected{
        "tools/call(works)",  "tools/call(fails) failed",   "tools/call() error",
        "prompts/get(hello)", "resources/read(test://one)", "tools/list()",
    };
    BOOST_TEST(told == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_the_protocol_answers_is_told)
{
    greet();
    const std::vector<std::string> expected{"initialize()", "notifications/initialized()"};
    BOOST_TEST(told == expected, boost::test_tools::per_element());
    BOOST_TEST((dispositions == std::vector(2, request_disposition::handled)));
}

BOOST_AUTO_TEST_CASE(requests_are_told_by_the_revision_that_they_are_served_by)
{
    greet("2025-06-18");
    call("2", "works");
    receive();
    call_modern("3", "works");
    receive();
    send(request("4", "tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}})"));
    receive();
    const std::vector<std::string> expected{"2025-06-18", "2025-06-18", "2025-06-18", "2026-07-28", ""};
    BOOST_TEST(versions == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(before_a_handshake_there_is_no_revision)
{
    begin();
    send(request("1", "tools/list", "{}"));
    receive();
    BOOST_TEST(versions == std::vector<std::string>{""}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_tool_has_the_trace_of_its_request)
{
    greet();
    call("1", "where", "{}", trace_member);
    BOOST_TEST(receive().find(known_trace) != std::string::npos);
    BOOST_TEST(trace_id == known_trace);
}

BOOST_AUTO_TEST_CASE(what_a_tool_asks_its_client_is_part_of_the_trace)
{
    options.around_calls.add(partyline::trace_calls);
    greet("2025-11-25", R"({"elicitation":{}})");
    call("1", "asks", "{}", trace_member);
    const std::string question = receive();
    BOOST_TEST(question.find("elicitation/create") != std::string::npos);
    BOOST_TEST(question.find("00-" + known_trace) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
