// MCP through the gateway: a server for each session.

#include "mcp_gateway.hpp"
#include "support/process_state.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <vector>

using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::mcp_gateway;
using partyline::test::running_gateway;

namespace {

constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":9,"method":"ping"})";

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_mcp, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(each_session_has_a_server_of_its_own)
{
    mcp_gateway setup;
    http_client client = setup.gateway.connect();
    const std::string first = setup.greet(client);
    const std::string second = setup.greet(client);
    BOOST_TEST(setup.gateway.wait_for_servers(2).size() == 2u);
    BOOST_TEST(client.ask("/mcp", mcp_gateway::call(1, "test_simple_text"), first).body.find("simple text response") !=
               std::string::npos);
    client.request("DELETE", "/mcp", first);
    BOOST_TEST(client.response().status == 204);
    setup.gateway.wait_for_servers(1);
    BOOST_TEST(client.ask("/mcp", ping, second).status == 200);
}

BOOST_AUTO_TEST_CASE(a_new_server_is_greeted_as_the_last_one_was)
{
    mcp_gateway setup;
    http_client client = setup.gateway.connect();
    const std::string session = setup.greet(client);
    http_client listener = setup.gateway.connect();
    listener.request("GET", "/mcp", session);
    BOOST_TEST(listener.head().status == 200);
    const int first = setup.gateway.wait_for_servers(1).front();
    ::kill(first, SIGKILL);
    http_response got; // what the dying one was given fails
    do {
        got = client.ask("/mcp", mcp_gateway::call(1, "test_simple_text"), session);
        BOOST_TEST(got.status == 200);
    } while (got.body.find("\"code\":-32603") != std::string::npos);
    BOOST_TEST(got.body.find("simple text response") != std::string::npos);
    BOOST_TEST(setup.gateway.wait_for_servers(1).front() != first);
    listener.read_until("notifications/tools/list_changed");
}

// rule: security.descriptors.orphans
BOOST_AUTO_TEST_CASE(sessions_that_end_in_six_ways_leave_no_server)
{
    mcp_gateway setup({"--session-idle", "1", "--max-sessions", "40"});
    constexpr int of_each = 4;
    for (int i = 0; i < of_each; ++i) {
        http_client deleted = setup.gateway.connect();
        const std::string session = setup.greet(deleted);
        deleted.request("DELETE", "/mcp", session);
        BOOST_TEST(deleted.response().status == 204);

        http_client idle = setup.gateway.connect(); // what is left of it ends by itself
        setup.greet(idle);

        http_client reset = setup.gateway.connect();
        const std::string in_use = setup.greet(reset);
        reset.post("/mcp", mcp_gateway::call(1, "test_simple_text"), in_use);
        reset.reset();

        http_client listening = setup.gateway.connect(); // whose stream has lost its client
        const std::string listened = setup.greet(listening);
        listening.request("GET", "/mcp", listened);
        listening.head();
        listening.reset();

        http_client killed = setup.gateway.connect();
        const std::string dying = setup.greet(killed);
        const std::vector<int> servers = setup.gateway.servers();
        ::kill(servers.back(), SIGKILL);
        killed.request("DELETE", "/mcp", dying);
        killed.response();

        http_client refused = setup.gateway.connect(); // a greeting that is none
        refused.ask("/mcp", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");
    }
    setup.gateway.wait_for_servers(0);
    http_client next = setup.gateway.connect();
    setup.greet(next); // and it serves on
    setup.gateway.process().signal(SIGTERM);
    next.close();
    BOOST_TEST(setup.gateway.process().wait_exit() == 128 + SIGTERM);
}

// A shell that SIGTERM ends, with a process behind it that nothing but SIGKILL does.
// rule: security.descriptors.orphans
BOOST_AUTO_TEST_CASE(a_server_behind_a_launcher_leaves_no_process_behind)
{
    const std::string script = std::string("(trap '' TERM; ") + PARTYLINE_MCP_FIXTURE + "; exec sleep 61); :";
    running_gateway gateway({"--", "sh", "-c", script});
    http_client client = gateway.connect();
    const std::string deleted = mcp_gateway::greet(client);
    const pid_t first = gateway.wait_for_servers(1).front();
    client.request("DELETE", "/mcp", deleted);
    BOOST_TEST(client.response().status == 204);
    http_client other = gateway.connect();
    mcp_gateway::greet(other);
    const pid_t second = gateway.wait_for_servers(2).back();
    ::kill(second, SIGKILL); // the launcher alone
    http_client last = gateway.connect();
    mcp_gateway::greet(last);
    const pid_t third = gateway.servers().back();
    gateway.process().signal(SIGTERM);
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
    for (const pid_t one : {first, second, third})
        BOOST_TEST(partyline::test::is_group_gone_soon(one));
}

// Servers written with the SDKs decide by their first request of which era they are.
BOOST_AUTO_TEST_CASE(a_request_that_does_not_say_what_it_has_to_is_not_shown_to_the_server)
{
    mcp_gateway setup;
    http_client client = setup.gateway.connect();
    for (const char* meta : {"{}", R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"}) {
        const http_response got =
            client.ask("/mcp", mcp_gateway::call(1, "test_simple_text", meta),
                       "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: test_simple_text\r\n");
        BOOST_TEST(got.status == 400);
        BOOST_TEST(got.body.find("\"id\":1,\"error\":{\"code\":-32602") != got.body.npos, got.body);
    }
    BOOST_TEST(setup.gateway.wait_for_servers(0).empty());
}

// As soon as a list of the server's tools has passed: from then on it is known which they are.
BOOST_AUTO_TEST_CASE(fields_that_repeat_arguments_of_a_tool_are_compared)
{
    mcp_gateway setup;
    http_client client = setup.gateway.connect();
    const std::string meta =
        R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
    const std::string version = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ";
    client.ask("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)" + meta + "}}",
               version + "tools/list\r\n");
    const std::string call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_x_mcp_header",)"
                             R"("arguments":{"region":"north"},"_meta":)" +
                             meta + "}}";
    const std::string fields = version + "tools/call\r\nMcp-Name: test_x_mcp_header\r\n";
    for (const std::string& wrong : {std::string(), std::string("Mcp-Param-Region: south\r\n")}) {
        const http_response refused = client.ask("/mcp", call, fields + wrong);
        BOOST_TEST(refused.status == 400);
        BOOST_TEST(refused.body.find("Header mismatch") != refused.body.npos, refused.body);
    }
    const http_response taken = client.ask("/mcp", call, fields + "Mcp-Param-Region: north\r\n");
    BOOST_TEST(taken.status == 200);
    BOOST_TEST(taken.body.find("north") != taken.body.npos, taken.body);
}

BOOST_AUTO_TEST_SUITE_END()
