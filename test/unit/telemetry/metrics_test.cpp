#include "served.hpp"
#include "support/dialogue.hpp"

#include <partyline/telemetry/metrics.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace partyline;
using namespace std::chrono_literals;
using partyline::test::served;
using telemetry::metrics;
using telemetry::read_number;

namespace {

// The value of a series, as it is written; empty where there is none.
std::string value_of(metrics& of, const std::string& series)
{
    std::istringstream lines(of.text());
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(series + ' '))
            return line.substr(series.size() + 1);
    }
    return {};
}

std::set<std::string> methods_in(const std::string& text)
{
    std::set<std::string> all;
    const std::string label = "method=\"";
    for (std::size_t at = text.find(label); at != text.npos; at = text.find(label, at + 1)) {
        const std::size_t begin = at + label.size();
        all.insert(text.substr(begin, text.find('"', begin) - begin));
    }
    return all;
}

// One grant for all that show "good".
struct one_token final : access_control {
    authentication authenticate(const peer_identity&, std::optional<std::string_view> shown,
                                std::chrono::system_clock::time_point) noexcept override
    {
        if (!shown)
            return {authentication_outcome::missing, {}};
        if (*shown != "good")
            return {authentication_outcome::invalid, {}};
        return {authentication_outcome::admitted, grant};
    }
    authentication renew(const std::shared_ptr<const access_grant>& known,
                         std::chrono::system_clock::time_point) noexcept override
    {
        return {authentication_outcome::admitted, known};
    }
    const std::shared_ptr<const access_grant> grant = std::make_shared<access_grant>();
};

} // namespace

BOOST_AUTO_TEST_SUITE(metrics_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(requests_are_counted_by_method_and_outcome)
{
    metrics all({"echo", "tools/call"});
    all.note(served("echo"));
    all.note(served("echo"));
    served_event failed = served("tools/call");
    failed.is_tool_error = true;
    all.note(failed);
    served_event error = served("echo");
    error.outcome = answer_outcome::error;
    error.error_code = 7;
    all.note(error);
    served_event note = served("echo");
    note.outcome = answer_outcome::none;
    note.id = {};
    all.note(note);
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="echo",outcome="result"})") == "2");
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="echo",outcome="error"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="echo",outcome="notification"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="tools/call",outcome="tool_error"})") == "1");
}

BOOST_AUTO_TEST_CASE(each_end_of_a_request_has_an_outcome_of_its_own)
{
    using enum request_disposition;
    metrics all({"echo"});
    for (const auto& [how, label] : {std::pair(refused, "refused"), std::pair(dropped, "dropped"),
                                     std::pair(cancelled, "cancelled"), std::pair(lost, "lost")}) {
        served_event event = served("echo");
        event.disposition = how;
        all.note(event);
        BOOST_TEST(value_of(all, R"(partyline_requests_total{method="echo",outcome=")" + std::string(label) + "\"}") ==
                       "1",
                   label);
    }
}

BOOST_AUTO_TEST_CASE(durations_are_counted_in_twelve_buckets_from_half_a_millisecond_to_ten_seconds)
{
    metrics all({"echo"});
    for (const auto took : {std::chrono::microseconds(400), std::chrono::microseconds(3000)})
        all.note(served("echo", took));
    all.note(served("echo", 11s));
    const std::string text = all.text();
    const std::string bucket = R"(partyline_request_duration_seconds_bucket{method="echo",le=)";
    std::size_t count = 0;
    for (std::size_t at = text.find(bucket); at != text.npos; at = text.find(bucket, at + 1))
        ++count;
    BOOST_TEST(count == 13u); // and +Inf
    BOOST_TEST(value_of(all, bucket + "\"0.0005\"}") == "1");
    BOOST_TEST(value_of(all, bucket + "\"0.005\"}") == "2");
    BOOST_TEST(value_of(all, bucket + "\"10\"}") == "2");
    BOOST_TEST(value_of(all, bucket + "\"+Inf\"}") == "3");
    BOOST_TEST(value_of(all, R"(partyline_request_duration_seconds_count{method="echo"})") == "3");
}

BOOST_AUTO_TEST_CASE(notifications_have_no_duration)
{
    metrics all({"echo"});
    served_event note = served("echo");
    note.outcome = answer_outcome::none;
    all.note(note);
    BOOST_TEST(all.text().find("partyline_request_duration_seconds_bucket") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_million_names_of_peers_are_one_series)
{
    metrics all({"echo"});
    all.note(served("echo"));
    for (int i = 0; i != 1'000'000; ++i) {
        const std::string name = "method_" + std::to_string(i);
        all.note(served(name));
    }
    BOOST_TEST(methods_in(all.text()) == (std::set<std::string>{"echo", "other"}));
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="other",outcome="result"})") == "1000000");
}

BOOST_AUTO_TEST_CASE(more_names_than_two_hundred_share_one_series)
{
    std::vector<std::string> names;
    for (int i = 0; i != 300; ++i)
        names.push_back("method_" + std::to_string(i));
    metrics all(names);
    for (const std::string& name : names)
        all.note(served(name));
    BOOST_TEST(methods_in(all.text()).size() == 201u);
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="other",outcome="result"})") == "100");
}

