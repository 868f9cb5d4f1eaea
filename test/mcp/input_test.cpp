// Lines that are no request, or more than one.

#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

// An error without an id, which schemas have from 2025-11-25 on: in older revisions it is checked against none.
void expect_error(fixture_server& s, revision r, int code)
{
    const json::object message = r < revision::v2025_11_25 ? json::parse(s.read_line()).as_object() : s.read();
    BOOST_TEST(!message.contains("id"), json::serialize(message));
    BOOST_TEST((message.at("error").at("code") == code), json::serialize(message));
}

const std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                          R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_simple_text"}},)"
                          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}])";

} // namespace

BOOST_AUTO_TEST_SUITE(input, *boost::unit_test::timeout(100))

// rule: mcp.message.utf8, mcp.response.unreadable
BOOST_AUTO_TEST_CASE(what_is_no_json_is_told_and_the_next_line_is_served)
{
    for (const revision r : all_revisions) {
        fixture_server s(r);
        for (const char* const line : {"rubbish", "{", "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}", "\xc3\x28"}) {
            s.send(line);
            expect_error(s, r, -32700);
        }
        s.expect_quiet();
        s.finish();
    }
}

// rule: mcp.message.utf8
BOOST_AUTO_TEST_CASE(invalid_utf_8_in_arguments_is_told)
{
    fixture_server s(legacy);
    s.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
           "{\"message\":\"\xed\xa0\x80\"}}}");
    expect_error(s, legacy, -32700);
    s.expect_quiet();
    s.finish();
}

BOOST_AUTO_TEST_CASE(a_lone_surrogate_in_arguments_is_refused_under_the_id)
{
    fixture_server s(legacy);
    s.send_raw(
        "2", legacy, "tools/call",
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"\ud800"}}})");
    const json::object result = s.read_result("2"); // a failure of the tool, like other arguments that do not fit
    BOOST_TEST(result.at("isError").as_bool());
    BOOST_TEST(json::serialize(result).find("a lone surrogate") != std::string::npos);
    s.expect_quiet();
    s.finish();
}

// rule: mcp.request.id, mcp.request.id_null
BOOST_AUTO_TEST_CASE(what_is_no_request_is_told)
{
    fixture_server s(legacy);
    for (const char* const line : {"7", "null", "{}", R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
                                   R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"}) {
        BOOST_TEST_CONTEXT(line)
        {
            s.send(line);
            expect_error(s, legacy, -32600);
        }
    }
    s.finish();
}

// rule: mcp.request.params
BOOST_AUTO_TEST_CASE(params_are_an_object)
{
    fixture_server s(legacy);
    s.note_request("1", legacy, "ping");
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})");
    s.read_error("1", -32602);
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":7})");
    s.note_request("1", legacy, "ping");
    s.read_error("1", -32600);
    s.finish();
}

// rule: mcp.notification.silent
BOOST_AUTO_TEST_CASE(a_request_without_an_id_is_not_done)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        for (const char* const method : {"tools/list", "initialize", "ping", "subscriptions/listen", "no/such"})
            s.send(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":{"notifications":{}}})");
        s.send(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"spam_stdout"}})");
        s.expect_quiet();
        s.finish();
        BOOST_TEST(s.errors() == "");
    }
}

// rule: mcp.batch.receive, mcp.batch.initialize, mcp.batch.removed
BOOST_AUTO_TEST_CASE(batches_are_of_one_revision_alone)
{
    for (const revision r : all_revisions) {
        BOOST_TEST_CONTEXT(to_string(r))
        {
            fixture_server s(r);
            if (r != revision::v2025_03_26) {
                s.send(batch);
                expect_error(s, r, -32600);
            } else {
                s.note_request("1", r, "ping");
                s.send_raw("2", r, "tools/call", batch);
                BOOST_TEST(s.read_batch().size() == 2);
            }
            s.expect_quiet();
            s.finish();
        }
    }
}

// rule: mcp.request.id_modern
BOOST_AUTO_TEST_CASE(an_id_in_use_is_refused)
{
    fixture_server s(legacy);
    s.call("1", legacy, "test_reconnection");
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    expect_error(s, legacy, -32600);
    s.read_result("1");
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
