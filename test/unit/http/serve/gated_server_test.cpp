// A server over HTTP with an access file: its answers, and their end with a token.

#include "access/gate_fixture.hpp"
#include "http/http_fixture.hpp"
#include "support/text_search.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace http = partyline::http;
namespace json = boost::json;
namespace mcp = partyline::mcp;
using partyline::access::gate;
using partyline::access::gate_fixture;
using partyline::access::scratch_file;
using partyline::test::contains;
using partyline::test::http_client;
using partyline::test::http_response;

namespace {

std::string token_entry(std::string_view token, std::string_view more)
{
    return R"({"sha256":")" + gate_fixture::sha256(token) + "\"," + std::string(more) + '}';
}

std::string time_text(std::chrono::system_clock::time_point at)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

const std::string alice_entry = token_entry("alice-token", R"("principal":"alice","scopes":["files:read"])");
const std::string bob_entry = token_entry("bob-token", R"("principal":"bob","scopes":["files:read","files:write"])");
const std::string rules_text = R"("rules":[{"methods":["echo"]},{"tools":["wait"]},)"
                               R"({"methods":["write"],"scopes":["files:write"]}])";

std::string file_of(const std::string& tokens, const std::string& rules = rules_text)
{
    return R"({"resource":"https://rpc.example.org/rpc","tokens":[)" + tokens + "]," + rules +
           R"(,"limits":[{"principals":["often"],"requests_per_second":0.5,"burst":1}]})";
}

struct gated_fixture : partyline::test::http_fixture {
    gated_fixture()
    {
        options.access = access;
        options.allowed_hosts = {"localhost"}; // for clients of a proxy
        partyline::method_table methods;
        methods.add("echo", [](json::value params) { return params; });
        methods.add("write", [] { return 1; });
        methods.add("secret", [] { return 1; });
        server.add_tool("wait", "Tells, and waits.", [this](mcp::context& own) { return wait(own); });
        served().add_rpc("/rpc", std::move(methods));
        served().add_mcp("/mcp", server);
        start();
    }

    partyline::task<std::string> wait(mcp::context& own)
    {
        co_await own.progress(1);
        boost::asio::steady_timer timer(own.get_executor(), boost::asio::steady_timer::time_point::max());
        try {
            co_await timer.async_wait(boost::asio::deferred);
        } catch (const boost::system::system_error&) { // cancelled
        }
        ++cancelled;
        co_return "waited";
    }

    static std::string bearer(std::string_view token) { return "Authorization: Bearer " + std::string(token) + "\r\n"; }
    static std::string call(std::string_view method)
    {
        return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + "\"}";
    }
    http_response ask(std::string_view fields, std::string_view method = "echo")
    {
        http_client client = connect();
        return client.ask("/rpc", call(method), fields);
    }
    void reload(const std::string& text)
    {
        file.write(text);
        access->reload();
    }
    // Begins a session and its stream.
    http_client listen(std::string_view token)
    {
        http_client client = connect();
        const http_response got =
            client.ask("/mcp",
                       R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                       R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                       bearer(token));
        client.request("GET", "/mcp",
                       bearer(token) + "Mcp-Session-Id: " + got.field("mcp-session-id") +
                           "\r\nAccept: text/event-stream\r\n");
        BOOST_TEST_REQUIRE(client.head().status == 200);
        return client;
    }

    const scratch_file file{file_of(alice_entry + ',' + bob_entry)};
    const std::shared_ptr<gate> access = std::make_shared<gate>(file.path());
    mcp::server server{"play", "1"};
    int cancelled = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_gated_server, gated_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(each_row_of_answers)
{
    const std::string old = token_entry("old-token", R"("principal":"old","until":"2020-01-01T00:00:00Z")");
    const std::string often = token_entry("often-token", R"("principal":"often")");
    reload(file_of(alice_entry + ',' + bob_entry + ',' + old + ',' + often));
    const struct {
        std::string fields;
        std::string method;
        int status;
        int code; // 0: a result
        std::string challenge;
    } rows[] = {
        {"", "echo", 401, -31005, "bearer resource_metadata="},
        {bearer("none"), "echo", 401, -31005, "bearer error=\"invalid_token\", resource_metadata="},
        {bearer("old-token"), "echo", 401, -31005, "error_description=\"expired\""},
        {"Authorization: Basic YTpi\r\n", "echo", 400, -31005, "bearer error=\"invalid_request\""},
        {bearer("alice-token") + bearer("alice-token"), "echo", 400, -31005, "bearer error=\"invalid_request\""},
        {bearer("alice-token"), "echo", 200, 0, ""},
        {bearer("alice-token"), "write", 403, -31003, "error=\"insufficient_scope\", scope=\"files:write\""},
        {bearer("bob-token"), "write", 200, 0, ""},
        {bearer("bob-token"), "secret", 200, -32601, ""},
        {bearer("often-token"), "echo", 200, 0, ""},
        {bearer("often-token"), "echo", 429, -31002, ""},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.fields << row.method)
        {
            const http_response got = ask(row.fields, row.method);
            BOOST_TEST(got.status == row.status);
            BOOST_TEST(contains(got.field("www-authenticate"), row.challenge));
            BOOST_TEST(got.field("www-authenticate").empty() == row.challenge.empty());
            BOOST_TEST(got.field("retry-after").empty() == (row.status != 429));
            const json::object reply = json::parse(got.body).as_object();
            BOOST_TEST((row.code == 0 ? reply.contains("result") : reply.at("error").at("code") == row.code));
        }
    }
}

