#include "busy_pair.hpp"
#include "support/sanitized.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/mp11/list.hpp>
#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::memory_stream;
using partyline::session_options;

namespace {

// Whether some are told busy.
enum class refusals { none, some, any };

template <class Stream>
void expect_no_deadlock(const session_options& options, const assignment& asked, refusals expected)
{
    constexpr int count = is_sanitized ? 30 : 100;
    busy_pair<Stream> pair(options, asked);
    pair.call(count, count);
    BOOST_TEST_MESSAGE(pair.summary());
    // An outbox that holds two long messages has no room to keep all that have ended.
    const bool is_ample = options.bounds.outbox_hard_bytes >= partyline::limits().outbox_hard_bytes;
    const int without_room = is_ample ? 0 : pair.times("Internal error");
    BOOST_TEST(pair.times("result") + pair.times("busy") + without_room == 2 * count, pair.summary());
    if (expected != refusals::any)
        BOOST_TEST((pair.times("busy") != 0) == (expected == refusals::some), pair.summary());
    pair.check_idle();

    // All that was taken has been given back.
    const int before = pair.times("result");
    pair.call(1, 0);
    BOOST_TEST(pair.times("result") == before + 1, pair.summary());
}

session_options four_in_flight()
{
    session_options options;
    options.bounds.in_flight_requests = 4;
    return options;
}

session_options few_waiting()
{
    session_options options = four_in_flight();
    options.bounds.waiting_requests = 8;
    return options;
}

session_options few_may_wait_for_the_peer()
{
    session_options options = four_in_flight();
    options.bounds.peer_waits = 2;
    return options;
}

// Two long messages fill it.
session_options small_outbox(session_options options)
{
    options.bounds.outbox_soft_bytes = std::size_t(16) << 10;
    options.bounds.outbox_hard_bytes = std::size_t(128) << 10;
    return options;
}

constexpr std::size_t length = std::size_t(64) << 10;
const assignment small{.turns = 5, .text = "x"};
const assignment long_both_ways{.turns = 100, .text = std::string(length, 'x')};
const assignment plain_long_answers{.depth = 0, .text = "x", .extra = length};
const assignment long_answers{.turns = 20, .text = "x", .extra = length};

using streams = boost::mp11::mp_list<memory_stream, asio::local::stream_protocol::socket>;

} // namespace

BOOST_AUTO_TEST_SUITE(deadlock, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE_TEMPLATE(two_at_their_caps_that_call_each_other_back_go_on, Stream, streams)
{
    expect_no_deadlock<Stream>(four_in_flight(), small, refusals::none);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_little_room_to_wait_some_are_told_busy, Stream, streams)
{
    expect_no_deadlock<Stream>(few_waiting(), small, refusals::some);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_few_that_may_wait_for_the_peer_some_are_told_busy, Stream, streams)
{
    expect_no_deadlock<Stream>(few_may_wait_for_the_peer(), small, refusals::some);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(long_messages_and_little_room_for_them_change_nothing, Stream, streams)
{
    expect_no_deadlock<Stream>(small_outbox(four_in_flight()), long_both_ways, refusals::none);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nor_do_they_with_little_room_to_wait, Stream, streams)
{
    expect_no_deadlock<Stream>(small_outbox(few_waiting()), long_both_ways, refusals::some);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nor_do_long_answers, Stream, streams)
{
    expect_no_deadlock<Stream>(small_outbox(four_in_flight()), long_answers, refusals::none);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nor_do_long_answers_with_little_room_to_wait, Stream, streams)
{
    expect_no_deadlock<Stream>(small_outbox(few_waiting()), long_answers, refusals::some);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nor_do_long_answers_with_few_that_may_wait_for_the_peer, Stream, streams)
{
    expect_no_deadlock<Stream>(small_outbox(few_may_wait_for_the_peer()), long_answers, refusals::some);
}

// Both have said as much as they may and hold as much as may wait, and neither has heard what the other has said.
BOOST_AUTO_TEST_CASE_TEMPLATE(two_with_full_outboxes_go_on_reading, Stream, streams)
{
    session_options options = few_waiting();
    options.bounds.outbox_hard_bytes = std::size_t(1) << 20;
    expect_no_deadlock<Stream>(options, plain_long_answers, refusals::any);
}

// The last answer that fits takes more than there is room for.
BOOST_AUTO_TEST_CASE_TEMPLATE(so_do_two_with_more_than_full_outboxes, Stream, streams)
{
    expect_no_deadlock<Stream>(small_outbox(session_options()), plain_long_answers, refusals::any);
}

BOOST_AUTO_TEST_SUITE_END()
