#include "served.hpp"

#include <partyline/telemetry/span_writer.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::served;
using telemetry::span_writer;

namespace {

// A collector whose answers are told beforehand, and spans of which it is told.
struct fixture {
    asio::io_context context{1};
    const std::shared_ptr<span_writer> spans = std::make_shared<span_writer>();
    std::vector<document_to_send> sent;
    std::deque<document_receipt> answers; // one that is missing does not come
    receipt_receiver unanswered;
    std::vector<std::string> logged;
    bool is_done = false;
    telemetry::export_options to;

    fixture()
    {
        to.url = "http://127.0.0.1:4318/v1/traces";
        to.fields = {{"Authorization", "planted"}};
        to.interval = std::chrono::hours(1);
        to.retry = 0ms;
        to.log = [this](std::string_view line) { logged.emplace_back(line); };
    }
    void start()
    {
        const auto send = [this](const document_to_send& what, receipt_receiver done) {
            sent.push_back(what);
            if (answers.empty()) {
                unanswered = std::move(done);
                return;
            }
            asio::post(context, [done = std::move(done), got = answers.front()] { done(got); });
            answers.pop_front();
        };
        telemetry::export_spans(context.get_executor(), spans, send, to, [this] { is_done = true; });
        run_until([] { return true; });
    }
    void note(int count)
    {
        const trace_context trace = trace_context::make_root();
        served_event event = served("echo");
        event.trace = &trace;
        for (int i = 0; i != count; ++i)
            spans->note(event);
    }
    void answer(int status)
    {
        document_receipt got;
        got.status = status;
        answers.push_back(got);
    }
    void run_until(const std::function<bool()>& done)
    {
        const auto end = std::chrono::steady_clock::now() + 20s;
        context.poll();
        while (!done() && std::chrono::steady_clock::now() < end)
            context.run_one_for(100ms);
        BOOST_TEST(done());
        context.poll();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(export_spans_suite, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_whole_payload_goes_out_at_once)
{
    start();
    answer(200);
    note(511);
    context.poll();
    BOOST_TEST(sent.empty());
    note(1);
    run_until([&] { return sent.size() == 1; });
    BOOST_TEST(sent[0].url == to.url);
    BOOST_TEST(sent[0].type == "application/json");
    BOOST_TEST(sent[0].fields[0].first == "Authorization");
    BOOST_TEST(sent[0].body->starts_with("{\"resourceSpans\":"));
    BOOST_TEST(spans->dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(a_few_go_out_when_their_time_has_come)
{
    to.interval = 1ms;
    start();
    answer(200);
    note(3);
    run_until([&] { return sent.size() == 1; });
}

BOOST_AUTO_TEST_CASE(a_payload_is_tried_three_times_and_then_dropped)
{
    start();
    for (int i = 0; i != 3; ++i)
        answer(503);
    note(512);
    run_until([&] { return spans->dropped() == 512; });
    BOOST_TEST(sent.size() == 3u);
    BOOST_TEST((sent[0].body == sent[2].body));
    BOOST_TEST(logged == std::vector<std::string>{"512 spans were dropped: HTTP status 503"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_dropped_and_told_once_until_something_is_taken)
{
    start();
    for (const int status : {400, 400, 200, 400})
        answer(status);
    for (int i = 0; i != 4; ++i) {
        note(512);
        run_until([&] { return sent.size() == static_cast<std::size_t>(i) + 1; });
    }
    BOOST_TEST(spans->dropped() == 3u * 512);
    BOOST_TEST(logged.size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_waits_is_bounded_while_a_collector_does_not_answer)
{
    start();
    note(512);
    run_until([&] { return static_cast<bool>(unanswered); });
    note(5000);
    BOOST_TEST(spans->dropped() == 5000u - 2048u);
    BOOST_TEST(sent.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_payload_that_became_whole_meanwhile_does_not_wait)
{
    start();
    answer(200);
    note(515);
    run_until([&] { return static_cast<bool>(unanswered); });
    note(512);
    BOOST_TEST(sent.size() == 2u);
    document_receipt taken;
    taken.status = 200;
    unanswered(taken);
    run_until([&] { return sent.size() == 3; });
}

BOOST_AUTO_TEST_CASE(at_the_end_what_is_there_is_tried_once)
{
    start();
    answer(200);
    note(3);
    spans->close();
    run_until([&] { return is_done; });
    BOOST_TEST(sent.size() == 1u);
    BOOST_TEST(spans->dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(at_the_end_nothing_is_repeated)
{
    start();
    for (int i = 0; i != 4; ++i)
        answer(503);
    note(1500);
    spans->close();
    run_until([&] { return is_done; });
    BOOST_TEST(spans->dropped() == 1500u);
    BOOST_TEST(sent.size() <= 4u);
}

BOOST_AUTO_TEST_CASE(the_end_comes_also_during_a_pause)
{
    to.retry = std::chrono::hours(1);
    start();
    answer(503);
    answer(200);
    note(512);
    run_until([&] { return answers.size() == 1; });
    spans->close();
    run_until([&] { return is_done; });
    BOOST_TEST(sent.size() == 2u);
    BOOST_TEST(spans->dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(an_answer_that_does_not_come_is_not_waited_for_without_end)
{
    to.timeout = 1ms;
    start();
    note(512);
    run_until([&] { return spans->dropped() == 512; });
    BOOST_TEST(sent.size() == 3u);
    BOOST_TEST(logged.size() == 1u);
    document_receipt late;
    late.status = 200;
    unanswered(late);
    answer(200);
    note(512);
    run_until([&] { return sent.size() == 4; });
    BOOST_TEST(spans->dropped() == 512u);
}

BOOST_AUTO_TEST_CASE(a_pause_is_kept_also_when_there_is_more_to_send)
{
    to.retry = std::chrono::hours(1);
    start();
    answer(503);
    note(512);
    run_until([&] { return answers.empty(); });
    note(512);
    context.poll();
    BOOST_TEST(sent.size() == 1u);
    BOOST_TEST(spans->dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(without_spans_the_end_sends_nothing)
{
    start();
    spans->close();
    run_until([&] { return is_done; });
    BOOST_TEST(sent.empty());
}

BOOST_AUTO_TEST_SUITE_END()
