// Which requests are served as of which revision, and what is refused.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace mcp = partyline::mcp;
using namespace partyline::test;

namespace {

struct eras_fixture : mcp_dialogue {
    eras_fixture()
    {
        server.add_tool("hello", "Says hello", [] { return "hello"; });
    }

    void expect_error(std::string_view line, int code, std::string_view part = {})
    {
        const std::string reply = answer_to(line);
        BOOST_TEST(reply.find("\"code\":" + std::to_string(code)) != reply.npos, reply);
        BOOST_TEST(reply.find(part) != reply.npos, reply);
    }
};

std::string modern(std::string_view meta, std::string_view method = "tools/list")
{
    return request("1", method, "{\"_meta\":{" + std::string(meta) + "}}");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_eras, eras_fixture, *boost::unit_test::timeout(30))

// rule: mcp.version.same, mcp.version.other, mcp.version.server_latest
BOOST_AUTO_TEST_CASE(each_known_revision_is_agreed_to_and_others_get_the_newest_of_the_era)
{
    struct row {
        const char* asked;
        const char* agreed;
    };
    const row rows[] = {{"2024-11-05", "2024-11-05"}, {"2025-03-26", "2025-03-26"}, {"2025-06-18", "2025-06-18"},
                        {"2025-11-25", "2025-11-25"}, {"1999-01-01", "2025-11-25"}, {"2026-07-28", "2025-11-25"}};
    for (const row& one : rows) {
        BOOST_TEST_CONTEXT(one.asked)
        {
            eras_fixture fresh;
            fresh.begin();
            const std::string reply =
                fresh.answer_to(request("1", "initialize",
                                        std::string(R"({"protocolVersion":")") + one.asked +
                                            R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}})"));
            BOOST_TEST(result_member(reply, "protocolVersion") == one.agreed);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_handshake_that_is_none_is_refused_and_may_be_tried_again)
{
    begin();
    expect_error(request("1", "initialize"), -32602, "protocolVersion");
    expect_error(request("1", "initialize", R"({"protocolVersion":"2025-11-25"})"), -32602, "capabilities");
    expect_error(request("1", "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})"), -32602,
                 "clientInfo");
    send(request("2", "initialize",
                 R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})"));
    BOOST_TEST(result_member(receive(), "protocolVersion") == "2025-11-25");
    expect_error(
        request("3", "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})"),
        -32600, "second time");
}

BOOST_AUTO_TEST_CASE(before_the_handshake_only_ping_and_modern_requests_are_served)
{
    begin();
    expect_error(request("1", "tools/list"), -32602, "initialize");
    expect_error(request("1", "server/discover"), -32602, "protocolVersion");
    send(request("2", "ping"));
    expect(result("2", "{}"));
    call_modern("3", "hello");
    expect(modern_text("3", "hello"));
}

BOOST_AUTO_TEST_CASE(both_eras_take_turns_on_one_session)
{
    greet();
    for (int i = 0; i != 3; ++i) {
        call("1", "hello");
        expect(text_result("1", "hello"));
        call_modern("\"a\"", "hello");
        expect(modern_text("\"a\"", "hello"));
    }
}

// rule: mcp.meta.missing, mcp.stateless.prior, mcp.version.unsupported
BOOST_AUTO_TEST_CASE(what_a_modern_request_says_of_itself_is_checked)
{
    begin();
    constexpr std::string_view version = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
    constexpr std::string_view able = R"("io.modelcontextprotocol/clientCapabilities":{})";
    const auto both = std::string(version) + ',' + std::string(able);
    expect_error(modern(version), -32602, "clientCapabilities");
    expect_error(modern(R"("io.modelcontextprotocol/protocolVersion":7)"), -32602, "protocolVersion");
    expect_error(modern(R"("io.modelcontextprotocol/protocolVersion":"v9",)" + std::string(able)), -32022,
                 R"("supported":["2026-07-28"],"requested":"v9")");
    expect_error(modern(R"("io.modelcontextprotocol/protocolVersion":"2025-11-25",)" + std::string(able)), -32022);
    expect_error(modern(both + R"(,"io.modelcontextprotocol/clientInfo":1)"), -32602, "clientInfo");
    expect_error(modern(both + R"(,"io.modelcontextprotocol/logLevel":"loud")"), -32602, "logLevel");
    expect_error(modern(std::string(version) + R"(,"io.modelcontextprotocol/clientCapabilities":[])"), -32602);
    send(modern(both));
    BOOST_TEST(result_member(receive(), "resultType") == "complete");
    send(modern(R"("io.modelcontextprotocol/protocolVersion":"v9",)" + std::string(able)));
    BOOST_TEST(receive().find("-32022") != std::string::npos); // also after one that was right
}

// What a session keeps of its client has a limit; and what is too long to be kept is not taken for the next one's.
BOOST_AUTO_TEST_CASE(what_a_client_says_of_itself_has_a_limit)
{
    begin();
    const auto long_text = '"' + std::string(64 * 1024, 'x') + '"';
    const auto long_object = R"({"experimental":)" + long_text + '}';
    expect_error(request("1", "initialize",
                         R"({"protocolVersion":"2025-11-25","clientInfo":{},"capabilities":)" + long_object + '}'),
                 -32602, "at most 65536 bytes");
    expect_error(request("1", "initialize",
                         R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":)" + long_object + '}'),
                 -32602, "clientInfo");
    constexpr std::string_view version = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)";
    const auto able = std::string(version) + R"("io.modelcontextprotocol/clientCapabilities":)";
    expect_error(modern(able + long_object), -32602, "clientCapabilities");
    expect_error(modern(able + R"({},"io.modelcontextprotocol/clientInfo":)" + long_object), -32602, "clientInfo");
    send(modern(able + "{},\"own\":" + long_text));
    BOOST_TEST(result_member(receive(), "resultType") == "complete");
    expect_error(request("1", "tools/list"), -32602, "initialize");
}

// rule: mcp.operation.unoffered
BOOST_AUTO_TEST_CASE(methods_of_the_other_era_are_not_there)
{
    greet();
    for (const char* method : {"server/discover", "subscriptions/listen"})
        expect_error(request("1", method), -32601);
    for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe", "unknown/method"}) {
        say_modern("2", method);
        BOOST_TEST(receive().find("-32601") != std::string::npos, method);
    }
}

