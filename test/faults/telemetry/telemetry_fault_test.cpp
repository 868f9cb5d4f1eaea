// Metrics, spans and the lines of messages while one allocation fails, each in turn: nothing that is served notices it,
// what is lost is counted, and afterwards all is as it was.

#include "faults/allocation_faults.hpp"
#include "unit/telemetry/served.hpp"

#include <partyline/telemetry.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace partyline;
using namespace std::chrono_literals;
using partyline::test::armed_allocations;
using partyline::test::served;

namespace {

// Calls it with each of its allocations failing, and says how many these are.
template <class Step>
std::size_t fail_each_in(Step step)
{
    for (std::size_t n = 1;; ++n) {
        const armed_allocations armed({.fails_at = n});
        step();
        if (armed.failed() == 0)
            return n - 1;
    }
}

const std::string long_text = "a-text-that-is-longer-than-what-a-string-has-within-itself";

struct traced_event {
    trace_context trace = trace_context::make_root();
    served_event event = served(long_text);

    traced_event()
    {
        event.trace = &trace;
        event.key = long_text;
        event.id = "\"a-text-that-is-longer-than-what-a-string-has-within-itself\"";
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(telemetry_fault_suite, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(requests_are_counted_without_memory)
{
    telemetry::metrics all({long_text});
    const traced_event one;
    BOOST_TEST(fail_each_in([&] { all.note(one.event); }) == 0u);
}

BOOST_AUTO_TEST_CASE(metrics_that_could_not_be_told_are_complete_the_next_time)
{
    telemetry::metrics all({long_text});
    const traced_event one;
    all.note(one.event);
    std::size_t failures = 0;
    const std::size_t allocations = fail_each_in([&] {
        try {
            all.text();
        } catch (const std::bad_alloc&) {
            ++failures;
        }
    });
    BOOST_TEST(allocations > 10u);
    BOOST_TEST(failures > 0u);
    const std::string text = all.text();
    BOOST_TEST(text.find("partyline_requests_total{method=\"" + long_text + "\",outcome=\"result\"} 1\n") != text.npos,
               text);
    BOOST_TEST(text.find("partyline_request_duration_seconds_count{method=\"" + long_text + "\"} 1\n") != text.npos,
               text);
}

BOOST_AUTO_TEST_CASE(a_span_without_memory_is_dropped_and_counted)
{
    telemetry::span_writer spans;
    const traced_event one;
    const std::size_t allocations = fail_each_in([&] { spans.note(one.event); });
    BOOST_TEST(allocations > 2u);
    BOOST_TEST(spans.dropped() == allocations);
    BOOST_TEST(spans.take().spans == 1u);
}

// Whether a tool has failed may stay unknown.
BOOST_AUTO_TEST_CASE(the_span_of_a_call_without_memory_is_dropped_and_counted)
{
    const auto spans = std::make_shared<telemetry::span_writer>();
    const trace_context trace = trace_context::make_root();
    const std::string params =
        R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"name":")" + long_text + R"("})";
    const response reply = json_text(json_view::checked(R"({"content":[],"isError":true})"));
    const std::size_t allocations = fail_each_in(
        [&] { telemetry::call_span(spans, &trace, "tools/call", json_view::checked(params)).end({}, reply); });
    BOOST_TEST(allocations > 2u);
    BOOST_TEST(spans->dropped() > 2u);
    BOOST_TEST(spans->dropped() + spans->take().spans == allocations + 1);
}

BOOST_AUTO_TEST_CASE(a_payload_without_memory_is_dropped_and_counted)
{
    const traced_event one;
    for (std::size_t n = 1;; ++n) {
        telemetry::span_writer spans;
        spans.note(one.event);
        std::size_t taken = 0;
        const armed_allocations armed({.fails_at = n});
        try {
            taken = spans.take().spans;
        } catch (const std::bad_alloc&) {
        }
        BOOST_TEST_REQUIRE(taken + spans.dropped() == 1u);
        if (armed.failed() == 0)
            break;
    }
}

// Either it goes on, or it has ended; what is lost is counted.
BOOST_AUTO_TEST_CASE(exporting_survives_each_allocation_that_fails)
{
    const traced_event one;
    for (std::size_t n = 1;; ++n) {
        boost::asio::io_context context(1);
        const auto spans = std::make_shared<telemetry::span_writer>();
        std::size_t taken = 0;
        bool has_ended = false;
        const auto send = [&](const document_to_send&, receipt_receiver done) {
            boost::asio::post(context, [&, done = std::move(done)] {
                document_receipt got;
                got.status = 200;
                taken = 1;
                done(std::move(got));
            });
        };
        telemetry::export_options to;
        to.interval = to.timeout = 1ms;
        telemetry::export_spans(context.get_executor(), spans, send, to, [&] { has_ended = true; });
        spans->note(one.event);
        std::size_t failed = 0;
        {
            const armed_allocations armed({.fails_at = n});
            BOOST_REQUIRE_NO_THROW(context.run_for(20ms));
            failed = armed.failed();
        }
        spans->close();
        context.restart();
        BOOST_REQUIRE_NO_THROW(context.run_for(20s));
        BOOST_TEST_REQUIRE(has_ended);
        BOOST_TEST_REQUIRE(taken + spans->dropped() >= 1u);
        if (failed == 0)
            break;
    }
}

BOOST_AUTO_TEST_CASE(a_line_without_memory_throws)
{
    const traced_event one;
    std::size_t failures = 0;
    const std::size_t allocations = fail_each_in([&] {
        try {
            telemetry::message_line(one.event, {});
        } catch (const std::bad_alloc&) {
            ++failures;
        }
    });
    BOOST_TEST(failures == allocations);
    BOOST_TEST(allocations > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
