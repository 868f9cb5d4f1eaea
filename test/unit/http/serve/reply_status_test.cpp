#include "http/serve/reply_status.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

using partyline::http::status_of_error;
using partyline::http::status_rule;

namespace {

struct status_row {
    int code;
    int plain;
    int modern;
    int legacy;
};

} // namespace

BOOST_AUTO_TEST_SUITE(http_reply_status)

BOOST_AUTO_TEST_CASE(what_no_handler_was_asked_for_has_a_status_of_its_own)
{
    const status_row rows[] = {
        {-32700, 200, 400, 400},                          // no JSON
        {-32600, 200, 400, 400},                          // no request
        {-32601, 200, 404, 200},                          // no such method
        {-32602, 200, 400, 200},                          // the envelope is wrong
        {-32603, 200, 200, 200}, {-32020, 200, 400, 200}, // fields say something else
        {-32021, 200, 400, 200},                          // the client lacks a capability
        {-32022, 200, 400, 200},                          // no such version
        {-31001, 503, 503, 503},                          // busy
        {-31002, 429, 429, 429},                          // over its quota
        {-31003, 403, 403, 403},                          // lacks a scope
        {-32000, 200, 200, 200}, {-32800, 200, 200, 200}, {1, 200, 200, 200},
    };
    for (const status_row& row : rows) {
        BOOST_TEST_CONTEXT(row.code)
        {
            BOOST_TEST(status_of_error(row.code, false, status_rule::plain) == row.plain);
            BOOST_TEST(status_of_error(row.code, false, status_rule::modern) == row.modern);
            BOOST_TEST(status_of_error(row.code, false, status_rule::legacy) == row.legacy);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_a_handler_says_is_told_with_200)
{
    for (const int code :
         {-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -31001, -31002, -31003, -32000, 1}) {
        BOOST_TEST_CONTEXT(code)
        {
            BOOST_TEST(status_of_error(code, true, status_rule::plain) == 200);
            BOOST_TEST(status_of_error(code, true, status_rule::legacy) == 200);
            // A capability is missed by a handler, too.
            BOOST_TEST(status_of_error(code, true, status_rule::modern) == (code == -32021 ? 400 : 200));
        }
    }
}

BOOST_AUTO_TEST_CASE(what_another_server_has_said_is_told_by_its_code)
{
    const struct {
        int code;
        int status;
    } rows[] = {{-32700, 400}, {-32600, 400}, {-32601, 404}, {-32602, 200}, {-32603, 200},
                {-32020, 400}, {-32022, 400}, {-32000, 200}, {1, 200}};
    for (const auto& row : rows) {
        for (const bool was_served : {false, true}) {
            BOOST_TEST_CONTEXT(row.code << (was_served ? " by a handler" : ""))
            {
                BOOST_TEST(status_of_error(row.code, was_served, status_rule::forwarded) == row.status);
            }
        }
    }
    BOOST_TEST(status_of_error(-32021, true, status_rule::forwarded) == 400);
    for (const auto& [code, status] : {std::pair(-31002, 429), std::pair(-31003, 403)}) {
        BOOST_TEST(status_of_error(code, false, status_rule::forwarded) == status);
        BOOST_TEST(status_of_error(code, true, status_rule::forwarded) == 200);
    }
}

BOOST_AUTO_TEST_SUITE_END()
