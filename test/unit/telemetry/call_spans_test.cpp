// Spans of the calls of a session.

#include "exported.hpp"
#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <partyline/rpc/tracing.hpp>
#include <partyline/telemetry/call_spans.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using telemetry::span_writer;

namespace {

const std::string sender_trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const std::string traced_params = R"({"_meta":{"traceparent":")" + sender_trace + R"("}})";

asio::awaitable<std::string> ask(request_context& context)
{
    const response reply = co_await context.call("asked", json::object())(asio::use_awaitable);
    co_return reply.value().text();
}

// The ids that a line tells: of the trace, and of the sender_trace's span.
struct told_ids {
    explicit told_ids(const std::string& line)
    {
        const json::value params = json::parse(line).at("params");
        const std::string text(params.at("_meta").at("traceparent").as_string());
        trace = text.substr(3, 32);
        span = text.substr(36, 16);
    }
    std::string trace;
    std::string span;
};

struct call_spans_fixture : dialogue {
    std::shared_ptr<span_writer> writer = std::make_shared<span_writer>();
    json::value payload; // the last one
    outcome at_the_end;  // of a call that nobody answers

    call_spans_fixture()
    {
        methods.add("ask", ask);
        options.on_served = [to = writer](const served_event& event) { to->note(event); };
        telemetry::add_call_spans(options, writer);
    }
    ~call_spans_fixture()
    {
        destroy_session();
        settle();
    }

    // Those that have ended.
    json::array spans()
    {
        const span_writer::payload next = writer->take();
        payload = next.spans == 0 ? json::value() : json::parse(next.text);
        return next.spans == 0 ? json::array() : spans_of(payload);
    }
    json::value only_span()
    {
        const json::array all = spans();
        BOOST_TEST_REQUIRE(all.size() == 1u);
        return all.front();
    }
    std::string only_type()
    {
        const json::value type = attribute(only_span(), "error.type");
        return type.is_null() ? "none" : std::string(type.as_string());
    }
    void call(outcome& o, call_options how = {}) { server().call("m", nullptr, std::move(how))(o.handler()); }
    std::string come_to(outcome& o)
    {
        run_until([&] { return o.is_there(); });
        settle(); // the coroutine that stands around it ends
        return o.text();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(call_spans, call_spans_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_call_of_a_handler_is_below_its_request_and_what_the_peer_does_below_the_call)
{
    send(request("1", "ask", traced_params));
    const told_ids told(receive());
    send(result("2", "7"));
    expect(result("1", "\"7\""));
    const json::array all = spans();
    BOOST_TEST_REQUIRE(all.size() == 2u);
    const json::value& client = all[0];
    const json::value& server = all[1];
    BOOST_TEST(server.at("kind") == 2);
    BOOST_TEST(server.at("parentSpanId") == json::string(sender_trace.substr(36, 16)));
    BOOST_TEST(client.at("kind") == 3);
    BOOST_TEST(client.at("name") == "asked");
    BOOST_TEST(client.at("parentSpanId") == server.at("spanId"));
    BOOST_TEST(client.at("spanId") == json::string(told.span));
    BOOST_TEST(client.at("traceId") == json::string(told.trace));
    BOOST_TEST(told.trace == sender_trace.substr(3, 32));
}

BOOST_AUTO_TEST_CASE(a_call_of_nobody_begins_a_trace)
{
    outcome o;
    call(o);
    const told_ids told(receive());
    send(result("2", "7"));
    BOOST_TEST(come_to(o) == "result 7");
    const json::value span = only_span();
    BOOST_TEST(span.at("spanId") == json::string(told.span));
    BOOST_TEST(!span.as_object().contains("parentSpanId"));
}

BOOST_AUTO_TEST_CASE(an_error_of_the_peer_has_its_code)
{
    outcome o;
    call(o);
    receive();
    send(R"({"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"no"}})");
    BOOST_TEST(come_to(o) == "error 7 no");
    const json::value span = only_span();
    BOOST_TEST(attribute(span, "rpc.response.status_code") == "7");
    BOOST_TEST(attribute(span, "error.type") == "7");
}

BOOST_AUTO_TEST_CASE(a_call_whose_time_is_over_has_timed_out)
{
    outcome o;
    call(o, call_options().timeout(1ms));
    BOOST_TEST(come_to(o) == failed(errc::timeout));
    BOOST_TEST(only_type() == "timeout");
    outcome idle;
    call(idle, call_options().idle_timeout(1ms));
    BOOST_TEST(come_to(idle) == failed(errc::timeout));
    BOOST_TEST(only_type() == "timeout");
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_is_told_as_such)
{
    outcome o;
    asio::cancellation_signal cancel;
    server().call("m", nullptr)(asio::bind_cancellation_slot(cancel.slot(), o.handler()));
    receive();
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(come_to(o) == failed(asio::error::operation_aborted));
    BOOST_TEST(only_type() == "cancelled");
}

BOOST_AUTO_TEST_CASE(a_call_that_middleware_does_not_let_pass_is_refused)
{
    int refusals = 0;
    options.around_calls.add([&](peer_call&) {
        if (++refusals == 1)
            throw rpc_error(7, "no");
        throw std::runtime_error("no");
    });
    outcome first;
    call(first);
    BOOST_TEST(come_to(first) == "error 7 no");
    const json::value span = only_span();
    BOOST_TEST(attribute(span, "error.type") == "refused");
    BOOST_TEST(attribute(span, "rpc.response.status_code").is_null());
    outcome second;
    call(second);
    BOOST_TEST(come_to(second) == failed(errc::refused));
    BOOST_TEST(only_type() == "refused");
}

BOOST_AUTO_TEST_CASE(each_try_of_middleware_around_it_is_a_span_below_the_same_request)
{
    options.around_calls = {};
    options.around_calls.add([](peer_call&, next_call& next) -> asio::awaitable<response> {
        response reply = co_await next();
        if (!reply)
            reply = co_await next();
        co_return reply;
    });
    telemetry::add_call_spans(options, writer);
    send(request("1", "ask", traced_params));
    const told_ids first(receive());
    send(R"({"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"no"}})");
    const told_ids second(receive());
    send(result("3", "7"));
    expect(result("1", "\"7\""));
    const json::array all = spans();
    BOOST_TEST_REQUIRE(all.size() == 3u);
    BOOST_TEST(all[0].at("spanId") == json::string(first.span));
    BOOST_TEST(all[1].at("spanId") == json::string(second.span));
    BOOST_TEST(all[0].at("parentSpanId") == all[2].at("spanId"));
    BOOST_TEST(all[1].at("parentSpanId") == all[2].at("spanId"));
}

