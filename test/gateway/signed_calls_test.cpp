// Signed calls through the gateway: to servers that check the proofs, of several clients; and to the gateway itself.

#include "mcp_gateway.hpp"
#include "modern_request.hpp"
#include "support/access_fixture.hpp"
#include "support/text_search.hpp"

#include <partyline/access/sign_calls.hpp>
#include <partyline/session/call_middleware.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::access::make_key;
using partyline::access::new_key;
using partyline::test::access_fixture;
using partyline::test::contains;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::mcp_gateway;
using partyline::test::modern_fields;
using partyline::test::modern_meta;

namespace {

const new_key agent_7 = make_key("agent-7");
const new_key agent_8 = make_key("agent-8");

struct signers_fixture : access_fixture {
    signers_fixture()
    {
        const auto entry = [](std::string_view principal, const new_key& key) {
            return R"({"principal":")" + std::string(principal) + R"(","jwk":)" + key.public_jwk + '}';
        };
        write(R"({"anonymous":true,"signers":[)" + entry("agent-7", agent_7) + ',' + entry("agent-8", agent_8) +
              R"(],"rules":[{"tools":["slow"],"proof":true},)" +
              R"({"tools":["test_simple_text"],"principals":["agent-7"],"proof":true},)" +
              R"({"tools":["test_error_handling"],"principals":["agent-8"],"proof":true},)" +
              R"({"tools":["echo"],"principals":["anonymous"]}]})");
    }

    // As a client's session does it.
    static std::string signed_by(const new_key* key, std::string_view tool, std::string_view arguments,
                                 std::string_view meta)
    {
        partyline::peer_call call("_meta", 64, nullptr, false);
        call.method = "tools/call";
        const std::string params = R"({"name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) +
                                   R"(,"_meta":)" + std::string(meta) + '}';
        call.params = partyline::json_text(partyline::json_view::checked(params));
        if (key)
            partyline::access::sign_calls(partyline::access::signing_key(key->private_jwk))(call);
        return R"({"jsonrpc":"2.0","id":"of its own","method":"tools/call","params":)" +
               std::string(call.params.text()) + '}';
    }
    static http_response ask_modern(http_client& client, const new_key* key, std::string_view tool,
                                    std::string_view arguments = "{}", std::string_view more = {})
    {
        return client.ask("/mcp", signed_by(key, tool, arguments, modern_meta(more)),
                          modern_fields("tools/call", tool));
    }

    void check_turns(http_client& one, http_client& other)
    {
        for (int i = 0; i < 2; ++i) {
            BOOST_TEST(contains(ask_modern(one, &agent_7, "test_simple_text").body, "simple text response"));
            BOOST_TEST(contains(ask_modern(other, &agent_8, "test_simple_text").body, "Unknown tool"));
            BOOST_TEST(contains(ask_modern(other, &agent_8, "test_error_handling").body, "\"isError\":true"));
            BOOST_TEST(contains(ask_modern(one, &agent_7, "test_error_handling").body, "Unknown tool"));
            BOOST_TEST(contains(ask_modern(one, nullptr, "test_simple_text").body, R"({"reason":"missing"})"));
            BOOST_TEST(contains(ask_modern(one, nullptr, "echo", R"({"message":"hello"})").body, "hello"));
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_signed_calls, signers_fixture, *boost::unit_test::timeout(100))

// rule: security.proof.own_call
BOOST_AUTO_TEST_CASE(two_signers_take_turns_at_a_server_that_they_share)
{
    mcp_gateway setup({"--share", "--threads", "1"}, {"--access", path()}); // which knows the proofs that were seen
    http_client one = setup.gateway.connect();
    http_client other = setup.gateway.connect();
    check_turns(one, other);
    const std::string recorded = signed_by(&agent_7, "test_simple_text", "{}", modern_meta());
    const std::string fields = modern_fields("tools/call", "test_simple_text");
    BOOST_TEST(contains(one.ask("/mcp", recorded, fields).body, "simple text response"));
    BOOST_TEST(contains(other.ask("/mcp", recorded, fields).body, R"({"reason":"replayed"})"));
}

BOOST_AUTO_TEST_CASE(ids_and_progress_tokens_are_rewritten_under_a_proof)
{
    mcp_gateway setup({"--share"}, {"--access", path()});
    for (const new_key* const key : {&agent_7, &agent_8}) {
        http_client client = setup.gateway.connect();
        const std::string said =
            ask_modern(client, key, "slow", R"({"steps":2,"ms":1})", R"(,"progressToken":"mine")").body;
        BOOST_TEST(contains(said, R"("progressToken":"mine")"), said);
        BOOST_TEST(contains(said, R"("id":"of its own","result":)"), said);
    }
    http_client client = setup.gateway.connect();
    const std::string session = mcp_gateway::greet(client);
    const std::string text = signed_by(&agent_7, "slow", R"({"steps":1,"ms":1})", R"({"progressToken":7})");
    const std::string said = client.ask("/mcp", text, session + "Accept: application/json, text/event-stream\r\n").body;
    BOOST_TEST(contains(said, R"("progressToken":7)"), said);
    BOOST_TEST(contains(said, R"("id":"of its own","result":)"), said);
}

// rule: security.proof.own_call
BOOST_AUTO_TEST_CASE(two_signers_take_turns_at_a_gateway_that_asks)
{
    mcp_gateway setup({"--access", path()});
    http_client one = setup.gateway.connect();
    http_client other = setup.gateway.connect();
    check_turns(one, other);
    const http_response refused = ask_modern(one, nullptr, "test_simple_text");
    BOOST_TEST(refused.status == 403);
}

BOOST_AUTO_TEST_SUITE_END()