BOOST_AUTO_TEST_CASE(what_sessions_hold_and_pass_on_is_told)
{
    partyline::test::dialogue d;
    metrics all({"wait"});
    partyline::test::gate held(d.context);
    d.methods.add("wait", [&](request_context&) -> boost::asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    d.options.totals = all.totals();
    d.send(R"({"jsonrpc":"2.0","id":1,"method":"wait"})");
    d.expect_silence();
    BOOST_TEST(value_of(all, "partyline_requests_in_flight") == "1");
    BOOST_TEST(value_of(all, "partyline_sessions") == "1");
    BOOST_TEST(value_of(all, R"(partyline_messages_total{direction="in"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_messages_total{direction="out"})") == "0");
    d.send(R"({"jsonrpc":"2.0","method":"unknown"})");
    held.open();
    d.expect(R"({"jsonrpc":"2.0","id":1,"result":1})");
    BOOST_TEST(value_of(all, "partyline_requests_in_flight") == "0");
    BOOST_TEST(value_of(all, R"(partyline_messages_total{direction="out"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_dropped_total{why="notification"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_bytes_total{direction="out"})") == "36");
}

BOOST_AUTO_TEST_CASE(numbers_of_others_are_read_when_they_are_asked_for)
{
    metrics all({});
    std::uint64_t spans = 3;
    all.read(read_number::spans_dropped, [&] { return spans; });
    all.read(read_number::connections, [] { return std::uint64_t(5); });
    BOOST_TEST(value_of(all, "partyline_spans_dropped_total") == "3");
    spans = 10;
    BOOST_TEST(value_of(all, "partyline_spans_dropped_total") == "10");
    BOOST_TEST(value_of(all, "partyline_connections") == "5");
}

BOOST_AUTO_TEST_CASE(numbers_of_others_have_the_names_that_these_give_them)
{
    metrics all({});
    all.set_reader([] {
        return std::vector<telemetry::named_number>{{"partyline_x", "What x is", 7},
                                                    {"partyline_y_total", "Y by why", 1, "why", "one"},
                                                    {"partyline_y_total", "Y by why", 2, "why", "t\"wo"}};
    });
    BOOST_TEST(value_of(all, "partyline_x") == "7");
    BOOST_TEST(value_of(all, "partyline_y_total{why=\"one\"}") == "1");
    BOOST_TEST(value_of(all, "partyline_y_total{why=\"t\\\"wo\"}") == "2");
    BOOST_TEST(value_of(all, "# TYPE partyline_x") == "gauge");
    BOOST_TEST(value_of(all, "# TYPE partyline_y_total") == "counter");
    all.set_reader({});
    BOOST_TEST(value_of(all, "partyline_x") == "");
}

BOOST_AUTO_TEST_CASE(attempts_to_authenticate_are_counted_and_renewals_are_not)
{
    metrics all({});
    const auto real = std::make_shared<one_token>();
    const std::shared_ptr<access_control> counted = all.counted(real);
    const auto now = std::chrono::system_clock::now();
    BOOST_TEST((counted->authenticate({}, "good", now).grant == real->grant));
    BOOST_TEST((counted->authenticate({}, "bad", now).outcome == authentication_outcome::invalid));
    BOOST_TEST((counted->authenticate({}, {}, now).outcome == authentication_outcome::missing));
    BOOST_TEST((counted->renew(real->grant, now).grant == real->grant));
    BOOST_TEST(value_of(all, R"(partyline_auth_total{outcome="admitted"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_auth_total{outcome="invalid"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_auth_total{outcome="missing"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_auth_total{outcome="throttled"})") == "0");
}

BOOST_AUTO_TEST_CASE(refusals_of_access_are_counted_by_their_reason)
{
    metrics all({"echo"});
    for (const int code : {-31003, -31002, -31002, -31005, -32601}) {
        served_event event = served("echo");
        event.disposition = request_disposition::refused;
        event.outcome = answer_outcome::error;
        event.error_code = code;
        all.note(event);
    }
    BOOST_TEST(value_of(all, R"(partyline_access_refused_total{why="scope"})") == "1");
    BOOST_TEST(value_of(all, R"(partyline_access_refused_total{why="rate"})") == "2");
    BOOST_TEST(value_of(all, R"(partyline_access_refused_total{why="authentication"})") == "1");
}

BOOST_AUTO_TEST_CASE(no_text_of_a_peer_is_in_the_metrics)
{
    metrics all({"echo"});
    peer_identity peer;
    peer.principal = "planted-principal";
    served_event event{.method = "planted-method", .peer = peer};
    event.key = "planted-key";
    event.id = "\"planted-id\"";
    all.note(event);
    BOOST_TEST(all.text().find("planted") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(threads_count_and_read_at_once)
{
    metrics all({"echo"});
    std::vector<std::jthread> threads;
    for (int i = 0; i != 4; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n != 1000; ++n)
                all.note(served("echo"));
        });
    for (int i = 0; i != 10; ++i)
        all.text();
    threads.clear();
    BOOST_TEST(value_of(all, R"(partyline_requests_total{method="echo",outcome="result"})") == "4000");
}

BOOST_AUTO_TEST_SUITE_END()