// rule: mcp.operation.unoffered, mcp.completion.errors
BOOST_AUTO_TEST_CASE(what_there_is_nothing_of_has_no_methods)
{
    greet();
    for (const char* method : {"prompts/list", "resources/read", "resources/templates/list", "completion/complete"})
        expect_error(request("1", method), -32601);
    server.add_prompt("p", "A prompt", [] { return "text"; });
    send(request("1", "prompts/list"));
    expect(notification("notifications/prompts/list_changed"));
    BOOST_TEST(result_member(receive(), "prompts").find("\"p\"") != std::string::npos);
}

// rule: mcp.request.id_null, mcp.response.unreadable
BOOST_AUTO_TEST_CASE(an_id_that_may_not_be_is_not_given_back)
{
    begin();
    for (const char* line :
         {R"({"jsonrpc":"1.0","id":null,"method":"ping"})", R"({"jsonrpc":"1.0","id":1.5,"method":"ping"})",
          R"({"jsonrpc":"2.0","id":null,"method":"ping"})"}) {
        const std::string refused = answer_to(line);
        BOOST_TEST(refused.find("-32600") != refused.npos, refused);
        BOOST_TEST(refused.find("\"id\"") == refused.npos, refused);
    }
}

// rule: mcp.batch.removed
BOOST_AUTO_TEST_CASE(batches_are_of_one_revision)
{
    for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
        BOOST_TEST_CONTEXT(revision)
        {
            eras_fixture fresh;
            fresh.greet(revision);
            const std::string reply = fresh.answer_to("[" + request("1", "ping") + "]");
            if (std::string_view(revision) == "2025-03-26")
                BOOST_TEST(reply == "[" + result("1", "{}") + "]");
            else
                BOOST_TEST(reply.find("-32600") != reply.npos, reply);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_is_not_answered_and_its_id_is_free)
{
    gate forever(context);
    server.add_tool("wait", "Waits", [&](mcp::context&) -> boost::asio::awaitable<void> { co_await forever.wait(); });
    greet();
    call("1", "wait");
    settle();
    BOOST_TEST(forever.arrivals == 1);
    send(notification("notifications/cancelled", R"({"requestId":1,"reason":"user"})"));
    call("1", "hello");
    expect(text_result("1", "hello"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_cancelled_tool_that_throws_has_not_failed)
{
    gate forever(context);
    server.add_tool("wait", "Waits", [&](mcp::context&) -> boost::asio::awaitable<void> {
        try {
            co_await forever.wait();
        } catch (const boost::system::system_error&) {
            throw std::runtime_error("given up");
        }
    });
    greet();
    call("1", "wait");
    settle();
    send(notification("notifications/cancelled", R"({"requestId":1})"));
    expect_silence();
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_deadline_is_told_to_the_model)
{
    gate forever(context);
    mcp::tool_options brief;
    brief.run.deadline = std::chrono::milliseconds(1);
    server.add_tool(
        "wait", "Waits", [&](mcp::context&) -> boost::asio::awaitable<void> { co_await forever.wait(); }, brief);
    greet();
    call("1", "wait");
    run_until([&] { return heard().size() == 2; });
    expect(text_failure("1", "timed out after 1 ms"));
}

BOOST_AUTO_TEST_SUITE_END()
