// The handshake, what goes without it, and both in one pipe.

#include "mcp/contained.hpp"
#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

std::string initialize(std::string_view params)
{
    return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":)" + std::string(params) + '}';
}

void send_initialize(fixture_server& s, std::string_view params)
{
    s.send_raw("0", legacy, "initialize", initialize(params));
}

void send_modern(fixture_server& s, std::string_view id, std::string_view method, std::string_view meta)
{
    s.send_raw(id, modern, method,
               R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
                   R"(","params":{"_meta":)" + std::string(meta) + "}}");
}

#define VERSION R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"
#define ABILITIES R"("io.modelcontextprotocol/clientCapabilities":{})"

} // namespace

BOOST_AUTO_TEST_SUITE(eras, *boost::unit_test::timeout(100))

// rule: mcp.initialize.response, mcp.version.same, mcp.tools.capability, mcp.resources.capability
// rule: mcp.prompts.capability, mcp.completion.capability, mcp.log.capability
BOOST_AUTO_TEST_CASE(the_handshake_says_who_and_what_the_server_is)
{
    for (const revision r : all_revisions) {
        if (r == modern)
            continue;
        fixture_server s;
        s.send_raw("0", r, "initialize",
                   initialize(R"({"protocolVersion":")" + std::string(to_string(r)) +
                              R"(","capabilities":{},"clientInfo":{"name":"x","version":"1"}})"));
        const json::object result = s.read_result("0");
        const json::value expected = json::parse(R"({"serverInfo":{"name":"partyline-mcp-fixture"},"capabilities":{
            "tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},
            "prompts":{"listChanged":true},"logging":{}}})");
        BOOST_TEST(difference(expected, result) == "");
        BOOST_TEST(result.at("protocolVersion").as_string() == to_string(r));
        BOOST_TEST(result.at("capabilities").as_object().contains("completions") == (r != revision::v2024_11_05));
        s.finish();
    }
}

// rule: mcp.version.other, mcp.version.server_latest
BOOST_AUTO_TEST_CASE(a_version_that_is_not_known_gets_the_newest_of_the_handshake)
{
    for (const char* const version : {"1999-01-01", "2026-07-28", "2099-12-31", ""}) {
        fixture_server s;
        send_initialize(s, R"({"protocolVersion":")" + std::string(version) +
                               R"(","capabilities":{},"clientInfo":{"name":"x","version":"1"}})");
        BOOST_TEST((s.read_result("0").at("protocolVersion") == "2025-11-25"));
    }
}

// rule: mcp.lifecycle.failures
BOOST_AUTO_TEST_CASE(a_handshake_that_is_wrong_may_be_tried_again)
{
    fixture_server s;
    for (const char* const params :
         {"{}", R"({"protocolVersion":7,"capabilities":{},"clientInfo":{"name":"x","version":"1"}})",
          R"({"protocolVersion":"2025-11-25","clientInfo":{"name":"x","version":"1"}})",
          R"({"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":{"name":"x","version":"1"}})",
          R"({"protocolVersion":"2025-11-25","capabilities":{}})"}) {
        send_initialize(s, params);
        s.read_error("0", -32602);
    }
    s.greet(legacy);
    s.finish();
}

BOOST_AUTO_TEST_CASE(a_second_handshake_is_refused_and_changes_nothing)
{
    fixture_server s(revision::v2025_03_26);
    send_initialize(s, R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}})");
    s.read_error("0", -32600);
    s.call("1", revision::v2025_03_26, "slow", R"({"steps":0,"ms":0})");
    s.read_error("1", -32602); // as it was then
    s.finish();
}

// rule: mcp.initialize.first, mcp.ping.answer
BOOST_AUTO_TEST_CASE(before_the_handshake_only_ping_is_served)
{
    fixture_server s;
    s.request("1", legacy, "ping");
    s.read_result("1");
    for (const char* const method :
         {"tools/list", "tools/call", "prompts/list", "logging/setLevel", "unknown/method"}) {
        s.request("2", legacy, method);
        s.read_error("2", -32602);
    }
    s.greet(legacy);
    s.request("2", legacy, "tools/list");
    s.read_result("2");
    s.finish();
}

