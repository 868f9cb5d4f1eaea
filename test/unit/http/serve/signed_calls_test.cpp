// Signed calls of MCP, in sessions and without: each is its signer's, whoever else the session serves.

#include "access/gate_fixture.hpp"
#include "access/proof/proof_fixture.hpp"
#include "http/http_fixture.hpp"
#include "support/text_search.hpp"

#include <partyline/access/sign_calls.hpp>
#include <partyline/mcp/mcp.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mcp = partyline::mcp;
using partyline::access::gate;
using partyline::access::gate_fixture;
using partyline::access::make_key;
using partyline::access::new_key;
using partyline::access::proof_fixture;
using partyline::access::scratch_file;
using partyline::test::contains;
using partyline::test::http_client;
using partyline::test::http_response;

namespace {

const new_key agent_7 = make_key("agent-7");
const new_key agent_8 = make_key("agent-8");

std::string signer_entry(std::string_view principal, const new_key& key)
{
    return R"({"principal":")" + std::string(principal) + R"(","jwk":)" + key.public_jwk + '}';
}

constexpr std::string_view modern_meta = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                         R"("io.modelcontextprotocol/clientCapabilities":{})";

struct signed_mcp_fixture : partyline::test::http_fixture {
    signed_mcp_fixture()
    {
        options.access = access;
        const auto principal = [](mcp::context& own) { return '<' + own.rpc().peer().principal + '>'; };
        server.add_tool("whose", "Says who has signed it.", principal);
        server.add_tool("who", "Says who has called it.", principal);
        server.add_tool("owned", "Is for one signer.", principal);
        served().add_mcp("/mcp", server);
        start();
    }

    // With a proof by `key`, where there is one.
    static std::string call(std::string_view tool, const new_key* by, std::string_view meta)
    {
        const std::string params = R"({"name":")" + std::string(tool) + R"(","arguments":{}})";
        std::string more(meta);
        if (by) {
            const std::string proof =
                make_proof(partyline::access::private_key_of(by->private_jwk), "tools/call",
                           partyline::access::digest_of_params(params).value(), std::chrono::system_clock::now());
            more += std::string(more.empty() ? "" : ",") + R"("partyline/proof":")" + proof + '"';
        }
        return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{)" + more + "}," + params.substr(1) +
               '}';
    }

    using asked = std::function<http_response(std::string_view tool, const new_key* by)>;

    asked without_session(std::string_view fields = {})
    {
        auto client = std::make_shared<http_client>(connect());
        return [client, fields = std::string(fields)](std::string_view tool, const new_key* by) {
            return client->ask("/mcp", call(tool, by, modern_meta),
                               fields + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " +
                                   std::string(tool) + "\r\n");
        };
    }
    asked in_session(const std::string& fields = {})
    {
        auto client = std::make_shared<http_client>(connect());
        const http_response got =
            client->ask("/mcp",
                        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                        R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                        fields);
        const std::string session = fields + "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
        client->ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
        return [client, session](std::string_view tool, const new_key* by) {
            return client->ask("/mcp", call(tool, by, {}), session);
        };
    }

    void check_turns(const asked& ask)
    {
        for (int i = 0; i < 2; ++i) {
            BOOST_TEST(contains(ask("whose", &agent_7).body, "<agent-7>"));
            BOOST_TEST(contains(ask("who", nullptr).body, "<>"));
            BOOST_TEST(contains(ask("whose", &agent_8).body, "<agent-8>"));
            BOOST_TEST(contains(ask("owned", &agent_7).body, "<agent-7>"));
            BOOST_TEST(contains(ask("owned", &agent_8).body, "Unknown tool"));
            const http_response refused = ask("whose", nullptr);
            BOOST_TEST(refused.status == 403);
            BOOST_TEST(contains(refused.body, R"("code":-31006)"));
            BOOST_TEST(contains(refused.body, R"("reason":"missing")"));
        }
    }

    const scratch_file file{
        R"({"anonymous":true,"tokens":[{"principal":"agent-7","sha256":")" + gate_fixture::sha256("good") +
        R"("}],"signers":[)" + signer_entry("agent-7", agent_7) + ',' + signer_entry("agent-8", agent_8) +
        R"(],"rules":[{"tools":["whose"],"proof":true},{"tools":["owned"],"principals":["agent-7"],"proof":true},)" +
        R"({"tools":["who"],"principals":["anonymous"]}]})"};
    const std::shared_ptr<gate> access = std::make_shared<gate>(file.path());
    mcp::server server{"play", "1"};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_signed_calls, signed_mcp_fixture, *boost::unit_test::timeout(100))

// rule: security.proof.own_call
BOOST_AUTO_TEST_CASE(two_signers_take_turns_without_a_session)
{
    check_turns(without_session());
}

// rule: security.proof.own_call
BOOST_AUTO_TEST_CASE(two_signers_take_turns_within_a_session)
{
    check_turns(in_session());
}

BOOST_AUTO_TEST_CASE(the_owner_of_a_session_has_to_be_the_signer_of_its_calls)
{
    const std::string fields = "Authorization: Bearer good\r\n";
    for (const asked& ask : {in_session(fields), without_session(fields)}) {
        BOOST_TEST(contains(ask("whose", &agent_7).body, "<agent-7>"));
        const http_response refused = ask("whose", &agent_8);
        BOOST_TEST(refused.status == 403);
        BOOST_TEST(contains(refused.body, R"("reason":"key")"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
