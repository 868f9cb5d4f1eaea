// Who may call what, through the real gateway: agents with different rights in front of one server.

#include "fifo_server.hpp"
#include "mcp_gateway.hpp"
#include "modern_request.hpp"
#include "support/access_fixture.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace json = boost::json;
using namespace partyline::test;

namespace {

struct agents : access_fixture {
    agents() { write_rules(R"("echo")"); }

    // `more` are tools of both.
    void write_rules(const std::string& more) const
    {
        write(R"({"tokens":[)" + entry(alice, "alice") + ',' + entry(bob, "bob", "\"read\"") + R"(],"rules":[
            {"tools":["test_simple_text","test_x_mcp_header"],"principals":["alice"]},
            {"tools":["slow"],"scopes":["write"]},
            {"methods":["open"],"tools":[)" +
              more + R"(],"prompts":["test_simple_prompt"],"resources":["test://static-*"]}]})");
    }
    std::vector<std::string> options(std::vector<std::string> others = {}) const
    {
        others.insert(others.end(), {"--access", path()});
        return others;
    }

    const std::string as_alice = field(alice);
    const std::string as_bob = field(bob);
};

std::string request_text(std::string_view method, std::string_view params)
{
    return R"({"jsonrpc":"2.0","id":7,"method":")" + std::string(method) + R"(","params":)" + std::string(params) + '}';
}

// A modern request for something that has a name.
http_response ask_modern(http_client& client, const std::string& fields, std::string_view method,
                         const std::string& name = {})
{
    const std::string key = method == "resources/read" ? "uri" : "name";
    const std::string named = name.empty() ? "" : '"' + key + "\":\"" + name + "\",";
    return client.ask("/mcp", request_text(method, '{' + named + "\"_meta\":" + modern_meta() + '}'),
                      modern_fields(method, name) + fields);
}

std::string without(std::string text, const std::string& name)
{
    for (std::size_t at; (at = text.find(name)) != std::string::npos;)
        text.replace(at, name.size(), "NAME");
    return text;
}

void expect_same(const http_response& hidden, const std::string& hidden_name, const http_response& unknown,
                 const std::string& unknown_name)
{
    BOOST_TEST(hidden.status == unknown.status);
    BOOST_TEST(without(hidden.body, hidden_name) == without(unknown.body, unknown_name));
    BOOST_TEST(contains(hidden.body, "\"error\":{\"code\":-32"), hidden.body);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_agents, agents, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(who_shows_no_token_is_refused_before_the_server_is_started)
{
    mcp_gateway setup(options());
    http_client client = setup.gateway.connect();
    BOOST_TEST(client.ask("/mcp", request_text("tools/list", "{}")).status == 401);
    http_client other = setup.gateway.connect();
    BOOST_TEST(other.ask("/rpc", request_text("open", "{}")).status == 401);
    BOOST_TEST(setup.gateway.servers().empty());
}

// Their requests come in turns, over one connection.
BOOST_AUTO_TEST_CASE(agents_that_share_a_server_see_and_call_their_own)
{
    mcp_gateway setup(options({"--share"}));
    http_client client = setup.gateway.connect();
    const std::string alices = mcp_gateway::greet(client, as_alice);
    const std::string bobs = mcp_gateway::greet(client, as_bob);
    for (int i = 0; i < 3; ++i) {
        const std::string hers = client.ask("/mcp", request_text("tools/list", "{}"), alices + as_alice).body;
        const std::string his = client.ask("/mcp", request_text("tools/list", "{}"), bobs + as_bob).body;
        for (const std::string& list : {hers, ask_modern(client, as_alice, "tools/list").body})
            BOOST_TEST((contains(list, "test_simple_text") && contains(list, "\"echo\"")), list);
        for (const std::string& list : {his, ask_modern(client, as_bob, "tools/list").body})
            BOOST_TEST((!contains(list, "test_simple_text") && contains(list, "\"echo\"")), list);
        BOOST_TEST(contains(ask_modern(client, as_alice, "tools/call", "test_simple_text").body, "simple text"));
        BOOST_TEST(contains(ask_modern(client, as_bob, "tools/call", "test_simple_text").body, "Unknown tool"));
    }
    BOOST_TEST(contains(ask_modern(client, as_bob, "tools/list").body, R"("cacheScope":"private")"));
    BOOST_TEST(!contains(ask_modern(client, as_bob, "resources/list").body, "watched"));
    BOOST_TEST(!contains(ask_modern(client, as_bob, "prompts/list").body, "arguments\""));
}

// At random, over one connection and in two sessions, all by one server.
BOOST_AUTO_TEST_CASE(no_agent_gets_an_answer_of_another)
{
    mcp_gateway setup(options({"--share"}));
    http_client client = setup.gateway.connect();
    const std::string alices = mcp_gateway::greet(client, as_alice) + as_alice;
    const std::string bobs = mcp_gateway::greet(client, as_bob) + as_bob;
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
        const bool is_alice = random() % 2 == 0;
        const std::string& fields = is_alice ? alices : bobs;
        const std::string mark = (is_alice ? "alice " : "bob ") + std::to_string(i);
        const std::string own =
            client
                .ask("/mcp", request_text("tools/call", R"({"name":"echo","arguments":{"message":")" + mark + "\"}}"),
                     fields)
                .body;
        BOOST_TEST(contains(own, '"' + mark + '"'), own);
        const std::string all = random() % 2 == 0 ? client.ask("/mcp", request_text("tools/list", "{}"), fields).body
                                                  : ask_modern(client, is_alice ? as_alice : as_bob, "tools/list").body;
        BOOST_TEST(contains(all, "\"test_simple_text\"") == is_alice, all);
        BOOST_TEST(contains(all, "\"echo\""), all);
    }
}

BOOST_AUTO_TEST_CASE(what_is_hidden_is_answered_as_what_there_is_not)
{
    mcp_gateway setup(options());
    http_client client = setup.gateway.connect();
    const std::string session = mcp_gateway::greet(client, as_bob);
    for (const auto& [method, hidden, unknown] :
         {std::tuple("tools/call", "test_simple_text", "none_simple_text"),
          std::tuple("prompts/get", "test_prompt_with_image", "none_prompt_with_image"),
          std::tuple("resources/read", "test://watched-resource", "none://watched-resource"),
          std::tuple("resources/read", "test://static-x/../watched-resource", "test://static-x/../wetched-resource")}) {
        expect_same(ask_modern(client, as_bob, method, hidden), hidden, ask_modern(client, as_bob, method, unknown),
                    unknown);
        const std::string key = method == std::string_view("resources/read") ? "uri" : "name";
        const auto ask = [&](const std::string& path, const std::string& name) {
            return client.ask(path, request_text(method, "{\"" + key + "\":\"" + name + "\"}"), session + as_bob);
        };
        expect_same(ask("/mcp", hidden), hidden, ask("/mcp", unknown), unknown);
        expect_same(ask("/rpc", hidden), hidden, ask("/rpc", unknown), unknown);
    }
    const auto plain = [&](std::string_view method) { return client.ask("/rpc", request_text(method, "{}"), as_bob); };
    expect_same(plain("tasks/list"), "tasks/list", plain("nothing"), "nothing");
}

// From a list that has passed it is known which fields a call of it has.
BOOST_AUTO_TEST_CASE(fields_tell_nothing_of_a_hidden_tool)
{
    mcp_gateway setup(options());
    http_client client = setup.gateway.connect();
    ask_modern(client, as_alice, "tools/list");
    BOOST_TEST(contains(ask_modern(client, as_alice, "tools/call", "test_x_mcp_header").body, "\"result\""));
    const auto call = [&](const std::string& token, const std::string& tool) {
        return client.ask("/mcp",
                          request_text("tools/call", R"({"name":")" + tool + R"(","arguments":{"region":"north"},)" +
                                                         "\"_meta\":" + modern_meta() + '}'),
                          modern_fields("tools/call", tool) + token);
    };
    BOOST_TEST(contains(call(as_alice, "test_x_mcp_header").body, "Header mismatch"));
    expect_same(call(as_bob, "test_x_mcp_header"), "test_x_mcp_header", call(as_bob, "none_x_mcp_header"),
                "none_x_mcp_header");
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_lacking_is_named_by_status_and_field)
{
    mcp_gateway setup(options());
    http_client client = setup.gateway.connect();
    const http_response got = ask_modern(client, as_bob, "tools/call", "slow");
    BOOST_TEST(got.status == 403);
    BOOST_TEST(contains(got.body, R"("code":-31003,"message":"Insufficient scope","data":{"required":["write"]})"));
    BOOST_TEST(contains(got.field("www-authenticate"), R"(error="insufficient_scope", scope="write")"));
}

BOOST_AUTO_TEST_CASE(the_server_is_told_who_asks_and_sees_no_token)
{
    fifo_server server;
    running_gateway gateway(server.behind(options({"--forward-peer"})));
    http_client client = gateway.connect();
    client.post("/rpc", request_text("open", R"({"a":1})"), as_bob);
    const json::object seen = server.read("open");
    BOOST_TEST(json::serialize(seen.at("params")) ==
               R"({"_meta":{"partyline/peer":{"principal":"bob","source":"token","scopes":["read"]}},"a":1})");
    BOOST_TEST(!contains(json::serialize(seen), bob.token));
    server.answer(seen, "1");
    BOOST_TEST(contains(client.response().body, "\"result\":1"));
    const std::string claimed = R"({"_meta":{"partyline/peer":{"principal":"root"}}})";
    BOOST_TEST(contains(client.ask("/rpc", request_text("open", claimed), as_bob).body, "\"code\":-32602"));
    client.post("/rpc", request_text("open", "{}"), as_alice);
    BOOST_TEST(contains(json::serialize(server.read()), "\"alice\"")); // nothing has come between
}

BOOST_AUTO_TEST_CASE(without_forward_peer_params_come_to_the_server_as_they_are)
{
    fifo_server server;
    running_gateway gateway(server.behind(options()));
    http_client client = gateway.connect();
    client.post("/rpc", request_text("open", R"({"a":1})"), as_bob);
    BOOST_TEST(json::serialize(server.read("open").at("params")) == R"({"a":1})");
    http_client other = gateway.connect();
    const std::string claimed = R"({"_meta":{"partyline/peer":{"principal":"root"}}})";
    BOOST_TEST(contains(other.ask("/rpc", request_text("open", claimed), as_bob).body, "\"code\":-32602"));
}

BOOST_AUTO_TEST_CASE(a_session_is_told_of_its_lists_when_the_rules_have_changed)
{
    mcp_gateway setup(options());
    http_client client = setup.gateway.connect();
    const std::string session = mcp_gateway::greet(client, as_bob) + as_bob;
    http_client watcher = setup.gateway.connect();
    watcher.request("GET", "/mcp", session);
    watcher.head();
    write_rules(R"("echo","test_image_content")");
    setup.gateway.process().signal(SIGHUP);
    watcher.read_until("notifications/tools/list_changed");
    BOOST_TEST(contains(client.ask("/mcp", request_text("tools/list", "{}"), session).body, "test_image_content"));
}

BOOST_AUTO_TEST_SUITE_END()
