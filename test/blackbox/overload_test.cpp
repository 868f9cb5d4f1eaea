// Peers that send far more than the limits allow, and are slow to read or do not read at all.

#include "support/answer_sheet.hpp"
#include "support/check_peak.hpp"
#include "support/mebibyte.hpp"
#include "support/readiness.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <functional>

#include <fcntl.h>

namespace json = boost::json;
using namespace partyline::test;

namespace {

// For the program itself and all that these limits allow.
constexpr std::size_t ceiling = 16 * mebibyte;

constexpr std::size_t in_flight = 64;
constexpr std::size_t waiting = 1'000;

std::vector<std::string> tight_limits()
{
    return {"--max-in-flight",
            std::to_string(in_flight),
            "--max-waiting",
            std::to_string(waiting),
            "--outbox-hard-bytes",
            "1000000",
            "--stats"};
}

// Writes until the server takes no more: it has not read for a while. Returns how much it took.
std::size_t write_until_paused(echo_server& s, std::string_view text)
{
    const std::chrono::milliseconds a_while(is_sanitized ? 1000 : 300);
    std::size_t done = 0;
    do
        done += write_what_fits(s.input().get(), text.substr(done));
    while (done < text.size() && is_ready(s.input().get(), POLLOUT, a_while));
    return done;
}

void read_until_complete(echo_server& s, answer_sheet& answers)
{
    s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
    BOOST_TEST(answers.is_complete());
}

std::string one_of_two(std::uint64_t id)
{
    return id % 2 == 0 ? echo_request(id) : endless_request(id);
}

// Half of its results are there at once and wait for the other half.
std::string unfinished_batch(std::uint64_t number)
{
    std::string text = "[" + endless_request(2 * number);
    text.back() = ',';
    text += request(2 * number + 1, "echo", "[\"" + std::string(10'000, 'x') + "\"]");
    text.back() = ']';
    return text + "\n";
}

void note_all(answer_sheet& answers, std::string_view batch)
{
    const json::value replies = json::parse(batch);
    for (const json::value& reply : replies.as_array())
        answers.note(json::serialize(reply));
}

std::string short_delay(std::uint64_t id)
{
    return request(id, "delay", R"({"ms":1})");
}

} // namespace

BOOST_AUTO_TEST_SUITE(overload, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(handlers_that_only_the_peer_can_release_are_released_however_much_it_floods)
{
    const std::size_t count = is_sanitized ? 10'000 : 100'000;
    echo_server s(tight_limits());
    answer_sheet answers(in_flight + count);
    exchange(s.input().get(), numbered(0, in_flight, endless_request), s.output(), answers.noting());
    exchange(s.input().get(), numbered(in_flight, count, one_of_two), s.output(), answers.noting());
    exchange(s.input().get(), numbered(0, in_flight + count, cancel_of), s.output(), answers.noting());
    read_until_complete(s, answers);
    BOOST_TEST(answers.errors(-31001) == count - waiting);
    BOOST_TEST(answers.errors(-32800) + answers.results() == in_flight + waiting);
    s.expect_silence();
    check_peak(s.child().peak_resident_bytes(), ceiling);
    s.close_input();
    s.expect_end(0);
}

// rule: security.messages.one_answer
BOOST_AUTO_TEST_CASE(a_peer_that_floods_and_reads_only_then_finds_every_answer_once)
{
    const unsigned scale = is_sanitized ? 1 : 5;
    for (const auto& [make, count] : {std::pair(&echo_request, scale * 40'000), {&short_delay, scale * 20'000}}) {
        echo_server s(tight_limits());
        const std::string text = numbered(0, count, make);
        const std::size_t unread = write_until_paused(s, text);
        BOOST_TEST(unread < text.size());
        BOOST_TEST_MESSAGE("paused after " << unread << " of " << text.size() << " bytes");
        answer_sheet answers(count);
        exchange(s.input().get(), std::string_view(text).substr(unread), s.output(), answers.noting());
        read_until_complete(s, answers);
        s.expect_silence();
        check_peak(s.child().peak_resident_bytes(), ceiling);
        s.close_input();
        s.expect_end(0);
        BOOST_TEST(answers.errors(-31001) == s.stats()["busy"]);
        BOOST_TEST(answers.results() + answers.errors(-31001) == count);
    }
}

// What the session itself has to say to each of these (cancelled, busy, not found, no request) fills the reserved room.
// rule: security.memory.session
BOOST_AUTO_TEST_CASE(what_the_reader_itself_must_answer_is_bounded_too)
{
    const std::size_t count = is_sanitized ? 20'000 : 100'000;
    const auto cancelled_at_once = [](std::uint64_t id) { return endless_request(id) + cancel_of(id); };
    const auto not_found = [](std::uint64_t id) { return request(id, "nothing", "[]"); };
    const auto bad = [](std::uint64_t id) { return R"({"id":)" + std::to_string(id) + "}\n"; };
    for (const std::function<std::string(std::uint64_t)>& make :
         {std::function<std::string(std::uint64_t)>(cancelled_at_once), {not_found}, {bad}}) {
        echo_server s(tight_limits());
        const std::string text = numbered(0, count, make);
        const std::size_t unread = write_until_paused(s, text);
        BOOST_TEST(unread < text.size());
        answer_sheet answers(count);
        exchange(s.input().get(), std::string_view(text).substr(unread), s.output(), answers.noting());
        read_until_complete(s, answers);
        BOOST_TEST(answers.results() == 0u);
        s.expect_silence();
        check_peak(s.child().peak_resident_bytes(), ceiling);
        s.close_input();
        s.expect_end(0);
        BOOST_TEST(s.stats()["peak_outbox_bytes"] <= 1'020'000u); // and what is in flight, whose answers are kept
    }
}

// rule: security.memory.session
BOOST_AUTO_TEST_CASE(results_that_wait_in_unfinished_batches_are_bounded)
{
    const std::size_t batches = 1'000;
    echo_server s({"--outbox-hard-bytes", "100000", "--stats"});
    answer_sheet answers(2 * batches);
    const line_handler on_line = [&](std::string_view line) { note_all(answers, line); };
    exchange(s.input().get(), numbered(0, batches, unfinished_batch), s.output(), on_line);
    const auto cancel = [](std::uint64_t number) { return cancel_of(2 * number); };
    exchange(s.input().get(), numbered(0, batches, cancel), s.output(), on_line);
    s.output().read_lines(on_line, [&] { return answers.total() == 2 * batches; });
    const std::size_t refused = answers.errors(-31001) / 2; // each of both elements
    // As long as there is room for it, a short error stands in for a result that no longer fits.
    BOOST_TEST(refused > batches / 2);
    BOOST_TEST(answers.results() == 9u);
    BOOST_TEST(answers.errors(-32603) == batches - refused - 9);
    BOOST_TEST(answers.errors(-32800) == batches - refused);
    check_peak(s.child().peak_resident_bytes(), ceiling);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(s.stats()["busy"] == refused);
    BOOST_TEST(s.stats()["peak_outbox_bytes"] <= 120'000u);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_requests_are_in_flight_at_once)
{
    const std::size_t count = is_sanitized ? 10'000 : 100'000;
    echo_server s({"--max-in-flight", "200000", "--stats"});
    s.expect_silence();
    const std::size_t before = s.child().resident_bytes();
    answer_sheet answers(count);
    exchange(s.input().get(), numbered(0, count, endless_request), s.output(), answers.noting());
    s.expect_silence();
    const std::size_t each = (s.child().resident_bytes() - before) / count;
    BOOST_TEST_MESSAGE(count << " in flight take " << each << " bytes each");
    if (!is_sanitized)
        BOOST_TEST(each <= 3'000u);
    exchange(s.input().get(), numbered(0, count, cancel_of), s.output(), answers.noting());
    read_until_complete(s, answers);
    BOOST_TEST(answers.errors(-32800) == count);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(s.stats()["peak_in_flight"] == count);
}

BOOST_AUTO_TEST_CASE(on_overload_pause_nothing_is_refused)
{
    const std::size_t count = is_sanitized ? 1'000 : 5'000;
    for (const char* choice : {"pause", "busy", "auto"}) {
        BOOST_TEST_CONTEXT(choice)
        {
            echo_server s({"--max-in-flight", "10", "--max-waiting", "10", "--on-overload", choice});
            answer_sheet answers(count);
            exchange(s.input().get(), numbered(0, count, short_delay), s.output(), answers.noting());
            s.close_input();
            read_until_complete(s, answers);
            BOOST_TEST(s.wait_exit() == 0);
            BOOST_TEST((answers.errors(-31001) == 0) == (choice == std::string("pause")));
            BOOST_TEST(answers.errors(-31001) + answers.results() == count);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_file_of_requests_is_answered_whole_whatever_the_limits)
{
    const std::size_t count = is_sanitized ? 10'000 : 200'000;
    scratch_directory scratch;
    write_file(scratch / "requests", numbered(0, count, short_delay));
    wire ends;
    ends.server_in = open_file(scratch / "requests", O_RDONLY);
    ends.server_out = open_file(scratch / "replies", O_WRONLY | O_CREAT);
    echo_server s({"--max-in-flight", "200", "--max-waiting", "10"}, std::move(ends));
    std::size_t peak = 0;
    while (!s.child().exits_within(std::chrono::milliseconds(20)))
        peak = std::max(peak, s.child().resident_bytes());
    BOOST_TEST(s.wait_exit() == 0);
    answer_sheet answers(count);
    line_reader replies(open_file(scratch / "replies", O_RDONLY));
    replies.read_lines(answers.noting(), [] { return false; });
    BOOST_TEST(answers.results() == count);
    check_peak(peak, ceiling);
}

BOOST_AUTO_TEST_SUITE_END()
