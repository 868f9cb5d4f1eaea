// The span of one call: what it says of how the call ended.

#include "exported.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/telemetry/call_spans.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;
using namespace partyline;
using partyline::test::attribute;
using partyline::test::exported;
using partyline::test::spans_of;
using telemetry::call_span;
using telemetry::span_writer;

namespace {

const std::shared_ptr<span_writer> writer = std::make_shared<span_writer>(
    telemetry::span_options{.resource = {}, .mcp_methods = {"prompts/get", "tools/call"}});

json_view view_of(std::string_view of)
{
    return json_view::checked(of);
}

response result_of(std::string_view of)
{
    return json_text(view_of(of));
}

// The only span that waits; null where there is none.
json::value next_span()
{
    const span_writer::payload next = writer->take();
    return next.spans == 1 ? spans_of(json::parse(next.text)).at(0) : json::value();
}

json::value span_that_ended(error_code failed, const response& reply)
{
    call_span(writer, nullptr, "add", {}).end(failed, reply);
    return next_span();
}

} // namespace

BOOST_AUTO_TEST_SUITE(call_span_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_call_is_a_client_span_below_its_request)
{
    const auto parent = trace_context::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b");
    call_span one(writer, &*parent, "add", view_of("[1,2]"));
    BOOST_TEST(one.trace().trace_id() == parent->trace_id());
    const std::string own(one.trace().span_id());
    one.end({}, result_of("3"));
    const json::value span = next_span();
    BOOST_TEST_REQUIRE(span.is_object());
    BOOST_TEST(span.at("kind") == 3);
    BOOST_TEST(span.at("name") == "add");
    BOOST_TEST(span.at("traceId") == "0af7651916cd43dd8448eb211c80319c");
    BOOST_TEST(span.at("parentSpanId") == "b7ad6b7169203331");
    BOOST_TEST(span.at("spanId") == json::string(own));
    BOOST_TEST(span.at("traceState") == "a=b");
    BOOST_TEST(attribute(span, "rpc.system.name") == "jsonrpc");
    BOOST_TEST(attribute(span, "rpc.method") == "add");
    for (const char* const unknown : {"error.type", "network.transport", "jsonrpc.request.id", "mcp.method.name"})
        BOOST_TEST(attribute(span, unknown).is_null(), unknown);
    BOOST_TEST(span.at("status").as_object().empty());
}

BOOST_AUTO_TEST_CASE(without_a_request_it_begins_a_trace)
{
    const json::value span = span_that_ended({}, result_of("1"));
    BOOST_TEST(!span.as_object().contains("parentSpanId"));
    BOOST_TEST(span.at("traceId").as_string().size() == 32u);
}

BOOST_AUTO_TEST_CASE(what_a_peer_answers_has_its_code_and_what_it_does_not_has_a_name)
{
    BOOST_TEST(attribute(span_that_ended({}, error_object{-32602, "no", {}}), "rpc.response.status_code") == "-32602");
    BOOST_TEST(attribute(span_that_ended({}, error_object{-32602, "no", {}}), "error.type") == "-32602");
    const std::pair<error_code, const char*> rows[] = {
        {errc::timeout, "timeout"},
        {boost::asio::error::operation_aborted, "cancelled"},
        {errc::refused, "refused"},
        {errc::too_many_calls, "refused"},
        {errc::bad_params, "refused"},
        {errc::not_running, "refused"},
        {make_error_code(boost::system::errc::permission_denied), "refused"},
        {errc::bad_reply, "bad_reply"},
        {errc::http_status, "http_status"},
        {errc::peer_closed, "lost"},
        {errc::session_closed, "lost"},
        {boost::asio::error::connection_refused, "lost"},
    };
    for (const auto& [failed, type] : rows) {
        for (const json::value& span :
             {span_that_ended(failed, {}), span_that_ended({}, response::failure{failed, {}})}) {
            BOOST_TEST_CONTEXT(failed.message())
            {
                BOOST_TEST(attribute(span, "error.type") == json::string(type));
                BOOST_TEST(attribute(span, "rpc.response.status_code").is_null());
                BOOST_TEST(span.at("status").at("code") == 2);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(only_the_first_end_counts)
{
    {
        call_span one(writer, nullptr, "add", {});
        one.refuse();
        one.end({}, result_of("1"));
    }
    const json::value span = next_span();
    BOOST_TEST_REQUIRE(span.is_object());
    BOOST_TEST(attribute(span, "error.type") == "refused");
}

BOOST_AUTO_TEST_CASE(what_nobody_ends_is_lost_and_what_was_no_call_is_not_told)
{
    {
        const call_span lost(writer, nullptr, "add", {});
    }
    BOOST_TEST(attribute(next_span(), "error.type") == "lost");
    call_span(writer, nullptr, "add", {}).discard();
    BOOST_TEST(next_span().is_null());
}

BOOST_AUTO_TEST_CASE(what_is_not_sampled_has_no_span_and_is_told_so)
{
    const auto parent = trace_context::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
    call_span one(writer, &*parent, "add", {});
    BOOST_TEST(one.trace().traceparent().ends_with("-00"));
    one.end({}, result_of("1"));
    BOOST_TEST(next_span().is_null());
}

BOOST_AUTO_TEST_CASE(a_tool_is_named_by_the_params_and_its_failure_by_the_result)
{
    const std::string_view params =
        R"({"name":"read_\u0066ile","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})";
    call_span(writer, nullptr, "tools/call", view_of(params)).end({}, result_of(R"({"content":[],"isError":true})"));
    const json::value span = next_span();
    BOOST_TEST_REQUIRE(span.is_object());
    BOOST_TEST(span.at("name") == "tools/call read_file");
    BOOST_TEST(attribute(span, "mcp.method.name") == "tools/call");
    BOOST_TEST(attribute(span, "gen_ai.tool.name") == "read_file");
    BOOST_TEST(attribute(span, "mcp.protocol.version") == "2026-07-28");
    BOOST_TEST(attribute(span, "error.type") == "tool_error");
    call_span(writer, nullptr, "tools/call", view_of(R"({"name":7,"_meta":7})")).end({}, result_of(R"({"isError":1})"));
    const json::value odd = next_span();
    BOOST_TEST(odd.at("name") == "tools/call");
    BOOST_TEST(attribute(odd, "error.type").is_null());
}

BOOST_AUTO_TEST_CASE(the_revision_is_what_the_params_say_or_else_the_session)
{
    const std::string_view modern = R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})";
    for (const auto& [params, revision] : {std::pair<std::string_view, const char*>(modern, "2026-07-28"),
                                           std::pair<std::string_view, const char*>("{}", "2025-11-25")}) {
        call_span one(writer, nullptr, "tools/call", view_of(params));
        one.set_protocol_version("2025-11-25");
        one.end({}, result_of("{}"));
        BOOST_TEST(attribute(next_span(), "mcp.protocol.version") == json::string(revision));
    }
}

BOOST_AUTO_TEST_CASE(long_and_secret_texts_of_params_are_cut)
{
    const std::string longest(1'000'000, 'x');
    for (const std::string& name : {longest, std::string("x?access_token=planted")}) {
        call_span(writer, nullptr, "tools/call", view_of(R"({"name":")" + name + R"("})")).end({}, result_of("{}"));
        const std::string payload = writer->take().text;
        BOOST_TEST(payload.size() < 3000u);
        BOOST_TEST(payload.find("planted") == payload.npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()