BOOST_AUTO_TEST_CASE(notifications_and_elements_of_batches_have_none_and_tell_the_request)
{
    methods.add("tell", [](request_context& c) -> asio::awaitable<void> {
        co_await c.notify("told", json::object());
        call_batch calls;
        calls.call("element", json::object());
        co_await c.batch(std::move(calls));
    });
    send(request("1", "tell", traced_params));
    const told_ids notified(receive());
    const json::value batch = json::parse(receive());
    send('[' + result(json::serialize(batch.at(0).at("id")), "1") + ']');
    expect(result("1", "null"));
    const json::value span = only_span();
    BOOST_TEST(span.at("kind") == 2);
    BOOST_TEST(span.at("spanId") == json::string(notified.span));
    BOOST_TEST(told_ids(json::serialize(batch.at(0))).span == notified.span);
}

BOOST_AUTO_TEST_CASE(what_the_peer_leaves_unanswered_is_lost)
{
    outcome o;
    call(o);
    receive();
    end_input();
    come_to(o);
    BOOST_TEST(only_type() == "lost");
}

BOOST_AUTO_TEST_CASE(what_a_destroyed_session_leaves_is_told)
{
    call(at_the_end);
    receive();
    destroy_session();
    settle();
    BOOST_TEST(only_type() == "lost");
}

BOOST_AUTO_TEST_CASE(params_that_middleware_has_broken_are_not_read)
{
    options.around_calls = {};
    options.around_calls.add([](peer_call& call) { call.params = json_text(std::string(R"({"name":"x)")); });
    telemetry::add_call_spans(options, writer);
    outcome o;
    server().call("tools/call", nullptr)(o.handler());
    BOOST_TEST(come_to(o) == failed(errc::bad_params));
    BOOST_TEST(only_type() == "refused");
}

BOOST_AUTO_TEST_SUITE_END()
