// Middleware around tools, resources, prompts, lists and what else a server serves.

#include "support/text_search.hpp"
#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp/server/requester.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <string>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::json_text;
using partyline::json_view;
using partyline::next_handler;
using partyline::request_context;
using partyline::request_result;
using partyline::rpc_error;

namespace {

struct around_fixture : mcp_dialogue {
    mcp::server_options how;
    std::string seen;

    // Notes each request that passes, and what comes of it after a turn.
    void note_all(const std::string& word)
    {
        how.around_requests.add(
            [this, word](request_context& rpc, json_view, next_handler& next) -> partyline::task<request_result> {
                seen += word + ':' + std::string(rpc.method()) + ' ';
                request_result made = co_await next();
                co_await asio::post(rpc.get_executor(), asio::deferred);
                seen += '/' + word + ' ';
                co_return made;
            });
    }
    void answer_with(std::optional<json_text> result)
    {
        how.around_requests.add([result](request_context&) { return result; });
    }
    // The server with that, and something of each kind.
    void make()
    {
        server = mcp::server("unit", "1.0", how);
        server.add_tool("hello", "Says hello", [] { return "hello"; });
        server.add_tool("later", "Says it later", [](mcp::context& c) -> partyline::task<std::string> {
            co_await asio::post(c.get_executor(), asio::deferred);
            co_return "later";
        });
        server.add_resource("notes://one", "one", "One", [] { return "text"; });
        server.add_prompt("ask", "Asks", [] { return "Well?"; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_around, around_fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(each_kind_passes_it_in_both_eras)
{
    note_all("a");
    note_all("b");
    make();
    greet();
    BOOST_TEST(seen.empty()); // initialize does not
    for (const char* const asked : {"tools/call {\"name\":\"hello\"}", "tools/call {\"name\":\"later\"}",
                                    "resources/read {\"uri\":\"notes://one\"}", "prompts/get {\"name\":\"ask\"}",
                                    "tools/list {}", "logging/setLevel {\"level\":\"info\"}"}) {
        const std::string line(asked);
        const std::string method = line.substr(0, line.find(' '));
        const std::string params = line.substr(line.find(' ') + 1);
        seen.clear();
        BOOST_TEST(contains(answer_to(request("1", method, params)), "\"result\""), line);
        BOOST_TEST(seen == "a:" + method + " b:" + method + " /b /a ");
        if (method == "logging/setLevel")
            continue;
        seen.clear();
        const std::string members = params.substr(1, params.size() - 2);
        const std::string reply = answer_modern(method, members);
        BOOST_TEST(contains(reply, R"("resultType":"complete")"), reply);
        BOOST_TEST(seen == "a:" + method + " b:" + method + " /b /a ");
    }
    seen.clear();
    BOOST_TEST(contains(answer_modern("server/discover"), "supportedVersions"));
    BOOST_TEST(seen == "a:server/discover b:server/discover /b /a ");
}

BOOST_AUTO_TEST_CASE(what_it_leaves_alone_is_byte_for_byte_the_same)
{
    const std::vector<std::string> lines{request("1", "tools/call", R"({"name":"hello"})"),
                                         request("2", "tools/call", R"({"name":"later","arguments":{}})"),
                                         request("3", "tools/call", R"({"name":"later","arguments":{"x":1}})"),
                                         request("4", "tools/call", R"({"name":"nothing"})"),
                                         request("5", "resources/read", R"({"uri":"notes://one"})"),
                                         request("6", "prompts/get", R"({"name":"ask"})"),
                                         request("7", "resources/templates/list"),
                                         request("8", "nothing")};
    const auto answers = [&lines](bool has_middleware) {
        around_fixture one;
        if (has_middleware)
            one.note_all("a");
        one.make();
        one.greet();
        std::string all;
        for (const std::string& line : lines)
            all += one.answer_to(line) + '\n';
        for (const char* const method : {"tools/list", "server/discover"})
            all += one.answer_modern(method) + '\n';
        one.call_modern("9", "hello");
        return all + one.receive();
    };
    BOOST_TEST(answers(true) == answers(false));
}

BOOST_AUTO_TEST_CASE(an_answer_of_its_own_gets_what_a_result_says_of_itself)
{
    answer_with(json_text(R"({"content":[]})"));
    make();
    greet();
    call("1", "hello");
    expect(result("1", R"({"content":[]})"));
    call_modern("2", "hello");
    expect(modern_result("2", R"("content":[])"));
    const std::string listed = answer_modern("tools/list");
    BOOST_TEST(contains(listed, R"("ttlMs":0,"cacheScope":"private","resultType":"complete")"), listed);
}

BOOST_AUTO_TEST_CASE(a_result_type_of_its_own_stays_and_nothing_is_an_empty_object)
{
    how.around_requests.add([](request_context& rpc) -> std::optional<json_text> {
        return rpc.method() == "tools/call" ? json_text(R"({"resultType":"task"})") : json_text("null");
    });
    make();
    begin();
    call_modern("1", "hello");
    expect(result("1", R"({"resultType":"task"})"));
    say_modern("2", "prompts/get", R"("name":"ask")");
    expect(result("2", R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":)"
                       R"({"name":"unit","version":"1.0"}}})"));
}

BOOST_AUTO_TEST_CASE(what_a_result_says_of_itself_already_is_said_once)
{
    how.around_requests.add([](request_context& rpc) -> std::optional<json_text> {
        if (rpc.method() == "prompts/list")
            return json_text(R"({"prompts":[],"cacheScope":"private"})");
        if (rpc.method() == "tools/list")
            return json_text(R"({"tools":[],"ttlMs":7,"cacheScope":"public"})");
        return json_text(R"( {"_meta":1,"content":[],"_meta":{"a":[1],)"
                         R"("io.modelcontextprotocol/serverInfo":"x","b":1e400}} )");
    });
    make();
    begin();
    say_modern("1", "tools/list");
    expect(modern_result("1", R"("tools":[],"ttlMs":7,"cacheScope":"public")"));
    say_modern("3", "prompts/list");
    expect(modern_result("3", R"("prompts":[],"cacheScope":"private","ttlMs":0)"));
    call_modern("2", "hello");
    expect(result("2", R"({"content":[],"resultType":"complete","_meta":{"a":[1],"b":1e400,)"
                       R"("io.modelcontextprotocol/serverInfo":{"name":"unit","version":"1.0"}}})"));
}

BOOST_AUTO_TEST_CASE(white_space_around_a_result_is_no_fault)
{
    for (const char* const made : {"{}\n", " {}", " null\t"}) {
        around_fixture one;
        one.answer_with(json_text(made));
        one.make();
        one.greet();
        one.call("1", "hello");
        one.expect(result("1", "{}"));
    }
}

BOOST_AUTO_TEST_CASE(a_result_that_is_no_object_is_an_internal_error)
{
    for (const char* const made : {"[]", "7", "{", ""}) {
        around_fixture one;
        one.answer_with(json_text(made));
        one.make();
        one.greet();
        const std::string reply = one.answer_to(request("1", "tools/call", R"({"name":"hello"})"));
        BOOST_TEST(contains(reply, "-32603"), std::string(made) + ": " + reply);
        BOOST_REQUIRE(!one.logged.empty());
        BOOST_TEST(contains(one.logged.back(), "the result of tools/call is no"), one.logged.back());
    }
}

BOOST_AUTO_TEST_CASE(what_it_throws_is_an_error_and_no_result_of_a_tool)
{
    how.around_requests.add([](request_context&) { throw rpc_error(-7, "No"); });
    make();
    greet();
    call("1", "hello");
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-7,"message":"No"}})");
    call_modern("2", "later");
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":-7,"message":"No"}})");
}

BOOST_AUTO_TEST_CASE(what_a_client_lacks_is_named_in_both_eras)
{
    how.around_requests.add([](request_context& rpc) { mcp::requester(rpc).require_extension("com.example/jobs"); });
    make();
    greet();
    call("1", "hello");
    const std::string legacy = receive();
    BOOST_TEST(contains(legacy, R"("code":-32602)"), legacy);
    BOOST_TEST(contains(legacy, "com.example/jobs"), legacy);
    call_modern("2", "hello");
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32021,"message":"Missing required client capability",)"
           R"("data":{"requiredCapabilities":{"extensions":{"com.example/jobs":{}}}}}})");
    call_modern("3", "hello", "{}", R"({"extensions":{"com.example/jobs":{}}})");
    expect(modern_text("3", "hello"));
}

