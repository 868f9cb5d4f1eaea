// The end of input: what is in flight is answered, and the process ends in order.

#include "mcp/fixture_server.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

#include <signal.h>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

BOOST_AUTO_TEST_SUITE(input_end, *boost::unit_test::timeout(100))

// rule: mcp.end.exit
BOOST_AUTO_TEST_CASE(calls_in_flight_are_answered)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        for (const char* const id : {"1", "\"1\"", "2", "\"two\""})
            s.call(id, r, "slow", R"({"steps":5,"ms":20})");
        s.close_input();
        std::set<std::string> ids;
        for (int i = 0; i != 4; ++i)
            ids.insert(json::serialize(s.read().at("id")));
        BOOST_TEST(ids.size() == 4);
        s.expect_end(0);
    }
}

// rule: mcp.end.exit, mcp.cancel.by_server
BOOST_AUTO_TEST_CASE(what_takes_too_long_is_cancelled)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r, {"--drain-ms=50"});
        s.call("1", r, "slow", R"({"steps":1000,"ms":1000})");
        s.close_input();
        BOOST_TEST(s.read_answer("1").contains("error"));
        s.expect_end(4);
    }
}

BOOST_AUTO_TEST_CASE(a_signal_ends_a_server_that_waits_for_an_answer)
{
    fixture_server s(legacy);
    s.call("1", legacy, "test_elicitation", R"({"message":"Who?"})");
    s.read(); // the question
    s.child().signal(SIGTERM);
    BOOST_TEST(s.read_until("1").back().contains("error"));
    s.expect_end(128 + SIGTERM);
}

// rule: mcp.end.exit
BOOST_AUTO_TEST_CASE(an_empty_input_is_no_fault)
{
    fixture_server s;
    s.finish();
    BOOST_TEST(s.errors() == "");
}

BOOST_AUTO_TEST_CASE(a_last_line_without_its_end_counts)
{
    fixture_server s(legacy);
    s.request("1", legacy, "ping");
    s.read_result("1");
    s.note_request("\"2\"", legacy, "ping");
    s.send_bytes(R"({"jsonrpc":"2.0","id":"2","method":"ping"})");
    s.close_input();
    BOOST_TEST(s.read_result("\"2\"").empty());
    s.expect_end(0);
}

// rule: mcp.stdio.stdout
BOOST_AUTO_TEST_CASE(what_handlers_print_is_no_message)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        for (int i = 0; i != 3; ++i) {
            s.call("1", r, "spam_stdout");
            BOOST_TEST(text_of(s.read_result("1")) == "Printed");
        }
        s.finish();
        BOOST_TEST(contains(s.errors(), "printed by printf"), s.errors());
        BOOST_TEST(contains(s.errors(), "printed by cout"), s.errors());
    }
}

BOOST_AUTO_TEST_SUITE_END()
