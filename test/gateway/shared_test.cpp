// MCP through the gateway: one server for several clients, of which none hears what is another's.

#include "mcp_gateway.hpp"
#include "modern_request.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <vector>

using partyline::test::contains;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::mcp_gateway;
using partyline::test::modern_fields;
using partyline::test::modern_meta;

namespace {

// Each thread would have one.
const std::vector<std::string> one_server{"--threads", "1"};
const std::vector<std::string> with_share{"--share", "--threads", "1"};

// `id` is JSON.
std::string request_text(std::string_view id, std::string_view method, std::string_view params)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"method\":\"" + std::string(method) +
           "\",\"params\":" + std::string(params) + '}';
}

constexpr std::string_view with_log = R"(,"io.modelcontextprotocol/logLevel":"debug")";

// A modern client that listens to changes of the tools.
struct listener {
    explicit listener(mcp_gateway& setup, std::string_view id, std::string_view more = {})
        : client(setup.gateway.connect())
    {
        client.post("/mcp",
                    request_text(id, "subscriptions/listen",
                                 R"({"notifications":{"toolsListChanged":true},"_meta":)" + modern_meta(more) + '}'),
                    modern_fields("subscriptions/listen"));
        BOOST_TEST(client.head().status == 200);
        client.read_until("\"io.modelcontextprotocol/subscriptionId\":" + std::string(id) + '}');
    }

    http_client client;
};

std::string call_logging(http_client& client, std::string_view more)
{
    return client
        .ask("/mcp", mcp_gateway::call(5, "test_logging_tool", modern_meta(more)),
             modern_fields("tools/call", "test_logging_tool"))
        .body;
}

void change_tools(http_client& client)
{
    const http_response got = client.ask("/mcp", mcp_gateway::call(6, "test_trigger_tool_change", modern_meta()),
                                         modern_fields("tools/call", "test_trigger_tool_change"));
    BOOST_TEST(contains(got.body, "Mutation triggered"), got.body);
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_shared, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(what_is_logged_is_heard_by_whom_it_is_for_alone)
{
    mcp_gateway setup(one_server);
    http_client caller = setup.gateway.connect();
    listener other(setup, "1");
    const std::string said = call_logging(caller, with_log);
    BOOST_TEST(contains(said, "notifications/message"), said);
    change_tools(caller);
    const std::string heard = other.client.read_until("list_changed");
    BOOST_TEST(!contains(heard, "notifications/message"), heard);
}

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(what_may_be_for_two_is_told_to_neither)
{
    mcp_gateway setup(one_server);
    http_client caller = setup.gateway.connect();
    listener other(setup, "1", with_log);
    const std::string said = call_logging(caller, with_log);
    BOOST_TEST(contains(said, "\"result\""), said);
    BOOST_TEST(!contains(said, "notifications/message"), said);
    change_tools(caller);
    const std::string heard = other.client.read_until("list_changed");
    BOOST_TEST(!contains(heard, "notifications/message"), heard);
    BOOST_TEST(contains(setup.gateway.errors().read_line().value_or(""), "notifications/message"));
}

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(subscriptions_with_the_same_id_are_told_apart)
{
    mcp_gateway setup(one_server);
    listener first(setup, "7");
    listener second(setup, "7");
    http_client caller = setup.gateway.connect();
    change_tools(caller);
    for (http_client* one : {&first.client, &second.client}) {
        const std::string heard = one->read_until("list_changed");
        BOOST_TEST(contains(heard + one->read_until("}}"), "\"io.modelcontextprotocol/subscriptionId\":7"), heard);
    }
}

BOOST_AUTO_TEST_CASE(a_subscription_has_the_id_that_its_client_gave_it_however_long)
{
    mcp_gateway setup(one_server);
    const std::string id = "\"a subscription to the tools of this server\"";
    listener one(setup, id);
    http_client caller = setup.gateway.connect();
    change_tools(caller);
    const std::string heard = one.client.read_until("list_changed");
    BOOST_TEST(contains(heard + one.client.read_until("}}"), "\"io.modelcontextprotocol/subscriptionId\":" + id),
               heard);
}

BOOST_AUTO_TEST_CASE(sessions_share_one_that_is_greeted_once)
{
    mcp_gateway setup(with_share);
    http_client client = setup.gateway.connect();
    const std::string first = mcp_gateway::greet(client);
    const std::string second = mcp_gateway::greet(client);
    BOOST_TEST(first != second);
    BOOST_TEST(setup.gateway.wait_for_servers(1).size() == 1u);
    for (const std::string& session : {first, second})
        BOOST_TEST(contains(client.ask("/mcp", mcp_gateway::call(1, "test_simple_text"), session).body, "simple text"));
    // It was told that none of them can be asked.
    const http_response got = client.ask("/mcp", mcp_gateway::call(2, "test_missing_capability"), first);
    BOOST_TEST(contains(got.body, "\"isError\":true"), got.body);
}

BOOST_AUTO_TEST_CASE(who_watches_a_resource_hears_of_it_also_from_the_next_server)
{
    mcp_gateway setup(with_share, {"--watch-ms", "50"});
    http_client client = setup.gateway.connect();
    const std::string watching = mcp_gateway::greet(client);
    const std::string idle = mcp_gateway::greet(client);
    BOOST_TEST(contains(
        client.ask("/mcp", request_text("1", "resources/subscribe", R"({"uri":"test://watched-resource"})"), watching)
            .body,
        "\"result\":{}"));
    http_client watcher = setup.gateway.connect();
    watcher.request("GET", "/mcp", watching);
    watcher.head();
    http_client other = setup.gateway.connect();
    other.request("GET", "/mcp", idle);
    other.head();
    watcher.read_until("notifications/resources/updated");
    ::kill(setup.gateway.wait_for_servers(1).front(), SIGKILL);
    watcher.read_until("list_changed");
    watcher.read_until("notifications/resources/updated");
    BOOST_TEST(!contains(other.read_until("list_changed"), "updated"));

    const auto unsubscribe = request_text("2", "resources/unsubscribe", R"({"uri":"test://watched-resource"})");
    BOOST_TEST(contains(client.ask("/mcp", unsubscribe, watching).body, "\"result\":{}"));
}

BOOST_AUTO_TEST_SUITE_END()
