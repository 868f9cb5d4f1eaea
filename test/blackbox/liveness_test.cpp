// Peers that read or write as slowly as they can.

#include "support/answer_sheet.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

using namespace partyline::test;

namespace {

// What is answered in order, late, never but for the cancel, in one array, and with errors.
std::string mixed_requests(std::uint64_t first)
{
    std::string text = echo_request(first);
    text += request(first + 1, "delay", R"({"ms":1})");
    text += endless_request(first + 2);
    text += request(first + 3, "nothing", "[]");
    text += notification("echo", "[]");
    text += cancel_of(first + 2);
    return text;
}

void check_mixed_answers(const answer_sheet& answers)
{
    BOOST_TEST(answers.is_complete());
    BOOST_TEST(answers.results() == answers.total() / 2);
    BOOST_TEST(answers.errors(-32800) == answers.total() / 4);
    BOOST_TEST(answers.errors(-32601) == answers.total() / 4);
}

constexpr std::size_t round_count = is_sanitized ? 100 : 1'000;

std::string mixed_rounds()
{
    std::string text;
    for (std::uint64_t i = 0; i < round_count; ++i)
        text += mixed_requests(4 * i);
    return text;
}

std::string read_bytewise(int fd)
{
    std::string all;
    for (char byte; ::read(fd, &byte, 1) == 1;)
        all += byte;
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(liveness, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_peer_that_writes_one_byte_at_a_time_is_answered)
{
    echo_server s;
    answer_sheet answers(4 * round_count);
    const std::string text = mixed_rounds();
    for (std::size_t i = 0; i < text.size(); ++i)
        exchange(s.input().get(), std::string_view(text).substr(i, 1), s.output(), answers.noting());
    s.close_input();
    s.output().read_lines(answers.noting(), [] { return false; });
    check_mixed_answers(answers);
    BOOST_TEST(s.wait_exit() == 0);
}

BOOST_AUTO_TEST_CASE(a_peer_that_reads_one_byte_at_a_time_loses_nothing)
{
    wire ends = pipe_wire();
    shrink_pipe(ends.server_out.get());
    unique_fd from = std::move(ends.from_server);
    echo_server s({}, std::move(ends));
    s.send_bytes(mixed_rounds());
    s.close_input();
    std::string replies = read_bytewise(from.get());
    answer_sheet answers(4 * round_count);
    for (std::size_t end; (end = replies.find('\n')) != std::string::npos; replies.erase(0, end + 1))
        answers.note(std::string_view(replies).substr(0, end));
    BOOST_TEST(replies == "");
    check_mixed_answers(answers);
    BOOST_TEST(s.wait_exit() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
