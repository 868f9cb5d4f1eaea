// Features that are hidden from a peer are answered over HTTP as those that there are not, to the byte.

#include "http_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"
#include "without_date.hpp"

#include <partyline/mcp/mcp.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace mcp = partyline::mcp;
using partyline::access_answer;
using partyline::test::bearer;
using partyline::test::contains;
using partyline::test::fake_access;
using partyline::test::http_client;

namespace {

// Names of one length: "given" is hidden, "taken" is none.
struct hiding_fixture : partyline::test::http_fixture {
    hiding_fixture()
    {
        options.access = access;
        server.add_tool("given", "Is hidden.",
                        partyline::json_text(
                            R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}})"),
                        [](partyline::json_view) { return std::string("called"); });
        server.add_prompt("given", "Is hidden.", [] { return "said"; });
        server.add_resource("file:///given", "given", "Is hidden.", [] { return "read"; });
        access->admit("alice", "alice",
                      partyline::test::allow_others({{"tools/call given", access_answer::hidden},
                                                     {"prompts/get given", access_answer::hidden},
                                                     {"resources/read file:///given", access_answer::hidden},
                                                     {"prompts/list", access_answer::hidden}}));
        served().add_mcp("/mcp", server);
        start();
    }

    std::string greet()
    {
        http_client client = connect();
        const std::string fields = bearer("alice");
        const std::string id =
            client
                .ask("/mcp",
                     R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                     R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                     fields)
                .field("mcp-session-id");
        const std::string session = "Mcp-Session-Id: " + id + "\r\n";
        client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", fields + session);
        return session;
    }

    // The answer, without its date, and with "given" for each "taken".
    std::string answer(const std::string& fields, const std::string& body)
    {
        http_client client = connect();
        client.post("/mcp", body, bearer("alice") + "Connection: close\r\n" + fields);
        return with_name(partyline::test::without_date(client.read_to_end()), "taken", "given");
    }
    static std::string with_name(std::string text, std::string_view from, std::string_view to)
    {
        for (std::size_t at = 0; (at = text.find(from)) != text.npos;)
            text.replace(at, from.size(), to);
        return text;
    }
    void check_same(const std::string& fields, const std::string& body, std::string_view expected)
    {
        const std::string hidden = answer(fields, body);
        BOOST_TEST(hidden == answer(with_name(fields, "given", "taken"), with_name(body, "given", "taken")));
        BOOST_TEST(contains(hidden, expected), hidden);
    }

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    mcp::server server{"play", "1"};
};

struct hidden_row {
    std::string_view method;
    std::string_view member;
    std::string_view name;
};
constexpr hidden_row hidden_rows[] = {{"tools/call", R"("name":"given","arguments":{})", "given"},
                                      {"tools/call", R"("name":"given","arguments":{"region":"eu"})", "given"},
                                      {"prompts/get", R"("name":"given")", "given"},
                                      {"resources/read", R"("uri":"file:///given")", "file:///given"}};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_hidden_features, hiding_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(without_a_session)
{
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}})";
    for (const hidden_row& row : hidden_rows) {
        for (const std::string_view accept : {"", "Accept: application/json, text/event-stream\r\n"}) {
            const std::string fields = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(row.method) +
                                       "\r\nMcp-Name: " + std::string(row.name) + "\r\n" + std::string(accept);
            check_same(fields,
                       R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(row.method) + R"(","params":{)" +
                           std::string(row.member) + ',' + meta + "}}",
                       "\"error\"");
        }
    }
}

BOOST_AUTO_TEST_CASE(within_a_session)
{
    const std::string session = greet();
    for (const hidden_row& row : hidden_rows) {
        for (const std::string_view accept : {"", "Accept: application/json, text/event-stream\r\n"}) {
            check_same(session + std::string(accept),
                       R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(row.method) + R"(","params":{)" +
                           std::string(row.member) + "}}",
                       "\"error\"");
        }
    }
    check_same(session, R"({"jsonrpc":"2.0","method":"notifications/given"})", "202 Accepted");
}

BOOST_AUTO_TEST_CASE(in_lists)
{
    const std::string session = greet();
    for (const std::string_view method : {"tools/list", "resources/list"}) {
        const std::string got = answer(session, R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + "\"}");
        BOOST_TEST(contains(got, "\"result\""), got);
        BOOST_TEST(!contains(got, "given"), got);
    }
    BOOST_TEST(contains(answer(session, R"({"jsonrpc":"2.0","id":1,"method":"prompts/list"})"), "-32601"));
}

BOOST_AUTO_TEST_SUITE_END()
