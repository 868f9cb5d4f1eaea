// A request that is cancelled is answered in neither era, and says nothing more.

#include "mcp/fixture_server.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

void start_slow(fixture_server& s, std::string_view id, revision r)
{
    s.request(id, r, "tools/call",
              R"({"name":"slow","arguments":{"steps":1000,"ms":10},"_meta":{"progressToken":"of slow"}})");
    BOOST_TEST((s.read().at("method") == "notifications/progress"));
}

// Progress that has been sent before the cancel is read may still come; nothing may after what is answered next,
// although the call would have made ten steps by the end of the one after that.
void expect_silence_after_cancel(fixture_server& s)
{
    s.call("\"probe\"", modern, "test_simple_text");
    for (const json::object& one : s.read_until("\"probe\""))
        if (one.contains("method"))
            BOOST_TEST((one.at("method") == "notifications/progress"));
    s.call("\"probe\"", modern, "test_reconnection");
    s.read_result("\"probe\"");
}

} // namespace

BOOST_AUTO_TEST_SUITE(cancelling, *boost::unit_test::timeout(100))

// rule: mcp.cancel.by_server, mcp.cancel.answer, mcp.cancel.silent
BOOST_AUTO_TEST_CASE(a_running_call_falls_silent)
{
    for (const revision r : all_revisions) {
        BOOST_TEST_CONTEXT(to_string(r))
        {
            fixture_server s(r);
            start_slow(s, "5", r);
            s.cancel("5");
            expect_silence_after_cancel(s);
            s.finish();
        }
    }
}

// rule: mcp.request.id_modern, mcp.cancel.silent
BOOST_AUTO_TEST_CASE(its_id_is_free_at_once)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        for (const char* const id : {"5", "\"five\""}) {
            start_slow(s, id, r);
            s.cancel(id);
            s.call(id, r, "test_simple_text");
            const std::vector<json::object> all = s.read_until(id);
            BOOST_TEST(text_of(all.back().at("result").as_object()) == "This is a simple text response for testing.");
        }
        s.expect_quiet();
        s.finish();
    }
}

// rule: mcp.cancel.answer
BOOST_AUTO_TEST_CASE(what_is_cancelled_before_it_is_started_is_silent_too)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        for (int i = 0; i != 50; ++i) {
            s.call("1", r, "test_reconnection");
            s.cancel("1");
        }
        s.expect_quiet();
        s.finish();
    }
}

// rule: mcp.cancel.race, mcp.cancel.invalid
BOOST_AUTO_TEST_CASE(cancels_that_fit_nothing_do_nothing)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        s.call("1", r, "test_reconnection");
        for (const char* const params : {R"({"requestId":"1"})", R"({"requestId":2})", R"({"requestId":null})",
                                         R"({"requestId":{}})", "{}", "[]", R"({"requestId":1.5})", R"({"id":1})"})
            s.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)" + std::string(params) + '}');
        s.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
        s.read_result("1");
        s.cancel("1");
        s.expect_quiet();
        s.finish();
    }
}

BOOST_AUTO_TEST_CASE(one_of_several_is_cancelled)
{
    fixture_server s(legacy);
    start_slow(s, "1", legacy);
    s.call("2", legacy, "slow", R"({"steps":3,"ms":20})");
    s.call("\"1\"", legacy, "test_reconnection");
    s.cancel("1");
    std::size_t answers = 0;
    while (answers != 2)
        answers += !s.read().contains("method");
    s.expect_quiet();
    s.finish();
}

// rule: mcp.cancel.silent
BOOST_AUTO_TEST_CASE(a_listener_that_is_cancelled_is_not_answered)
{
    fixture_server s;
    for (int i = 0; i != 3; ++i) {
        s.request("9", modern, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})");
        BOOST_TEST((s.read().at("method") == "notifications/subscriptions/acknowledged"));
        s.cancel("9");
        s.expect_quiet();
    }
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
