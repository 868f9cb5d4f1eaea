// What a server has to say to a peer that does not read.

#include "support/answer_sheet.hpp"
#include "support/check_peak.hpp"
#include "support/mebibyte.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace json = boost::json;
using namespace partyline::test;

namespace {

std::string parts(std::uint64_t id, std::size_t count, std::size_t bytes)
{
    return request(id, "parts", R"({"count":)" + std::to_string(count) + R"(,"bytes":)" + std::to_string(bytes) + "}");
}

// Reads the parts of one request, from the first on and none left out, until its reply, which it returns.
json::object read_parts(server_process& s, std::size_t bytes, std::size_t& count)
{
    for (;;) {
        json::object message = s.read_message();
        if (!message.contains("method"))
            return message;
        BOOST_TEST(message.at("method").as_string() == "part");
        const json::object& part = message.at("params").as_object();
        BOOST_TEST(part.at("index").to_number<std::size_t>() == count++);
        BOOST_TEST(part.at("text").as_string().size() == bytes);
    }
}

// Long enough for many to have started before the first one ends.
std::string kilobyte_after_a_while(std::uint64_t id)
{
    return request(id, "delay", R"({"ms":200,"value":")" + std::string(1'000, 'x') + "\"}");
}

// Reads progress, always newer, up to `last`, and then the reply. Returns how many lines of progress came.
std::size_t read_progress(server_process& s, std::size_t last)
{
    std::size_t lines = 0;
    std::size_t value = 0;
    json::object message;
    for (message = s.read_message(); message.contains("method"); message = s.read_message()) {
        const std::size_t next = message.at("params").at("value").to_number<std::size_t>();
        BOOST_TEST(next > value);
        value = next;
        ++lines;
    }
    BOOST_TEST(value == last);
    BOOST_TEST(message.at("result").at("counted").to_number<std::size_t>() == last);
    return lines;
}

} // namespace

BOOST_AUTO_TEST_SUITE(outbox, *boost::unit_test::timeout(100))

// rule: security.memory.session
BOOST_AUTO_TEST_CASE(a_handler_that_says_much_takes_no_memory_while_the_peer_is_away)
{
    const std::size_t count = is_sanitized ? 100 : 1'000;
    const std::size_t bytes = 65'536;
    witnessed_server s({"--outbox-soft-bytes", "100000"});
    s.send_bytes(parts(0, count, bytes));
    s.settle();
    s.send_bytes(echo_request(1)); // its reply stands behind all that has been said so far
    s.settle();
    std::size_t received = 0;
    BOOST_TEST(read_parts(s, bytes, received).at("id").as_int64() == 1);
    BOOST_TEST(received <= 3u);
    BOOST_TEST(read_parts(s, bytes, received).at("id").as_int64() == 0);
    BOOST_TEST(received == count);
    check_peak(s.child().peak_resident_bytes(), 10 * mebibyte);
}

BOOST_AUTO_TEST_CASE(progress_gives_way_to_newer_progress)
{
    const std::size_t last = is_sanitized ? 100'000 : 1'000'000;
    const std::size_t soft = 50'000;
    echo_server s({"--outbox-soft-bytes", std::to_string(soft), "--stats"});
    s.send_bytes(request(7, "count", R"({"to":)" + std::to_string(last) + "}"));
    const std::size_t lines = read_progress(s, last);
    BOOST_TEST(lines < 2'000u);
    BOOST_TEST(lines > 100u);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(lines + s.stats()["coalesced_progress"] == last);
    BOOST_TEST(s.stats()["peak_outbox_bytes"] <= soft + 400);
}

// rule: mcp.progress.rate
BOOST_AUTO_TEST_CASE(progress_over_time_gives_way_while_the_peer_is_away)
{
    witnessed_server s({"--outbox-soft-bytes", "1000"});
    s.send_bytes(parts(1, 1, 1'000'000)); // fills the pipe, and the outbox
    s.settle();
    s.send_bytes(request(7, "count", R"({"to":100,"ms":1})"));
    BOOST_TEST(!s.child().exits_within(std::chrono::milliseconds(200))); // the peer is away
    std::size_t received = 0;
    BOOST_TEST(read_parts(s, 1'000'000, received).at("id").as_int64() == 1);
    BOOST_TEST(read_progress(s, 100) < 100u);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(results_for_which_there_is_no_room_at_all_become_errors)
{
    echo_server s({"--outbox-hard-bytes", "100000", "--stats"});
    s.send_bytes(numbered(0, 300, kilobyte_after_a_while));
    s.output().wait_readable();
    answer_sheet answers(300);
    s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
    BOOST_TEST(answers.results() >= 100u);
    BOOST_TEST(answers.results() + answers.errors(-32603) == 300u);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(s.stats()["peak_outbox_bytes"] <= 2 * 100'000u + 10'000); // short ones always have room
}

// Those that have ended and keep their results, and those that wait for a slot meanwhile.
BOOST_AUTO_TEST_CASE(nothing_is_lost_when_the_peer_comes_back_later_than_the_drain_time)
{
    const std::chrono::milliseconds drain(is_sanitized ? 2'000 : 1'000);
    for (const char* in_flight : {"1000", "100"}) {
        echo_server s({"--outbox-hard-bytes", "200000", "--max-in-flight", in_flight, "--drain-ms",
                       std::to_string(drain.count()), "--stats"});
        s.send_bytes(numbered(0, 300, kilobyte_after_a_while));
        s.close_input();
        BOOST_TEST(!s.child().exits_within(drain * 3 / 2));
        answer_sheet answers(300);
        s.output().read_lines(answers.noting(), [] { return false; });
        BOOST_TEST(answers.results() == 300u);
        BOOST_TEST(s.wait_exit() == 0);
        BOOST_TEST(s.stats()["peak_outbox_bytes"] <= 400'000u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