BOOST_AUTO_TEST_CASE(an_address_that_tries_on_and_on_is_told_to_wait_and_known_peers_are_served)
{
    http::accepted_protocols accepted;
    accepted.proxy_protocol = true;
    const std::uint16_t proxied = served().listen_tcp("127.0.0.1", 0, accepted).port();
    const auto ask_from_afar = [&](std::string_view token) {
        http_client client(context, proxied);
        client.send("PROXY TCP4 192.0.2.1 192.0.2.9 56324 443\r\n");
        return client.ask("/rpc", call("echo"), bearer(token));
    };
    http_response got = ask_from_afar("wrong-0");
    for (int i = 1; i < 100 && got.status == 401; ++i)
        got = ask_from_afar("wrong-" + std::to_string(i));
    BOOST_TEST(got.status == 429);
    BOOST_TEST(got.field("retry-after") == "10");
    BOOST_TEST(contains(got.body, R"({"code":-31002,"message":"Too many requests","data":{"retry_after_ms":10000}})"));
    BOOST_TEST(ask_from_afar("alice-token").status == 200);
    BOOST_TEST(ask(bearer("wrong-0")).status == 401); // loopback
}

BOOST_AUTO_TEST_CASE(a_token_that_is_taken_from_the_file_ends_its_session_and_streams)
{
    http_client alice = listen("alice-token");
    http_client bob = listen("bob-token");
    BOOST_TEST(served().sessions() == 2u);
    reload(file_of(bob_entry));
    alice.read_to_end();
    run_until([this] { return served().sessions() == 1; });
    BOOST_TEST(ask(bearer("alice-token")).status == 401);
    BOOST_TEST(ask(bearer("bob-token")).status == 200);
}

BOOST_AUTO_TEST_CASE(a_stream_ends_when_its_token_expires)
{
    const auto until = std::chrono::system_clock::now() + std::chrono::seconds(2);
    reload(file_of(token_entry("brief", R"("principal":"brief","until":")" + time_text(until) + '"')));
    http_client stream = connect();
    stream.post("/mcp",
                R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{},"_meta":)"
                R"({"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
                bearer("brief") + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wait\r\n"
                                  "Accept: application/json, text/event-stream\r\n");
    BOOST_TEST(stream.head().status == 200);
    stream.read_to_end();
    BOOST_TEST((std::chrono::system_clock::now() >= until - std::chrono::seconds(1))); // the file has whole seconds
    run_until([this] { return cancelled == 1; });
    const http_response got = ask(bearer("brief"));
    BOOST_TEST(got.status == 401);
    BOOST_TEST(contains(got.body, "The token has expired"));
}

BOOST_AUTO_TEST_CASE(rules_that_change_hold_for_the_next_request_of_a_connection)
{
    http_client client = connect();
    BOOST_TEST(client.ask("/rpc", call("write"), bearer("alice-token")).status == 403);
    reload(file_of(alice_entry, R"("rules":[{"methods":["write"]}])"));
    BOOST_TEST(client.ask("/rpc", call("write"), bearer("alice-token")).status == 200);
    BOOST_TEST(contains(client.ask("/rpc", call("echo"), bearer("alice-token")).body, "-32601"));
    BOOST_TEST(served().connections() == 1u);
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_token_that_is_removed_while_a_body_comes_serves_nothing)
{
    http_client client = connect();
    const auto begin = [&](std::string_view token) {
        const std::string body = call("write");
        client.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + bearer(token) +
                    "Expect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n");
        client.read_bytes(std::string_view("HTTP/1.1 100 Continue\r\n\r\n").size()); // so it is authenticated
        return body;
    };
    client.send(begin("bob-token"));
    BOOST_TEST(client.response().status == 200);
    const std::string demoted = begin("bob-token");
    const std::string bob = R"("principal":"bob","scopes":["files:read"])";
    reload(file_of(alice_entry + ',' + token_entry("bob-token", bob)));
    client.send(demoted);
    BOOST_TEST(json::parse(client.response().body).at("error").at("code") == -31003);
    const std::string expired = begin("bob-token");
    reload(file_of(alice_entry + ',' + token_entry("bob-token", bob + R"(,"until":"2020-01-01T00:00:00Z")")));
    client.send(expired);
    const http_response late = client.response();
    BOOST_TEST(late.status == 401);
    BOOST_TEST(contains(late.field("www-authenticate"), "error_description=\"expired\""));
    const std::string removed = begin("alice-token");
    reload(file_of(bob_entry));
    client.send(removed);
    BOOST_TEST(client.response().status == 401);
}

BOOST_AUTO_TEST_CASE(a_thousand_reloads_under_load_fail_no_request)
{
    http_client client = connect();
    int failed = 0;
    for (int i = 0; i < 1000; ++i) {
        client.post("/rpc", call("echo"), bearer("alice-token"));
        client.post("/rpc", call("write"), bearer("bob-token"));
        reload(file_of(alice_entry + ',' + bob_entry));
        for (int each = 0; each < 2; ++each)
            failed += client.response().status == 200 ? 0 : 1;
    }
    BOOST_TEST(failed == 0);
}

BOOST_AUTO_TEST_CASE(metadata_are_those_of_the_file)
{
    http_client client = connect();
    client.request("GET", "/.well-known/oauth-protected-resource/rpc");
    BOOST_TEST(client.response().body ==
               R"({"resource":"https://rpc.example.org/rpc",)"
               R"("scopes_supported":["files:write"],"bearer_methods_supported":["header"]})");
}

BOOST_AUTO_TEST_SUITE_END()
