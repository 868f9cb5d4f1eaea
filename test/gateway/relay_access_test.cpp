// The gateway judges what it forwards, and what it tells, by its client's rights.

#include "limited_view.hpp"
#include "relay_dialogue.hpp"
#include "support/text_search.hpp"

#include <partyline/session/peer_identity.hpp>
#include <partyline/session/request_quota.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

using namespace partyline::test;
using gateway::protocol;

namespace {

constexpr const char* updated = "notifications/resources/updated";

struct relay_fixture : relay_dialogue {
    relay_fixture()
    {
        for (const char* const method : {"tools/call", "prompts/get", "resources/read", "resources/subscribe", "open"})
            results[method] = R"({"ok":1.0})";
    }

    void limit() { options.access = std::make_shared<limited_view>(std::vector<std::string>{"open", "file:///srv/"}); }
    // The same bytes but for the name, and nothing of it has come to the server.
    void expect_hidden(std::string_view method, const std::string& before, const std::string& name,
                       const std::string& behind)
    {
        const std::string other = "zz" + name;
        const std::size_t so_far = arrived.size();
        const std::string hidden = answer(method, before + name + behind);
        std::string unknown = answer(method, before + other + behind);
        for (std::size_t at; (at = unknown.find(other)) != std::string::npos;)
            unknown.replace(at, other.size(), name);
        BOOST_TEST(hidden == unknown);
        BOOST_TEST(contains(hidden, "\"error\""), hidden);
        BOOST_TEST(arrived.size() == so_far);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_relay_access, relay_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(without_a_view_all_is_forwarded_to_the_byte)
{
    relay_to_server(protocol::mcp);
    for (const char* const params : {R"({"name":"secret", "name":"x", "a":1.0})", R"({"NAME":1})", "{}"}) {
        BOOST_TEST(answer("tools/call", params) == partyline::test::result("1", R"({"ok":1.0})"));
        BOOST_TEST(arrived.back() == "tools/call " + std::string(params));
    }
}

BOOST_AUTO_TEST_CASE(what_is_allowed_is_forwarded_to_the_byte)
{
    limit();
    relay_to_server(protocol::mcp);
    for (const auto& [method, params] : {std::pair("tools/call", R"({ "name":"open_\u0061","arguments":{"a":1e2} })"),
                                         std::pair("prompts/get", R"({"name":"open"})"),
                                         std::pair("resources/read", R"({"uri":"file:///srv/%61"})")}) {
        BOOST_TEST(answer(method, params) == partyline::test::result("1", R"({"ok":1.0})"));
        BOOST_TEST(arrived.back() == std::string(method) + ' ' + params);
    }
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(what_is_hidden_is_answered_as_what_there_is_not_and_the_server_is_not_asked)
{
    limit();
    relay_to_server(protocol::mcp);
    expect_hidden("tools/call", R"({"name":")", "secret", R"("})");
    expect_hidden("prompts/get", R"({"name":")", "secret", R"("})");
    expect_hidden("resources/read", R"({"uri":")", "file:///etc/a", R"("})");
    expect_hidden("resources/subscribe", R"({"uri":")", "file:///etc/a", R"("})");
    expect_hidden("resources/unsubscribe", R"({"uri":")", "file:///etc/a", R"("})");
    expect_hidden("completion/complete", R"({"ref":{"type":"ref/prompt","name":")", "secret", R"("}})");
    BOOST_TEST(answer("secret", "{}") ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found",)"
               R"("data":{"method":"secret"}}})");
    BOOST_TEST(answer("tools/call", R"({"name":"secret"})") ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: secret"}})");
}

BOOST_AUTO_TEST_CASE(no_spelling_of_a_hidden_name_reaches_the_server)
{
    limit();
    relay_to_server(protocol::mcp);
    const std::string composed = "s\xC3\xA9"
                                 "cret";
    const std::string decomposed = "se\xCC\x81"
                                   "cret";
    for (const std::string& name :
         {std::string("secret"), std::string(R"(se\u0063ret)"), std::string("SECRET"), std::string("Open"),
          std::string("*"), std::string("secret*"), std::string("secret."), std::string(" open"),
          std::string(R"(\u0000open)"), std::string(), composed, decomposed, std::string(100'000, 's')}) {
        const std::string told = answer("tools/call", R"({"name":")" + name + "\"}");
        BOOST_TEST(contains(told, R"("code":-32602,"message":"Unknown tool: )"), told);
    }
    BOOST_TEST(arrived.empty());
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_lacking_is_named)
{
    limit();
    relay_to_server(protocol::mcp);
    const std::string told =
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-31003,"message":"Insufficient scope","data":{"required":["admin"]}}})";
    BOOST_TEST(answer("tools/call", R"({"name":"admin_x"})") == told);
    BOOST_TEST(answer("resources/subscribe", R"({"uri":"admin:x"})") == told);
    BOOST_TEST(answer("subscriptions/listen", R"({"notifications":{"resourceSubscriptions":["admin:x"]}})") == told);
    BOOST_TEST(answer("admin", "{}") == told);
    BOOST_TEST(arrived.empty());
}

BOOST_AUTO_TEST_CASE(a_client_of_plain_json_rpc_is_judged_in_the_same_way)
{
    limit();
    relay_to_server(protocol::plain);
    BOOST_TEST(answer("open", "[1.0]") == partyline::test::result("1", R"({"ok":1.0})"));
    expect_hidden("tools/call", R"({"name":")", "secret", R"("})");
    BOOST_TEST(contains(answer("tools/call", R"(["secret"])"), "-32602"));
    send('[' + partyline::test::request("1", "tools/call", R"({"name":"secret"})") + ',' +
         partyline::test::request("2", "open") + ']');
    const std::string both = receive();
    BOOST_TEST(contains(both, "Unknown tool: secret"));
    BOOST_TEST(contains(both, R"("id":2,"result":{"ok":1.0})"), both);
    BOOST_TEST(arrived.size() == 2u);
}

BOOST_AUTO_TEST_CASE(notifications_are_judged_too)
{
    limit();
    relay_to_server(protocol::plain);
    send(notification("secret"));
    send(notification("tools/call", R"({"name":"secret"})"));
    send(notification("tools/call", R"({"name":"open","NAME":"secret"})"));
    send(notification("resources/subscribe", R"({"uri":"file:///etc/a"})"));
    send(notification("tools/call", R"({"name":"open"})"));
    settle();
    BOOST_TEST(arrived == std::vector<std::string>{R"(tools/call {"name":"open"})"}, boost::test_tools::per_element());
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(lists_leave_out_what_is_hidden)
{
    limit();
    relay_to_server(protocol::mcp);
    results["tools/list"] = R"({"tools":[{"name":"open"},{"name":"secret"}],"nextCursor":"c","cacheScope":"public"})";
    BOOST_TEST(answer("tools/list", R"({"cursor":"b"})") ==
               partyline::test::result("1", R"({"tools":[{"name":"open"}],"nextCursor":"c","cacheScope":"private"})"));
    BOOST_TEST(arrived.back() == R"(tools/list {"cursor":"b"})");
    use(nullptr);
    BOOST_TEST(answer("tools/list", "{}") == partyline::test::result("1", results["tools/list"]));
}

BOOST_AUTO_TEST_CASE(clients_that_share_a_server_see_what_is_theirs)
{
    limit();
    relay_to_server(protocol::mcp, true);
    results["tools/list"] = R"({"tools":[{"name":"open"},{"name":"secret"}]})";
    BOOST_TEST(answer("tools/list", "{}") == partyline::test::result("1", R"({"tools":[{"name":"open"}]})"));
    use(std::make_shared<limited_view>(std::vector<std::string>{"secret"}));
    BOOST_TEST(answer("tools/list", "{}") == partyline::test::result("1", R"({"tools":[{"name":"secret"}]})"));
}

BOOST_AUTO_TEST_CASE(updates_are_told_of_what_the_client_may_read_alone)
{
    limit();
    relay_to_server(protocol::mcp);
    BOOST_TEST(answer("resources/subscribe", R"({"uri":"file:///srv/a"})") ==
               partyline::test::result("1", R"({"ok":1.0})"));
    tell(updated, R"({"uri":"file:///etc/a"})");
    tell(updated, R"({"uri":"admin:a"})");
    tell(updated, R"({})");
    tell(updated, R"({"uri":"file:///srv/\ud800"})");
    expect_silence();
    tell(updated, R"({"uri":"file:///srv/a"})");
    expect(notification(updated, R"({"uri":"file:///srv/a"})"));
    tell("notifications/tools/list_changed", "{}");
    BOOST_TEST(contains(receive(), "list_changed"));
    use(std::make_shared<limited_view>(std::vector<std::string>{}));
    tell(updated, R"({"uri":"file:///srv/a"})");
    expect_silence();
    // It ends what it had begun.
    BOOST_TEST(answer("resources/unsubscribe", R"({"uri":"file:///srv/a"})") == partyline::test::result("1", "null"));
    BOOST_TEST(contains(answer("resources/unsubscribe", R"({"uri":"file:///srv/a"})"), "-32002"));
}

BOOST_AUTO_TEST_CASE(a_subscription_is_asked_for_without_what_is_hidden)
{
    limit();
    relay_to_server(protocol::mcp);
    answer("subscriptions/listen", R"({"notifications":{"resourceSubscriptions":["file:///etc/a","file:///srv/a"]}})");
    BOOST_TEST(arrived.back() ==
               R"(subscriptions/listen {"notifications":{"resourceSubscriptions":["file:///srv/a"]}})");
}

BOOST_AUTO_TEST_CASE(a_client_is_told_of_its_lists_when_it_may_call_other_things)
{
    limit();
    relay_to_server(protocol::mcp);
    use(nullptr); // before it has begun a session
    expect_silence();
    results["initialize"] = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},)"
                            R"("prompts":{},"resources":{"listChanged":true}}})";
    answer("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})");
    use(std::make_shared<limited_view>(std::vector<std::string>{"secret"}));
    expect_in_any_order(
        {notification("notifications/tools/list_changed"), notification("notifications/resources/list_changed")});
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_subscription_is_told_of_its_lists_when_the_client_may_call_other_things)
{
    limit();
    relay_to_server(protocol::mcp);
    is_answering = false;
    send(partyline::test::request("\"a\"", "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})"));
    run_until([&] { return !arrived.empty(); });
    tell("notifications/subscriptions/acknowledged",
         R"({"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}})");
    BOOST_TEST(contains(receive(), R"("io.modelcontextprotocol/subscriptionId":"a")"));
    use(nullptr);
    expect(notification("notifications/tools/list_changed",
                        R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"a"}})"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_subscription_takes_no_place_in_a_quota)
{
    for (const protocol speaks : {protocol::mcp, protocol::either}) {
        relay_fixture one;
        one.options.quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 1});
        one.relay_to_server(speaks);
        one.is_answering = false;
        one.send(partyline::test::request("\"a\"", "subscriptions/listen",
                                          R"({"notifications":{"toolsListChanged":true}})"));
        one.run_until([&] { return !one.arrived.empty(); });
        one.is_answering = true;
        BOOST_TEST(contains(one.answer("open", "{}"), R"("result")"));
        one.end_input(); // and it is not waited for
        one.wait_end();
    }
}

BOOST_AUTO_TEST_CASE(a_client_can_not_say_who_it_is)
{
    relay_to_server(protocol::plain);
    const std::string said = R"({"_meta":{"partyline/peer":{"principal":"root"}}})";
    BOOST_TEST(contains(answer("open", said), R"("code":-32602)"));
    send(notification("open", said));
    send('[' + partyline::test::request("1", "open", said) + ',' + notification("open", said) + ']');
    BOOST_TEST(contains(receive(), R"("code":-32602)"));
    settle();
    BOOST_TEST(arrived.empty());
}

BOOST_AUTO_TEST_CASE(the_server_is_told_who_asks_where_that_is_wanted)
{
    const auto peer = std::make_shared<partyline::peer_identity>();
    peer->principal = "alice";
    peer->source = "token";
    peer->scopes = {"files:read"};
    options.peer = peer;
    limit();
    relay_to_server(protocol::plain, false, true);
    answer("open", R"({"a":1.0})");
    BOOST_TEST(arrived.back() == R"(open {"_meta":{"partyline/peer":{"principal":"alice","source":"token",)"
                                 R"("scopes":["files:read"]}},"a":1.0})");
    BOOST_TEST(contains(answer("open", "[1]"), R"("code":-32602)"));
    BOOST_TEST(contains(answer("open", R"({"_META":{}})"), R"("code":-32602)"));
    BOOST_TEST(arrived.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_shared_server_is_greeted_by_nobody_in_particular)
{
    const auto peer = std::make_shared<partyline::peer_identity>();
    peer->principal = "alice";
    options.peer = peer;
    relay_to_server(protocol::mcp, true, true);
    results["initialize"] = R"({"protocolVersion":"2025-11-25","capabilities":{}})";
    answer("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})");
    BOOST_TEST(!contains(arrived.back(), "alice"));
    answer("tools/list", "{}");
    BOOST_TEST(contains(arrived.back(), "alice"));
}

BOOST_AUTO_TEST_SUITE_END()