// rule: mcp.meta.missing, mcp.log.wrong_level
BOOST_AUTO_TEST_CASE(a_modern_request_says_all_that_has_to_be_known)
{
    const char* const wrong[] = {
        "{" VERSION "}",
        R"({"io.modelcontextprotocol/protocolVersion":7,)" ABILITIES "}",
        R"({"io.modelcontextprotocol/protocolVersion":null,)" ABILITIES "}",
        "{" VERSION R"(,"io.modelcontextprotocol/clientCapabilities":[]})",
        "{" VERSION R"(,"io.modelcontextprotocol/clientCapabilities":null})",
        "{" VERSION "," ABILITIES R"(,"io.modelcontextprotocol/clientInfo":"x"})",
        "{" VERSION "," ABILITIES R"(,"io.modelcontextprotocol/logLevel":"loud"})",
        "{" VERSION "," ABILITIES R"(,"io.modelcontextprotocol/logLevel":3})",
        "{" ABILITIES "}",
        "{}",
        "null",
        "[]",
    };
    fixture_server s;
    for (const char* const meta : wrong) {
        BOOST_TEST_CONTEXT(meta)
        {
            send_modern(s, "101", "server/discover", meta);
            s.read_error("101", -32602);
        }
    }
    send_modern(s, "105", "server/discover", "{" VERSION "," ABILITIES "}");
    s.read_result("105");
    s.finish();
}

// rule: mcp.result.type, mcp.meta.server_info, mcp.discover.implement, mcp.tools.capability, mcp.resources.capability
// rule: mcp.prompts.capability, mcp.completion.capability, mcp.log.capability, mcp.cache.hints, mcp.cache.ttl
BOOST_AUTO_TEST_CASE(discovery_says_who_and_what_the_server_is)
{
    fixture_server s;
    s.request("201", modern, "server/discover");
    const json::value expected = json::parse(R"({"supportedVersions":["2026-07-28"],"resultType":"complete","ttlMs":0,
        "cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"partyline-mcp-fixture"}},
        "capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},
                        "prompts":{"listChanged":true},"logging":{},"completions":{}}})");
    BOOST_TEST(difference(expected, s.read_result("201")) == "");
    s.finish();
}

// rule: mcp.error.reserved, mcp.version.unsupported
BOOST_AUTO_TEST_CASE(a_version_that_is_not_served_is_told_with_those_that_are)
{
    fixture_server s;
    for (const char* const version : {"v999.0.0", "2025-11-25", ""}) {
        send_modern(s, "301", "tools/list",
                    R"({"io.modelcontextprotocol/protocolVersion":")" + std::string(version) + "\"," ABILITIES "}");
        const json::object error = s.read_error("301", -32022);
        BOOST_TEST((error.at("data").at("supported") == json::parse(R"(["2026-07-28"])")));
        BOOST_TEST((error.at("data").at("requested") == version));
    }
    s.finish();
}

// rule: mcp.request.id, mcp.response.id, mcp.stateless.mixed, mcp.stdio.no_requests
BOOST_AUTO_TEST_CASE(both_eras_and_all_ids_go_through_one_pipe)
{
    fixture_server s(legacy);
    const std::string_view ids[] = {"1", "\"1\"", "-7", "9007199254740993", "\"\"", "\"\u00e9\"", "0"};
    for (const std::string_view id : ids) {
        s.call(id, legacy, "test_simple_text");
        BOOST_TEST(!s.read_result(id).contains("resultType"));
        s.call(id, modern, "test_simple_text");
        BOOST_TEST((s.read_result(id).at("resultType") == "complete"));
    }
    s.call("1", legacy, "test_elicitation", R"({"message":"Who?"})");
    const json::object asked = s.read();
    s.call("\"1\"", modern, "test_elicitation", R"({"message":"Who?"})");
    BOOST_TEST((s.read_result("\"1\"").at("resultType") == "input_required"));
    s.answer(asked, R"({"action":"decline"})");
    BOOST_TEST(text_of(s.read_result("1")) == "User response: action=decline, content={}");
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
