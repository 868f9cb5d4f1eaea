// Traces through a gateway: a client's comes to the server, and to the server's own calls; other params pass as they
// are.

#include "fifo_server.hpp"
#include "gateway/trace_member.hpp"
#include "mcp_gateway.hpp"
#include "running_gateway.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace json = boost::json;
using namespace partyline::test;
using partyline::json_text;
using partyline::trace_context;

namespace {

const std::string trace_id(32, 'a');
const std::string sender = "00-" + trace_id + "-00f067aa0ba902b7-01";

std::string sent(const std::string& params, const trace_context& trace)
{
    return gateway::with_trace(json_text(params), trace).text();
}

std::string open_request(const std::string& params)
{
    return R"({"jsonrpc":"2.0","id":7,"method":"open","params":)" + params + '}';
}

// The params of the next request that the server gets, which is answered.
json::object arrived(fifo_server& server, http_client& client)
{
    const json::object seen = server.read("open");
    server.answer(seen, "1");
    client.response();
    return seen.at("params").as_object();
}

std::string traceparent_of(const json::object& params)
{
    return std::string(params.at("_meta").at("traceparent").as_string());
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_traces, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_trace_is_put_into_params_and_all_else_stays_to_the_byte)
{
    const trace_context trace = *trace_context::parse(sender);
    const std::string member = R"("traceparent":")" + sender + '"';
    const std::string alone = R"({"_meta":{)" + member + "}}";
    const std::string rows[][2] = {
        {"", alone},
        {"null", alone},
        {"{}", alone},
        {"{ }", R"({"_meta":{)" + member + "} }"},
        {R"({"a" : 1.0})", R"({"_meta":{)" + member + R"(},"a" : 1.0})"},
        {R"({"a":1,"_meta":{ }})", R"({"a":1,"_meta":{)" + member + " }}"},
        {R"({"_meta": {"x":[1e2]} ,"a":1})", R"({"_meta": {)" + member + R"(,"x":[1e2]} ,"a":1})"},
        {R"({"_meta":{"traceparent" : 7,"x":1}})", R"({"_meta":{"traceparent" : ")" + sender + R"(","x":1}})"},
        {R"({"_meta":{"\u0074raceparent":"x"}})", R"({"_meta":{"\u0074raceparent":")" + sender + R"("}})"},
        {R"({"_meta":null})", R"({"_meta":null})"},
        {"[1, 2]", "[1, 2]"},
    };
    for (const auto& [params, expected] : rows)
        BOOST_TEST(sent(params, trace) == expected);
    const trace_context stateful = *trace_context::parse(sender, "a=\"b");
    BOOST_TEST(sent("{}", stateful) == R"({"_meta":{"tracestate":"a=\"b",)" + member + "}}");
}

BOOST_AUTO_TEST_CASE(without_an_option_params_pass_as_they_are)
{
    fifo_server server;
    running_gateway gateway(server.behind());
    http_client client = gateway.connect();
    client.post("/rpc", open_request(R"({"_meta":{"traceparent":")" + sender + R"("}})"), "traceparent: x\r\n");
    BOOST_TEST(traceparent_of(arrived(server, client)) == sender);
    client.post("/rpc", open_request(R"({"a":1})"), "traceparent: " + sender + "\r\n");
    BOOST_TEST(json::serialize(arrived(server, client)) == R"({"a":1})");
}

BOOST_AUTO_TEST_CASE(with_trace_upstream_the_server_is_told_the_trace_of_the_client_or_a_new_one)
{
    fifo_server server;
    running_gateway gateway(server.behind({"--trace-upstream"}));
    http_client client = gateway.connect();
    const auto expect_part = [&](const std::string& told) {
        BOOST_TEST(told.substr(0, 36) == sender.substr(0, 36));
        BOOST_TEST(told != sender);
    };
    client.post("/rpc", open_request(R"({"_meta":{"traceparent":")" + sender + R"("}})"));
    expect_part(traceparent_of(arrived(server, client)));
    client.post("/rpc", open_request("{}"), "traceparent: " + sender + "\r\n");
    expect_part(traceparent_of(arrived(server, client)));
    client.post("/rpc", open_request("{}"));
    const std::string fresh = traceparent_of(arrived(server, client));
    BOOST_TEST((fresh.size() == sender.size() && !contains(fresh, trace_id)));
}

// The fixture observes its requests with --message-log, and so knows their traces.
BOOST_AUTO_TEST_CASE(a_trace_goes_on_to_the_server_and_to_what_that_asks_its_client)
{
    const scratch_directory folder;
    mcp_gateway setup({"--trace-upstream"}, {"--message-log", (folder / "log").string()});
    http_client client = setup.gateway.connect();
    const std::string fields = mcp_gateway::greet(client) + "Accept: application/json, text/event-stream\r\n";
    client.post("/mcp",
                mcp_gateway::call(1, "test_input_required_result_list_roots", R"({"traceparent":")" + sender + R"("})"),
                fields);
    client.head();
    client.read_until("00-" + trace_id); // in roots/list
}

BOOST_AUTO_TEST_SUITE_END()
