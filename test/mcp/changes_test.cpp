// Who is told when something changes.

#include "mcp/contained.hpp"
#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

void listen(fixture_server& s, std::string_view id, const std::string& wishes, std::string_view honoured)
{
    s.request(id, modern, "subscriptions/listen", R"({"notifications":)" + wishes + '}');
    const json::object told = s.read();
    BOOST_TEST((told.at("method") == "notifications/subscriptions/acknowledged"));
    BOOST_TEST((told.at("params").at("notifications") == json::parse(honoured)), json::serialize(told));
    BOOST_TEST(json::serialize(told.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId")) == id);
}

// Calls the tool, and says which notifications have come by the time that another call is answered.
std::vector<std::string> told_of(fixture_server& s, revision r, std::string_view tool)
{
    s.call("\"trigger\"", r, tool);
    std::vector<json::object> all = s.read_until("\"trigger\"");
    BOOST_TEST(text_of(all.back().at("result").as_object()) == "Mutation triggered");
    s.call("\"next\"", r, "test_tool_with_progress");
    const std::vector<json::object> more = s.read_until("\"next\"");
    all.insert(all.end(), more.begin(), more.end());
    std::vector<std::string> methods;
    for (const json::object& one : all)
        if (one.contains("method"))
            methods.emplace_back(one.at("method").as_string());
    return methods;
}

std::size_t count_of_tools(fixture_server& s, revision r)
{
    s.request("\"list\"", r, "tools/list");
    return s.read_result("\"list\"").at("tools").as_array().size();
}

const std::vector<std::string> nothing;
const std::vector<std::string> tools_changed{"notifications/tools/list_changed"};
const std::vector<std::string> prompts_changed{"notifications/prompts/list_changed"};

} // namespace

BOOST_AUTO_TEST_SUITE(changes, *boost::unit_test::timeout(100))

// rule: mcp.tools.changed, mcp.prompts.changed
BOOST_AUTO_TEST_CASE(a_session_is_told_of_changed_lists)
{
    for (const revision r : all_revisions) {
        if (r == modern)
            continue;
        fixture_server s(r);
        const std::size_t before = count_of_tools(s, r);
        BOOST_TEST(told_of(s, r, "test_trigger_tool_change") == tools_changed);
        BOOST_TEST(count_of_tools(s, r) == before + 1);
        s.call("1", r, "test_dynamic_tool");
        BOOST_TEST(text_of(s.read_result("1")) == "Dynamic tool");
        BOOST_TEST(told_of(s, r, "test_trigger_tool_change") == tools_changed);
        BOOST_TEST(count_of_tools(s, r) == before);
        BOOST_TEST(told_of(s, r, "test_trigger_prompt_change") == prompts_changed);
        s.request("1", r, "prompts/get", R"({"name":"test_dynamic_prompt"})");
        s.read_result("1");
        s.finish();
    }
}

// rule: mcp.listen.wanted, mcp.listen.first, mcp.tools.changed, mcp.prompts.changed
BOOST_AUTO_TEST_CASE(modern_clients_are_told_while_they_listen)
{
    fixture_server s;
    BOOST_TEST(told_of(s, modern, "test_trigger_tool_change") == nothing);
    listen(s, "31", R"({"toolsListChanged":true})", R"({"toolsListChanged":true})");
    BOOST_TEST(told_of(s, modern, "test_trigger_tool_change") == tools_changed);
    BOOST_TEST(told_of(s, modern, "test_trigger_prompt_change") == nothing);
    listen(s, "\"of prompts\"", R"({"promptsListChanged":true,"other":1})", R"({"promptsListChanged":true})");
    BOOST_TEST(told_of(s, modern, "test_trigger_prompt_change") == prompts_changed);
    s.cancel("31");
    s.cancel("\"of prompts\"");
    BOOST_TEST(told_of(s, modern, "test_trigger_tool_change") == nothing);
    BOOST_TEST(told_of(s, modern, "test_trigger_prompt_change") == nothing);
    s.finish();
}

// rule: mcp.listen.id
BOOST_AUTO_TEST_CASE(news_say_which_subscription_they_are_of)
{
    fixture_server s;
    listen(s, "31", R"({"toolsListChanged":true})", R"({"toolsListChanged":true})");
    listen(s, "\"b\"", R"({"toolsListChanged":true})", R"({"toolsListChanged":true})");
    s.call("1", modern, "test_trigger_tool_change");
    std::set<std::string> ids;
    for (int i = 0; i != 3; ++i)
        if (const json::object one = s.read(); one.contains("method"))
            ids.insert(json::serialize(one.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId")));
    BOOST_TEST((ids == std::set<std::string>{"31", "\"b\""}));
}

// rule: mcp.cancel.subscription, mcp.listen.graceful
BOOST_AUTO_TEST_CASE(a_subscription_ends_with_the_input_by_its_result)
{
    fixture_server s;
    listen(s, "31", R"({"toolsListChanged":true})", R"({"toolsListChanged":true})");
    s.close_input();
    const json::object result = s.read_result("31");
    BOOST_TEST((result.at("_meta").at("io.modelcontextprotocol/subscriptionId") == 31));
    const json::object told = s.read();
    BOOST_TEST((told.at("method") == "notifications/cancelled"));
    BOOST_TEST((told.at("params").at("requestId") == 31));
    s.expect_end(0);
}

// rule: mcp.cancel.subscription
BOOST_AUTO_TEST_CASE(all_subscriptions_end_with_the_input_by_results_and_cancels)
{
    fixture_server s;
    const std::multiset<std::int64_t> all = {31, 32, 33};
    for (const std::int64_t id : all)
        listen(s, std::to_string(id), R"({"toolsListChanged":true})", R"({"toolsListChanged":true})");
    s.close_input();
    std::multiset<std::int64_t> results;
    std::multiset<std::int64_t> cancels;
    for (std::size_t i = 0; i != 2 * all.size(); ++i) {
        const json::object one = s.read();
        if (one.contains("method"))
            cancels.insert(one.at("params").at("requestId").to_number<std::int64_t>());
        else
            results.insert(one.at("id").to_number<std::int64_t>());
    }
    BOOST_TEST((results == all));
    BOOST_TEST((cancels == all));
    s.expect_end(0);
}

// rule: mcp.resources.updated
BOOST_AUTO_TEST_CASE(who_has_subscribed_to_a_resource_is_told)
{
    fixture_server s(legacy, {"--watch-ms=20"});
    s.call("0", legacy, "test_reconnection"); // for 100 ms
    s.read_result("0");
    s.request("1", legacy, "resources/subscribe", R"({"uri":"test://watched-resource"})");
    s.read_result("1");
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(difference(json::parse(R"({"method":"notifications/resources/updated",
                                              "params":{"uri":"test://watched-resource"}})"),
                              s.read()) == "");
    s.request("2", legacy, "resources/unsubscribe", R"({"uri":"test://watched-resource"})");
    s.read_until("2");
    s.call("3", legacy, "test_tool_with_progress");
    s.read_result("3");
    s.finish();
}

// rule: mcp.resources.updated
BOOST_AUTO_TEST_CASE(who_listens_for_a_resource_is_told)
{
    fixture_server s(modern, {"--watch-ms=20"});
    const std::string wishes = R"({"resourceSubscriptions":["test://watched-resource","test://static-text"]})";
    s.request("5", modern, "subscriptions/listen", R"({"notifications":)" + wishes + '}');
    BOOST_TEST((s.read().at("method") == "notifications/subscriptions/acknowledged"));
    for (int i = 0; i != 3; ++i) {
        const json::object told = s.read();
        BOOST_TEST((told.at("method") == "notifications/resources/updated"));
        BOOST_TEST((told.at("params").at("uri") == "test://watched-resource"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
