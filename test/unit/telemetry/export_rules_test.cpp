#include "telemetry/spans/export_rules.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

using namespace std::chrono_literals;
using partyline::document_receipt;
using namespace partyline::telemetry;

namespace {

document_receipt status(int code, std::string answer = {})
{
    document_receipt got;
    got.status = code;
    got.answer = std::move(answer);
    return got;
}

} // namespace

BOOST_AUTO_TEST_SUITE(export_rules_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_payload_that_was_taken_is_done_with)
{
    for (const char* const answer : {"", "{}", "{\"partialSuccess\":{}}", "no json", "[]", "{\"partialSuccess\":7}"}) {
        const export_verdict verdict = judge_export(status(200, answer), 1, 1s);
        BOOST_TEST((verdict.step == export_step::go_on), answer);
        BOOST_TEST(verdict.rejected == 0u);
    }
}

BOOST_AUTO_TEST_CASE(spans_that_a_collector_rejects_are_counted)
{
    for (const char* const count : {"3", "\"3\""}) {
        const export_verdict verdict =
            judge_export(status(200, R"({"partialSuccess":{"rejectedSpans":)" + std::string(count) +
                                         R"(,"errorMessage":"too\nold"}})"),
                         1, 1s);
        BOOST_TEST((verdict.step == export_step::go_on));
        BOOST_TEST(verdict.rejected == 3u);
        BOOST_TEST(verdict.why == "too\\u000aold");
    }
    BOOST_TEST(judge_export(status(200, R"({"partialSuccess":{"rejectedSpans":-3}})"), 1, 1s).rejected == 0u);
}

BOOST_AUTO_TEST_CASE(words_of_a_collector_are_told_without_secrets)
{
    const std::string answer =
        R"({"partialSuccess":{"rejectedSpans":1,"errorMessage":"Authorization: Bearer planted"}})";
    BOOST_TEST(judge_export(status(200, answer), 1, 1s).why == "Authorization: [redacted]");
}

BOOST_AUTO_TEST_CASE(a_busy_collector_is_asked_three_times_with_growing_pauses)
{
    for (const int code : {0, 429, 502, 503, 504}) {
        BOOST_TEST((judge_export(status(code), 1, 1s).step == export_step::try_again));
        BOOST_TEST((judge_export(status(code), 1, 1s).delay == 1s));
        BOOST_TEST((judge_export(status(code), 2, 1s).delay == 2s));
        BOOST_TEST((judge_export(status(code), 3, 1s).step == export_step::drop));
    }
}

BOOST_AUTO_TEST_CASE(retry_after_is_honoured_within_a_bound)
{
    document_receipt busy = status(503);
    busy.retry_after = 7s;
    BOOST_TEST((judge_export(busy, 1, 1s).delay == 7s));
    busy.retry_after = 100'000s;
    BOOST_TEST((judge_export(busy, 1, 1s).delay == 30s));
    busy.retry_after = 0s;
    BOOST_TEST((judge_export(busy, 2, 1s).delay == 2s));
}

BOOST_AUTO_TEST_CASE(other_answers_end_it_at_once)
{
    for (const int code : {301, 400, 401, 404, 413, 500}) {
        const export_verdict verdict = judge_export(status(code), 1, 1s);
        BOOST_TEST((verdict.step == export_step::drop), code);
        BOOST_TEST(verdict.why == "HTTP status " + std::to_string(code));
    }
}

BOOST_AUTO_TEST_SUITE_END()
