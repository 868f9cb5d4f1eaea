#include "exported.hpp"
#include "served.hpp"

#include <partyline/telemetry/span_writer.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace json = boost::json;
using namespace partyline;
using partyline::test::attribute;
using partyline::test::exported;
using partyline::test::served;
using partyline::test::spans_of;
using telemetry::span_writer;

namespace {

struct traced {
    explicit traced(std::string_view method,
                    const char* traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        : trace(trace_context::parse(traceparent)->child()), event(served(method))
    {
        event.trace = &trace;
    }

    trace_context trace;
    served_event event;
};

const json::value& only_span(const json::value& payload)
{
    return spans_of(payload).at(0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(span_writer_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_request_is_a_server_span_in_the_trace_of_its_sender)
{
    span_writer spans;
    traced one("echo");
    one.event.id = "\"a\"";
    spans.note(one.event);
    const json::value payload = exported(spans);
    const json::value& span = only_span(payload);
    BOOST_TEST(span.at("traceId") == "0af7651916cd43dd8448eb211c80319c");
    BOOST_TEST(span.at("parentSpanId") == "b7ad6b7169203331");
    BOOST_TEST(span.at("spanId") == json::string(one.trace.span_id()));
    BOOST_TEST(span.at("name") == "echo");
    BOOST_TEST(span.at("kind") == 2);
    const auto nanoseconds = [&](const char* name) { return std::stoll(std::string(span.at(name).as_string())); };
    BOOST_TEST(nanoseconds("endTimeUnixNano") - nanoseconds("startTimeUnixNano") == 700'000);
    BOOST_TEST(attribute(span, "rpc.system.name") == "jsonrpc");
    BOOST_TEST(attribute(span, "rpc.method") == "echo");
    BOOST_TEST(attribute(span, "jsonrpc.request.id") == "a");
    BOOST_TEST(attribute(span, "network.transport") == "pipe");
    BOOST_TEST(attribute(span, "error.type").is_null());
    BOOST_TEST(span.at("status").as_object().empty());
}

BOOST_AUTO_TEST_CASE(a_call_of_a_tool_has_the_attributes_of_mcp)
{
    telemetry::span_options options;
    options.mcp_methods = {"tools/list", "tools/call"};
    span_writer spans(options);
    traced one("tools/call");
    peer_identity peer;
    peer.principal = "alice";
    peer.address = {boost::asio::ip::make_address("10.0.0.7"), 50000};
    served_event event{.method = "tools/call", .peer = peer};
    event.key = "read_file";
    event.outcome = answer_outcome::result;
    event.is_tool_error = true;
    event.protocol_version = "2025-11-25";
    event.session_digest = "0123456789abcdef";
    event.trace = &one.trace;
    spans.note(event);
    const json::value payload = exported(spans);
    const json::value& span = only_span(payload);
    BOOST_TEST(span.at("name") == "tools/call read_file");
    BOOST_TEST(attribute(span, "mcp.method.name") == "tools/call");
    BOOST_TEST(attribute(span, "gen_ai.tool.name") == "read_file");
    BOOST_TEST(attribute(span, "mcp.protocol.version") == "2025-11-25");
    BOOST_TEST(attribute(span, "mcp.session.id") == "0123456789abcdef");
    BOOST_TEST(attribute(span, "error.type") == "tool_error");
    BOOST_TEST(attribute(span, "enduser.id") == "alice");
    BOOST_TEST(attribute(span, "network.transport") == "tcp");
    BOOST_TEST(attribute(span, "network.peer.address") == "10.0.0.7");
    BOOST_TEST(attribute(span, "network.peer.port") == "50000");
    BOOST_TEST(span.at("status").at("code") == 2);
}

BOOST_AUTO_TEST_CASE(errors_are_told_by_their_code_and_other_ends_by_their_name)
{
    for (const auto& [how, code, type] : {std::tuple(request_disposition::handled, -32602, "-32602"),
                                          std::tuple(request_disposition::refused, -32601, "-32601"),
                                          std::tuple(request_disposition::cancelled, 0, "cancelled"),
                                          std::tuple(request_disposition::lost, 0, "lost")}) {
        span_writer spans;
        traced one("echo");
        one.event.disposition = how;
        one.event.error_code = code;
        one.event.outcome = code == 0 ? answer_outcome::none : answer_outcome::error;
        spans.note(one.event);
        const json::value payload = exported(spans);
        BOOST_TEST(attribute(only_span(payload), "error.type") == json::string(type));
        BOOST_TEST(attribute(only_span(payload), "rpc.response.status_code").is_null() == (code == 0));
        BOOST_TEST(only_span(payload).at("status").at("code") == 2);
    }
}

BOOST_AUTO_TEST_CASE(a_notification_whose_handler_has_failed_is_an_error)
{
    span_writer spans;
    traced one("note");
    one.event.id = {};
    one.event.outcome = answer_outcome::none;
    one.event.error_code = -32602;
    spans.note(one.event);
    const json::value payload = exported(spans);
    BOOST_TEST(attribute(only_span(payload), "error.type") == "-32602");
    BOOST_TEST(only_span(payload).at("status").at("code") == 2);
}

BOOST_AUTO_TEST_CASE(what_has_no_method_has_a_name_all_the_same)
{
    span_writer spans;
    spans.note(traced("").event);
    const json::value payload = exported(spans);
    BOOST_TEST(only_span(payload).at("name") == "jsonrpc");
    BOOST_TEST(attribute(only_span(payload), "rpc.method").is_null());
}

BOOST_AUTO_TEST_CASE(uris_are_in_no_name)
{
    span_writer spans;
    traced one("resources/read");
    one.event.key = "file:///srv/a?code=planted";
    spans.note(one.event);
    const std::string text = spans.take().text;
    BOOST_TEST(only_span(json::parse(text)).at("name") == "resources/read");
    BOOST_TEST(text.find("planted") == text.npos);
}

BOOST_AUTO_TEST_CASE(secrets_of_names_are_left_out)
{
    for (const char* const text :
         {"x?access_token=planted", "Authorization: Bearer planted", "x%3Faccess_token%3Dplanted"}) {
        span_writer spans;
        traced one(text);
        one.event.key = text;
        spans.note(one.event);
        const std::string payload = spans.take().text;
        BOOST_TEST(payload.find("planted") == payload.npos, payload);
    }
}

BOOST_AUTO_TEST_CASE(the_program_is_described_by_its_resource)
{
    telemetry::span_options options;
    options.resource = {{"service.name", "tools"}, {"deployment.environment", "a \"test\""}};
    span_writer spans(options);
    spans.note(traced("echo").event);
    const json::value payload = exported(spans);
    const json::value& resource = payload.at("resourceSpans").at(0).at("resource");
    BOOST_TEST(attribute(resource, "service.name") == "tools");
    BOOST_TEST(attribute(resource, "deployment.environment") == "a \"test\"");
    span_writer plain;
    plain.note(traced("echo").event);
    BOOST_TEST(attribute(exported(plain).at("resourceSpans").at(0).at("resource"), "service.name") == "partyline");
}

BOOST_AUTO_TEST_CASE(what_is_not_sampled_has_no_span)
{
    span_writer spans;
    spans.note(traced("echo", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00").event);
    BOOST_TEST(spans.take().spans == 0u);
    BOOST_TEST(spans.dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(what_has_no_trace_has_no_span)
{
    span_writer spans;
    spans.note(served("echo"));
    BOOST_TEST(spans.take().spans == 0u);
    BOOST_TEST(spans.dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(payloads_are_bounded_and_so_is_what_waits)
{
    span_writer spans;
    int woken = 0;
    spans.on_ready([&] { ++woken; });
    const traced one("echo");
    for (int i = 0; i != 3000; ++i)
        spans.note(one.event);
    BOOST_TEST(spans.dropped() == 3000u - 2048u);
    BOOST_TEST(woken == 4);
    for (int i = 0; i != 4; ++i)
        BOOST_TEST(spans.take().spans == 512u);
    BOOST_TEST(spans.take().spans == 0u);
    spans.note(one.event);
    BOOST_TEST(spans.take().spans == 1u);
    BOOST_TEST(spans.dropped() == 3000u - 2048u);
}

BOOST_AUTO_TEST_CASE(spans_after_the_end_are_dropped)
{
    span_writer spans;
    spans.close();
    spans.note(traced("echo").event);
    BOOST_TEST(spans.take().spans == 0u);
    BOOST_TEST(spans.dropped() == 1u);
    BOOST_TEST(spans.is_closed());
}

BOOST_AUTO_TEST_CASE(long_and_strange_texts_stay_json)
{
    const std::string longest(1'000'000, 'x');
    for (const std::string& text : {std::string("a\"\\\n\x1b\xff"), longest}) {
        span_writer spans;
        traced one(text);
        one.event.key = text;
        one.event.id = text;
        spans.note(one.event);
        const std::string payload = spans.take().text;
        BOOST_TEST(payload.size() < 4000u);
        BOOST_TEST(!only_span(json::parse(payload)).at("name").as_string().empty());
    }
}

BOOST_AUTO_TEST_CASE(threads_add_and_take_at_once)
{
    span_writer spans;
    std::size_t taken = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i != 4; ++i)
            threads.emplace_back([&] {
                const traced one("echo");
                for (int n = 0; n != 1000; ++n)
                    spans.note(one.event);
            });
        for (int i = 0; i != 100; ++i)
            taken += spans.take().spans;
    }
    for (span_writer::payload next = spans.take(); next.spans != 0; next = spans.take())
        taken += next.spans;
    BOOST_TEST(taken + spans.dropped() == 4000u);
}

BOOST_AUTO_TEST_SUITE_END()