BOOST_AUTO_TEST_CASE(a_tool_s_own_stands_after_the_server_s)
{
    note_all("all");
    make();
    mcp::tool_options own;
    own.run.around_requests.add([this](request_context&) { seen += "own "; });
    server.add_tool("special", "Special", [] { return 1; }, own);
    greet();
    call("1", "special");
    receive();
    BOOST_TEST(seen == "all:tools/call own /all ");
    seen.clear();
    call("2", "hello");
    receive();
    BOOST_TEST(seen == "all:tools/call /all ");
}

BOOST_AUTO_TEST_CASE(it_may_change_the_arguments_and_the_result)
{
    how.around_requests.add(
        [](request_context& rpc, json_view params, next_handler& next) -> partyline::task<request_result> {
            if (rpc.method() != "tools/call")
                co_return co_await next();
            json::value changed = params.to_value();
            changed.at("arguments").as_object()["a"] = 40;
            request_result made = co_await next(std::move(changed));
            json::value result = std::move(made).to_value();
            result.as_object()["_meta"] = json::object{{"seen", true}};
            co_return result;
        });
    make();
    server.add_tool("add", "Adds", [](int a, int b) { return a + b; }, {{"a", "One"}, {"b", "Another"}});
    greet();
    call("1", "add", R"({"a":1,"b":2})");
    const std::string reply = receive();
    BOOST_TEST(contains(reply, R"("structuredContent":{"result":42})"), reply);
    BOOST_TEST(contains(reply, R"("_meta":{"seen":true})"), reply);
}

BOOST_AUTO_TEST_CASE(what_nothing_serves_does_not_pass_it)
{
    note_all("a");
    make();
    greet();
    BOOST_TEST(contains(answer_to(request("1", "tools/call", R"({"name":"nothing"})")), "Unknown tool"));
    BOOST_TEST(contains(answer_to(request("2", "nothing")), "-32601"));
    BOOST_TEST(seen.empty(), seen);
}

BOOST_AUTO_TEST_CASE(a_subscription_passes_it_and_ends_as_ever)
{
    how.around_requests.add([](request_context&, json_view, next_handler& next) { return next(); });
    make();
    begin();
    say_modern("5", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
    BOOST_TEST(contains(receive(), "acknowledged"));
    server.add_tool("more", "More", [] { return 1; });
    BOOST_TEST(contains(receive(), "notifications/tools/list_changed"));
    end_input();
    const std::string reply = receive();
    BOOST_TEST(contains(reply, R"("io.modelcontextprotocol/subscriptionId":5)"), reply);
}

BOOST_AUTO_TEST_SUITE_END()
