// What a server that takes the place of another one is told again, and what the handlers are told.

#include "supervised_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view refusal = R"({"code":-32602,"message":"Not here"})";

struct fixture : supervised_client_fixture {
    fixture()
    {
        prepare = [this](mcp::client& made) {
            made.on_log([](const mcp::log_entry&) {});
            hear(made);
        };
    }
    // Has an operation done that a server of the handshake's era answers by {}.
    void done(begun<void> what, scripted_peer& by, std::string_view method, std::string_view params)
    {
        by.reply(by.expect_request(method, params), "{}");
        BOOST_TEST(!by.wait(what).failed());
    }
    void subscribe(mcp::client& client, const std::string& uri, scripted_peer& by)
    {
        begun<void> subscribed;
        client.subscribe(uri)(subscribed.token());
        done(subscribed, by, "resources/subscribe", params_of(uri));
    }
    void set_level(mcp::client& client, mcp::log_level level, scripted_peer& by)
    {
        begun<void> set;
        client.set_log_level(level)(set.token());
        done(set, by, "logging/setLevel", R"({"level":")" + std::string(to_string(level)) + "\"}");
    }
    static std::string params_of(const std::string& uri) { return R"({"uri":")" + uri + "\"}"; }
    void answer_subscribe(scripted_peer& by, const std::string& uri)
    {
        by.reply(by.expect_request("resources/subscribe", params_of(uri)), "{}");
    }
    // The id of the request.
    std::string expect_listen_to(scripted_peer& by, const std::string& uri)
    {
        return by.expect_request("subscriptions/listen",
                                 R"({"notifications":{"resourceSubscriptions":[")" + uri + R"("]}})");
    }
    void acknowledge(scripted_peer& by, const std::string& id, const std::string& uri)
    {
        by.tell("notifications/subscriptions/acknowledged",
                R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id +
                    R"(},"notifications":{"resourceSubscriptions":[")" + uri + R"("]}})");
    }
    void check_heard(const std::vector<std::string>& what)
    {
        BOOST_TEST(heard == what, boost::test_tools::per_element());
        heard.clear();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_supervised_client_restores, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_log_level_and_what_was_subscribed_to)
{
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    set_level(*first, mcp::log_level::warning, servers[0]);
    for (const char* const uri : {"a:1", "a:2", "a:3"})
        subscribe(*first, uri, servers[0]);
    begun<void> left;
    first->unsubscribe("a:2")(left.token());
    done(left, servers[0], "resources/unsubscribe", params_of("a:2"));
    check_heard({});
    for (std::size_t start : {1, 2}) { // of the second one it is known from the first one
        servers[start - 1].end();
        scripted_peer& next = server(start);
        next.greet_legacy();
        ready_client asked = begin_ready();
        next.reply(next.expect_request("logging/setLevel", R"({"level":"warning"})"), "{}");
        answer_subscribe(next, "a:1");
        settle();
        BOOST_TEST(!asked.has_ended());
        check_heard({});
        answer_subscribe(next, "a:3");
        BOOST_TEST(!next.wait(asked).failed());
        check_heard({"tools", "prompts", "resources", "a:1", "a:3"});
        next.expect_silence();
    }
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(the_same_of_a_server_without_a_handshake)
{
    run();
    const std::shared_ptr<mcp::client> first = start_modern();
    begun<void> set;
    first->set_log_level(mcp::log_level::error)(set.token());
    begun<void> subscribed;
    first->subscribe("a:b")(subscribed.token());
    acknowledge(servers[0], expect_listen_to(servers[0], "a:b"), "a:b");
    BOOST_TEST(!servers[0].wait(subscribed).failed());
    servers[0].end();
    scripted_peer& next = server(1);
    next.greet_modern();
    acknowledge(next, expect_listen_to(next, "a:b"), "a:b");
    const std::shared_ptr<mcp::client> second = ready();
    check_heard({"tools", "prompts", "resources", "a:b"});
    begun<mcp::tool_answer> called;
    second->call_tool("find")(called.token());
    next.expect_request("tools/call", R"({"name":"find","arguments":{}})");
    BOOST_TEST(next.last_meta().at("io.modelcontextprotocol/logLevel") == json::value("error"));
}

BOOST_AUTO_TEST_CASE(what_a_start_that_failed_would_have_restored)
{
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    subscribe(*first, "a:1", servers[0]);
    subscribe(*first, "a:2", servers[0]);
    servers[0].end();
    server(1).greet_legacy();
    answer_subscribe(servers[1], "a:1");
    settle();
    servers[1].end();
    server(2).greet_legacy();
    answer_subscribe(servers[2], "a:1");
    answer_subscribe(servers[2], "a:2");
    BOOST_TEST(ready());
    check_heard({"tools", "prompts", "resources", "a:1", "a:2"});
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(nothing_that_the_new_server_refuses)
{
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    set_level(*first, mcp::log_level::debug, servers[0]);
    subscribe(*first, "a:1", servers[0]);
    subscribe(*first, "a:2", servers[0]);
    servers[0].end();
    scripted_peer& next = server(1);
    next.greet_legacy();
    next.refuse(next.expect_request("logging/setLevel", R"({"level":"debug"})"), refusal);
    next.refuse(next.expect_request("resources/subscribe", params_of("a:1")), refusal);
    answer_subscribe(next, "a:2");
    BOOST_TEST(ready());
    check_heard({"tools", "prompts", "resources", "a:2"});
    BOOST_TEST(has_logged("the restarted MCP server does not take the log level: Not here"));
    BOOST_TEST(has_logged("the restarted MCP server is not subscribed to for a:1: Not here"));
    servers[1].end();
    server(2).greet_legacy();
    answer_subscribe(servers[2], "a:2"); // and of the others nothing is said any more
    BOOST_TEST(ready());
    servers[2].expect_silence();
}

BOOST_AUTO_TEST_CASE(all_of_it_where_a_request_for_it_failed_otherwise)
{
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    set_level(*first, mcp::log_level::warning, servers[0]);
    subscribe(*first, "a:1", servers[0]);
    client_options.request_timeout = 50ms;
    servers[0].end();
    scripted_peer& silent = server(1);
    client_options.request_timeout = 1h; // of the next one
    silent.greet_legacy();
    silent.reply(silent.expect_request("logging/setLevel", R"({"level":"warning"})"), "{}");
    run_until([&] { return notes->status().last_end == errc::timeout; }); // a:1 was never answered
    check_heard({});
    scripted_peer& next = server(2);
    next.greet_legacy();
    next.reply(next.expect_request("logging/setLevel", R"({"level":"warning"})"), "{}");
    answer_subscribe(next, "a:1");
    BOOST_TEST(ready());
    check_heard({"tools", "prompts", "resources", "a:1"});
}

BOOST_AUTO_TEST_CASE(nothing_of_which_a_server_is_told_that_ends_at_its_last_answer)
{
    run();
    subscribe(*start_legacy(), "a:1", servers[0]);
    servers[0].end();
    server(1).greet_legacy();
    servers[1].expect_request("resources/subscribe", params_of("a:1"));
    servers[1].end();
    server(2);
    check_heard({});
}

BOOST_AUTO_TEST_CASE(nothing_that_takes_too_long)
{
    options.start_timeout = 20ms;
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    for (int i = 0; i != 70; ++i) // more than are asked for at a time
        subscribe(*first, "a:" + std::to_string(100 + i), servers[0]);
    servers[0].end();
    scripted_peer& next = server(1);
    next.greet_legacy();
    BOOST_TEST(ready());
    check_heard({"tools", "prompts", "resources"});
    BOOST_TEST(has_logged("the restarted MCP server is not subscribed to for a:100: "));
    BOOST_TEST(has_logged("the restarted MCP server has not taken all that the last one knew in start_timeout"));
    BOOST_TEST(!has_logged("a:169")); // that was not even asked for
}

BOOST_AUTO_TEST_CASE(as_much_as_there_is_in_several_steps)
{
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    for (int i = 0; i != 200; ++i)
        subscribe(*first, "a:" + std::to_string(100 + i), servers[0]);
    servers[0].end();
    scripted_peer& next = server(1);
    next.greet_legacy();
    for (int i = 0; i != 200; ++i)
        answer_subscribe(next, "a:" + std::to_string(100 + i));
    BOOST_TEST(ready());
    BOOST_TEST(heard.size() == 203u);
}

BOOST_AUTO_TEST_CASE(the_roots_that_were_set_last)
{
    prepare = [](mcp::client& made) { made.set_roots({{"file:///maker", {}}}); };
    run();
    std::shared_ptr<mcp::client> now = start_legacy();
    const auto check_roots = [&](std::size_t start, const std::string& uri) {
        servers[start].send(R"({"jsonrpc":"2.0","id":"q","method":"roots/list"})");
        const json::value said = json::parse(servers[start].receive());
        BOOST_TEST(json::serialize(said.at("result")) == R"({"roots":[{"uri":")" + uri + R"("}]})");
    };
    check_roots(0, "file:///maker");
    servers[0].end();
    now = start_legacy(1);
    check_roots(1, "file:///maker");
    now->set_roots({{"file:///user", {}}});
    servers[1].expect_request("notifications/roots/list_changed", "{}");
    servers[1].end();
    run_until_state(supervisor_state::waiting);
    now->set_roots({{"file:///late", {}}}); // which nobody can be told any more but the next one
    start_legacy(2);
    check_roots(2, "file:///late");
    servers[2].end();
    start_legacy(3);
    check_roots(3, "file:///late");
}

BOOST_AUTO_TEST_CASE(the_roots_that_were_set_while_the_next_one_was_started)
{
    prepare = [](mcp::client& made) { made.set_roots({}); };
    run();
    const std::shared_ptr<mcp::client> first = start_legacy();
    servers[0].end();
    scripted_peer& next = server(1);
    const std::string asked = next.expect_request("server/discover", "{}");
    first->set_roots({{"file:///user", {}}});
    next.reply(asked, discovered());
    const std::shared_ptr<mcp::client> second = ready();
    begun<mcp::tool_answer> called;
    second->call_tool("find")(called.token());
    next.reply(next.expect_request("tools/call", R"({"name":"find","arguments":{}})"),
               R"({"resultType":"input_required","inputRequests":{"where":{"method":"roots/list"}}})");
    const json::value answer = json::parse(next.receive());
    BOOST_TEST(json::serialize(answer.at("params").at("inputResponses").at("where")) ==
               R"({"roots":[{"uri":"file:///user"}]})");
}

BOOST_AUTO_TEST_CASE(what_on_start_has_done_already_is_not_done_again)
{
    options.on_start = [](mcp::client& server) -> boost::asio::awaitable<void> {
        co_await server.subscribe("a:1");
        co_await server.set_log_level(mcp::log_level::error);
    };
    run();
    scripted_peer& first = server(0);
    first.greet_legacy();
    answer_subscribe(first, "a:1");
    first.reply(first.expect_request("logging/setLevel", R"({"level":"error"})"), "{}");
    const std::shared_ptr<mcp::client> before = ready();
    subscribe(*before, "a:2", first);
    first.end();
    scripted_peer& next = server(1);
    next.greet_legacy();
    answer_subscribe(next, "a:1");
    next.reply(next.expect_request("logging/setLevel", R"({"level":"error"})"), "{}");
    answer_subscribe(next, "a:2");
    BOOST_TEST(ready());
    check_heard({"tools", "prompts", "resources", "a:1", "a:2"});
    next.expect_silence();
}

BOOST_AUTO_TEST_SUITE_END()
