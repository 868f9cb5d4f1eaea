// The span of the gateway's call to its server, between those of its client's request and of what the server does.

#include "fifo_server.hpp"
#include "running_gateway.hpp"
#include "support/collector.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string hop_trace_id(32, 'a');
const std::string hop_sender_span = "00f067aa0ba902b7";
const std::string hop_sender = "00-" + hop_trace_id + '-' + hop_sender_span + "-01";

std::string hop_request(const std::string& params)
{
    return R"({"jsonrpc":"2.0","id":7,"method":"open","params":)" + params + '}';
}

struct observed_gateway {
    collector to{collector::conduct::takes};
    fifo_server server;
    running_gateway gateway{server.behind({"--share", "--otlp", to.address()})};
    http_client client = gateway.connect();

    // The params of the next request that the server gets, which is answered.
    json::object arrived()
    {
        const json::object seen = server.read("open");
        server.answer(seen, "1");
        client.response();
        return seen.at("params").as_object();
    }
    // All spans; the gateway has ended then.
    json::array spans()
    {
        gateway.process().signal(SIGTERM);
        gateway.process().wait_exit();
        json::array all;
        for (const std::string& sent : to.wait_for(1)) {
            const json::value payload = json::parse(sent.substr(sent.find("\r\n\r\n") + 4));
            for (const json::value& one :
                 payload.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array())
                all.push_back(one);
        }
        return all;
    }
};

// The span with this text there; null where there is none.
json::value find_span(const json::array& all, std::string_view member, std::string_view text)
{
    for (const json::value& one : all) {
        const json::value* const found = one.as_object().if_contains(member);
        if (found && *found == json::string(text))
            return one;
    }
    return nullptr;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_hop_spans, observed_gateway, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(the_server_is_told_the_span_of_the_call_to_it)
{
    client.post("/rpc", hop_request(R"({"_meta":{"traceparent":")" + hop_sender + R"("}})"));
    const std::string told(arrived().at("_meta").at("traceparent").as_string());
    BOOST_TEST(told.substr(3, 32) == hop_trace_id);
    const json::array all = spans();
    BOOST_TEST(all.size() == 2u);
    const json::value served = find_span(all, "parentSpanId", hop_sender_span);
    const json::value hop = find_span(all, "spanId", told.substr(36, 16));
    BOOST_TEST_REQUIRE((served.is_object() && hop.is_object()), json::serialize(all));
    BOOST_TEST(served.at("kind") == 2);
    BOOST_TEST(hop.at("kind") == 3);
    BOOST_TEST(hop.at("parentSpanId") == served.at("spanId"));
    BOOST_TEST(hop.at("name") == "open");
}

BOOST_AUTO_TEST_CASE(params_without_a_trace_stay_as_they_are)
{
    client.post("/rpc", hop_request(R"({"a":1})"));
    BOOST_TEST(json::serialize(arrived()) == R"({"a":1})");
    const json::array all = spans();
    BOOST_TEST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[0].at("kind") == 3);
    BOOST_TEST(all[0].at("parentSpanId") == all[1].at("spanId"));
}

BOOST_AUTO_TEST_CASE(in_a_session_both_spans_have_the_revision_and_that_of_the_request_its_digest)
{
    const std::string field = server.begin_session(client, true);
    const std::string id = field.substr(std::string("Mcp-Session-Id: ").size(), 26);
    client.post("/mcp", R"({"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}})", field);
    server.answer(server.read("tools/list"), R"({"tools":[]})");
    client.response();
    int seen = 0;
    for (const json::value& one : spans()) {
        BOOST_TEST(json::serialize(one).find(id) == std::string::npos);
        if (one.at("name") != "tools/list")
            continue;
        const std::string attributes = json::serialize(one.at("attributes"));
        const bool has_digest = attributes.find("mcp.session.id") != attributes.npos;
        BOOST_TEST(has_digest == (one.at("kind") == 2), attributes);
        BOOST_TEST(attributes.find("2025-11-25") != attributes.npos, attributes);
        ++seen;
    }
    BOOST_TEST(seen == 2);
}

BOOST_AUTO_TEST_CASE(what_the_gateway_answers_by_itself_is_no_call)
{
    const std::string first = server.begin_session(client, true);
    http_client second = gateway.connect();
    server.begin_session(second, false);
    int served = 0;
    int called = 0;
    for (const json::value& one : spans()) {
        const bool is_greeting = one.at("name") == "initialize";
        served += is_greeting && one.at("kind") == 2 ? 1 : 0;
        called += is_greeting && one.at("kind") == 3 ? 1 : 0;
    }
    BOOST_TEST(served == 2);
    BOOST_TEST(called == 1);
}

BOOST_AUTO_TEST_SUITE_END()
