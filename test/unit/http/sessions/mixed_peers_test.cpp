// Two peers at random over one connection, as a proxy in front has it: each gets what is its own, and nothing else.

#include "http_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using partyline::access_answer;
using partyline::test::allow_others;
using partyline::test::contains;
using partyline::test::fake_access;
using partyline::test::http_client;
using partyline::test::http_response;

namespace {

struct agreement {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(agreement, (), (yes))

#ifdef NDEBUG
constexpr int requests_at_random = 100'000;
#else
constexpr int requests_at_random = 20'000;
#endif

// One of the two, as the other must not see it.
struct mixed_user {
    std::string name; // that stands in all that is its own
    std::string session;
    std::string retry; // the members of a retry with its own state
};

// A request, and what is expected of its answer.
struct expectation {
    std::size_t of;
    int status;
    std::string part; // of the body
};

struct mixed_fixture : partyline::test::http_fixture {
    mixed_fixture()
    {
        options.access = access;
        partyline::method_table methods;
        methods.add("who", [](partyline::request_context& own) { return own.peer().principal; });
        add_tools();
        for (std::size_t i = 0; i < users.size(); ++i) {
            access->admit(users[i].name, users[i].name,
                          allow_others({{"tools/call of-" + users[1 - i].name, access_answer::hidden}}));
        }
        served().add_rpc("/rpc", std::move(methods));
        served().add_mcp("/mcp", server);
        start();
    }

    void add_tools()
    {
        const auto name = [](const mcp::context& own) { return own.rpc().peer().principal; };
        server.add_tool("who", "Says who asks.", name);
        for (const mixed_user& one : users)
            server.add_tool("of-" + one.name, "Is hidden from others.", name);
        server.add_tool("tell", "Tells who asks.", [name](mcp::context& own) -> partyline::task<std::string> {
            const std::string who = name(own);
            co_await own.progress(1, std::nullopt, who);
            co_return who;
        });
        server.add_tool("ask", "Asks, and says who agrees.", [name](mcp::context& own) -> partyline::task<std::string> {
            const auto sure = co_await own.elicit<agreement>("sure", "Sure?");
            co_return name(own) + (sure && sure->yes ? " agrees" : " does not");
        });
    }

    static std::string fields_of(const mixed_user& one) { return partyline::test::bearer(one.name); }
    static std::string modern_fields(const mixed_user& one, std::string_view method, std::string_view name)
    {
        std::string fields =
            fields_of(one) + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
        if (!name.empty())
            fields += "Mcp-Name: " + std::string(name) + "\r\n";
        return fields;
    }
    static std::string modern_call(std::string_view tool, std::string_view more = {})
    {
        return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
               R"(","arguments":{},"_meta":)" + std::string(modern_meta) + std::string(more) + "}}";
    }

    void begin_session(http_client& client, mixed_user& one)
    {
        const http_response got =
            client.ask("/mcp",
                       R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                       R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                       fields_of(one));
        one.session = "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
        client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", fields_of(one) + one.session);
        const json::value asked =
            json::parse(client.ask("/mcp", modern_call("ask"), modern_fields(one, "tools/call", "ask")).body);
        one.retry = R"(,"inputResponses":{"sure":{"action":"accept","content":{"yes":true}}},"requestState":")" +
                    std::string(asked.at("result").at("requestState").as_string()) + '"';
    }

    // Sends one request of any kind of the user of this number.
    expectation send_any(http_client& client, std::size_t number)
    {
        const mixed_user& own = users[number];
        const mixed_user& other = users[1 - number];
        const std::string legacy_call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)"
                                        R"("params":{"name":"who","arguments":{}}})";
        switch (std::uniform_int_distribution<int>(0, 8)(random)) {
        case 0:
            client.post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"who"})", fields_of(own));
            return {number, 200, "\"result\":\"" + own.name + '"'};
        case 1:
            client.post("/mcp", modern_call("who"), modern_fields(own, "tools/call", "who"));
            return {number, 200, "\"text\":\"" + own.name + '"'};
        case 2:
            client.post("/mcp",
                        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)" +
                            std::string(modern_meta) + "}}",
                        modern_fields(own, "tools/list", {}));
            return {number, 200, "\"of-" + own.name + '"'};
        case 3:
            client.post("/mcp", modern_call("tell"),
                        modern_fields(own, "tools/call", "tell") + "Accept: application/json, text/event-stream\r\n");
            return {number, 200, "\"message\":\"" + own.name + '"'};
        case 4:
            client.post("/mcp", legacy_call, fields_of(own) + own.session);
            return {number, 200, "\"text\":\"" + own.name + '"'};
        case 5:
            client.post("/mcp", legacy_call, fields_of(own) + other.session);
            return {number, 404, "Session not found"};
        case 6:
            client.post("/mcp", modern_call("ask", own.retry), modern_fields(own, "tools/call", "ask"));
            return {number, 200, own.name + " agrees"};
        case 7:
            client.post("/mcp", modern_call("ask", other.retry), modern_fields(own, "tools/call", "ask"));
            return {number, 200, "Invalid or expired requestState"};
        default: client.post("/mcp", legacy_call, {}); return {number, 401, "Authentication required"};
        }
    }

    static constexpr std::string_view modern_meta =
        R"({"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    mcp::server server{"play", "1"};
    std::array<mixed_user, 2> users{mixed_user{"alice-7f", {}, {}}, mixed_user{"bob-9c", {}, {}}};
    std::mt19937 random{7};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mixed_peers, mixed_fixture, *boost::unit_test::timeout(300))

// rule: security.access.caller
BOOST_AUTO_TEST_CASE(nobody_gets_anything_of_the_other)
{
    std::optional<http_client> client(connect());
    for (mixed_user& one : users)
        begin_session(*client, one);
    constexpr int at_once = 16;
    int wrong = 0;
    for (int sent = 0; sent < requests_at_random && wrong == 0; sent += at_once) {
        if (sent % 4096 == 0) // a connection serves 10,000
            client.emplace(connect());
        std::vector<expectation> expected;
        for (int i = 0; i < at_once; ++i)
            expected.push_back(send_any(*client, std::uniform_int_distribution<std::size_t>(0, 1)(random)));
        for (const expectation& one : expected) {
            const http_response got = client->response();
            const bool is_right = got.status == one.status && contains(got.body, one.part) &&
                                  !contains(got.head + got.body, users[1 - one.of].name);
            wrong += is_right ? 0 : 1;
            BOOST_CHECK_MESSAGE(is_right, one.part << ": " << got.head << got.body);
        }
    }
    BOOST_TEST(served().sessions() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
