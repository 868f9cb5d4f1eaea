// What checks messages finds what is wrong, and nothing else.

#include "mcp/testing/message_schemas.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using partyline::mcp::message_sender;
using partyline::mcp::revision;

namespace {

struct row {
    std::string_view message;
    std::string_view method; // of the request that it answers
    revision since;
    revision until;
    bool is_right;
    message_sender sender = message_sender::server;
};

constexpr revision first = revision::v2024_11_05;
constexpr revision last_legacy = revision::v2025_11_25;
constexpr revision modern = revision::v2026_07_28;
constexpr message_sender client = message_sender::client;

#define MODERN R"("resultType":"complete")"

const row rows[] = {
    {R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})", "tools/call", first, last_legacy, true},
    {R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})", "tools/call", modern, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"result":{)" MODERN R"(,"content":[]}})", "tools/call", modern, modern, true},
    {R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"smell"}]}})", "tools/call", first, last_legacy, false},
    {R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":7}]}})", "tools/call", first, last_legacy,
     false},
    {R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"","mimeType":"audio/wav"}]}})",
     "tools/call", first, first, false},
    {R"({"jsonrpc":"2.0","id":1,"result":{}})", "tools/call", revision::v2024_11_05, last_legacy, false},
    {R"({"jsonrpc":"2.0","id":1,"result":{}})", "no/such", first, modern, false},
    {R"({"jsonrpc":"2.0","id":null,"result":{"content":[]}})", "tools/call", first, modern, false},
    {R"({"id":1,"result":{"content":[]}})", "tools/call", first, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"result":{)" MODERN R"(,"tools":[]}})", "tools/list", modern, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"result":{)" MODERN R"(,"tools":[],"ttlMs":0,"cacheScope":"public"}})", "tools/list",
     modern, modern, true},
    {R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"x"}}}})",
     "tools/call", modern, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}})", "tools/call", first, modern, true},
    {R"({"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"x"}})", "tools/call", first, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"x"}})", "tools/call", modern, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":[]}}})", "tools/call", modern,
     modern, false},
    {R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}})", "", first,
     modern, true},
    {R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}})", "", first, modern, false},
    {R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":1}})", "", first, modern,
     false},
    {R"({"jsonrpc":"2.0","method":"notifications/invented"})", "", first, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"x","requestedSchema":
        {"type":"object","properties":{}}}})",
     "", first, revision::v2025_03_26, false},
    {R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"x","requestedSchema":
        {"type":"object","properties":{}}}})",
     "", revision::v2025_06_18, last_legacy, true},
    {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})", "", first, last_legacy, true, client},
    {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})", "", modern, modern, false, client},
    {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})", "", first, modern, false, client},
    {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})", "", first, modern, false},
    {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", "", first, modern, false, client},
    {R"({"jsonrpc":"2.0","id":1,"method":"vendor/own","params":{"a":1}})", "", first, modern, true, client},
    {R"({"jsonrpc":"2.0","id":[],"method":"vendor/own"})", "", first, modern, false, client},
    {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "", first, last_legacy, true, client},
    {R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"yes":true}}})", "elicitation/create",
     revision::v2025_06_18, last_legacy, true, client},
    {R"({"jsonrpc":"2.0","id":1,"result":{"action":"perhaps"}})", "elicitation/create", first, last_legacy, false,
     client},
    {R"({"jsonrpc":"2.0","id":1,"result":{"roots":[]}})", "roots/list", first, last_legacy, true, client},
    {R"({"jsonrpc":"2.0","id":1,"result":{"roots":[{}]}})", "roots/list", first, last_legacy, false, client},
    {R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})", "tools/call", first, last_legacy, false, client},
};

} // namespace

BOOST_AUTO_TEST_SUITE(message_schemas, *boost::unit_test::timeout(100))

// rule: mcp.message.jsonrpc
BOOST_AUTO_TEST_CASE(what_is_wrong_is_found_and_what_is_right_is_not)
{
    for (const row& one : rows)
        for (const revision r : {revision::v2024_11_05, revision::v2025_03_26, revision::v2025_06_18,
                                 revision::v2025_11_25, revision::v2026_07_28}) {
            if (r < one.since || r > one.until)
                continue;
            BOOST_TEST_CONTEXT(to_string(r) << ": " << one.message)
            {
                const std::string wrong =
                    partyline::mcp::schema_problem(json::parse(one.message).as_object(), r, one.sender, one.method);
                BOOST_TEST(wrong.empty() == one.is_right, wrong);
            }
        }
}

BOOST_AUTO_TEST_CASE(what_extensions_have_needs_fit_the_envelope_alone)
{
    struct message {
        std::string_view text;
        std::string_view method;
        bool is_right;
        bool is_right_without;
    };
    const message messages[] = {
        {R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"job","job":4}})", "tools/call", true, false},
        {R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","jobs":[]}})", "jobs/list", true, false},
        {R"({"jsonrpc":"2.0","method":"notifications/jobs/done"})", "", true, false},
        {R"({"jsonrpc":"2.0","method":"notifications/jobs/done","params":7})", "", false, false},
        {R"({"jsonrpc":"2.0","id":1,"result":{"resultType":7}})", "tools/call", false, false},
        {R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}})", "tools/list", false, false},
        {R"({"jsonrpc":"2.0","id":1,"result":7})", "jobs/list", false, false},
    };
    for (const message& one : messages)
        for (const bool has_extensions : {true, false}) {
            BOOST_TEST_CONTEXT(one.text << (has_extensions ? ", with extensions" : ", without"))
            {
                const std::string wrong = partyline::mcp::schema_problem(
                    json::parse(one.text).as_object(), modern, message_sender::server, one.method, has_extensions);
                BOOST_TEST(wrong.empty() == (has_extensions ? one.is_right : one.is_right_without), wrong);
            }
        }
}

BOOST_AUTO_TEST_SUITE_END()
