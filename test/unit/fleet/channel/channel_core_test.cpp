#include "unit/fleet/channel/simulated_channel.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace partyline::fleet;
using message_kind = channel_message::kind;
using namespace std::chrono_literals;
using partyline::test::simulated_channel;

namespace {

constexpr std::size_t front_side = 0;
constexpr std::size_t worker_side = 1;

using arrivals = std::vector<simulated_channel::duration>;

/// Nothing arrives.
const auto nothing = [](std::size_t, const channel_message&) { return arrivals(); };

channel_message spoken(message_kind is, std::uint64_t number = 0, std::string bytes = {})
{
    channel_message one;
    one.id = {"F1", 7};
    one.run = "W1.3";
    one.is = is;
    one.number = number;
    one.bytes = std::move(bytes);
    return one;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_channel_core_suite, simulated_channel, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(bytes_go_both_ways_and_what_is_said_back_confirms_them)
{
    write(front_side, "question");
    pass(10ms);
    BOOST_TEST(read(worker_side) == "question");
    write(worker_side, "answer");
    pass(10ms);
    BOOST_TEST(read(front_side) == "answer");
    pass(400ms);
    BOOST_TEST(said[front_side] == 2u);  // the question, and that the answer has come
    BOOST_TEST(said[worker_side] == 1u); // the answer alone
    BOOST_TEST(front().is_confirmed());
    BOOST_TEST(worker().is_confirmed());
    BOOST_TEST(front().unread_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_comes_back_late_leaves_time_for_an_answer)
{
    decide = nothing;
    write(front_side, "question");
    pass(9'400ms);
    decide = [](std::size_t, const channel_message&) { return arrivals{200ms}; };
    front().on_connected(now);
    pass(1s);
    BOOST_TEST(!front().is_broken());
    BOOST_TEST(front().is_confirmed());
}

BOOST_AUTO_TEST_CASE(pieces_are_as_long_as_the_server_takes)
{
    BOOST_TEST(channel_limits_for(0).piece_bytes == max_piece_bytes);
    BOOST_TEST(channel_limits_for(1 << 20).piece_bytes == max_piece_bytes);
    BOOST_TEST(channel_limits_for(4096).piece_bytes == 3072u);
    BOOST_TEST(channel_limits_for(10).piece_bytes == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_long_is_cut_into_pieces)
{
    const std::string all(max_piece_bytes * 2 + 1, 'x');
    write(front_side, all);
    pass(1ms);
    BOOST_TEST(said[front_side] == 3u);
    BOOST_TEST((read(worker_side) == all));
}

BOOST_AUTO_TEST_CASE(no_more_is_written_than_the_other_side_has_room_for)
{
    const std::string much(max_piece_bytes * 40, 'x');
    BOOST_TEST(front().write(much, now) == max_piece_bytes * 32);
    BOOST_TEST(!front().has_room());
    pass(5min); // it has come, and is not sent again and again: it is a slow reader, and no dead one
    BOOST_TEST(!front().is_broken());
    BOOST_TEST(!front().has_room());
    BOOST_TEST(front().is_confirmed());
    BOOST_TEST(front().unread_bytes() == max_piece_bytes * 32);
    BOOST_TEST(said[front_side] < 32u + 5 * 60 + 10);
    BOOST_TEST(read(worker_side, max_piece_bytes).size() == max_piece_bytes);
    pass(100ms);
    BOOST_TEST(front().has_room());
    BOOST_TEST(front().write(much, now) == max_piece_bytes);
}

BOOST_AUTO_TEST_CASE(room_that_was_told_in_vain_is_asked_for)
{
    front().write(std::string(max_piece_bytes * 32, 'x'), now);
    pass(100ms);
    decide = [](std::size_t from, const channel_message&) { return from == worker_side ? arrivals() : arrivals{0ms}; };
    read(worker_side);
    pass(100ms);
    decide = {};
    BOOST_TEST(!front().has_room());
    pass(2s);
    BOOST_TEST(front().has_room());
}

BOOST_AUTO_TEST_CASE(each_message_may_be_lost_once)
{
    const std::string all = std::string(max_piece_bytes * 5, 'q') + "end";
    for (std::size_t lost = 0; lost < 40; ++lost) {
        simulated_channel one;
        std::size_t number = 0;
        one.decide = [&](std::size_t, const channel_message&) { return number++ == lost ? arrivals() : arrivals{1ms}; };
        std::string got;
        std::string back;
        const auto on_step = [&] {
            got += one.read(worker_side);
            back += one.read(front_side);
        };
        one.write(front_side, all);
        one.write(worker_side, all);
        one.front().finish(one.now);
        one.pass(3s, on_step);
        one.worker().finish(one.now);
        one.pass(5s, on_step);
        BOOST_TEST_CONTEXT("lost " << lost)
        {
            BOOST_TEST((got == all));
            BOOST_TEST((back == all));
            BOOST_TEST(one.front().is_settled());
            BOOST_TEST(one.worker().is_settled());
            BOOST_TEST(!one.front().is_broken());
            BOOST_TEST(!one.worker().is_broken());
        }
    }
}

BOOST_AUTO_TEST_CASE(after_a_loss_one_piece_goes_ahead)
{
    decide = nothing;
    front().write(std::string(max_piece_bytes * 10, 'x'), now);
    pass(400ms);
    BOOST_TEST(said[front_side] == 10u);
    pass(200ms);
    BOOST_TEST(said[front_side] == 11u);
    front().write("more", now);
    decide = {};
    pass(1s); // the first once more, and then the rest
    BOOST_TEST(said[front_side] == 11u + 1 + 10);
    BOOST_TEST(read(worker_side).size() == max_piece_bytes * 10 + 4);
}

BOOST_AUTO_TEST_CASE(what_comes_twice_is_confirmed_again_and_dropped)
{
    for (int i = 0; i < 3; ++i)
        worker().on_message(spoken(message_kind::piece, 1, "a"), now);
    BOOST_TEST(read(worker_side) == "a");
    worker().on_time(now);
    BOOST_TEST(worker().take_effects().size() == 1u);
    worker().on_message(spoken(message_kind::piece, 1, "b"), now);
    BOOST_TEST(read(worker_side) == "");
    worker().on_time(now);
    BOOST_TEST(worker().take_effects().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_comes_before_its_time_is_dropped)
{
    worker().on_message(spoken(message_kind::piece, 2, "b"), now);
    worker().on_message(spoken(message_kind::end, 3), now);
    BOOST_TEST(read(worker_side) == "");
    BOOST_TEST(!worker().has_ended());
    worker().on_message(spoken(message_kind::piece, 1, "a"), now);
    worker().on_message(spoken(message_kind::piece, 2, "b"), now);
    BOOST_TEST(read(worker_side) == "ab");
    BOOST_TEST(worker().dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(nothing_heard_for_ten_seconds_is_death)
{
    pass(25s);
    BOOST_TEST(!front().is_broken()); // each has asked, and heard
    decide = nothing;
    write(front_side, "x");
    pass(9s);
    BOOST_TEST(!front().is_broken());
    pass(1s);
    BOOST_TEST(front().is_broken());
    BOOST_TEST(front().is_settled());
    BOOST_TEST(!front().has_room() == false);
    BOOST_TEST(front().write("y", now) == 0u);
    pass(20s); // the other one had nothing to say, and has asked
    BOOST_TEST(worker().is_broken());
}

BOOST_AUTO_TEST_CASE(an_idle_side_asks_and_is_answered)
{
    pass(60s);
    BOOST_TEST(said[front_side] + said[worker_side] >= 8u);
    BOOST_TEST(said[front_side] + said[worker_side] <= 24u);
    BOOST_TEST(!front().is_broken());
    BOOST_TEST(!worker().is_broken());
}

BOOST_AUTO_TEST_CASE(eight_seconds_without_the_bus_are_survived)
{
    for (const auto begin : {0ms, 3'000ms, 9'000ms}) {
        simulated_channel one;
        one.write(front_side, "before ");
        one.pass(begin);
        one.decide = nothing;
        one.write(front_side, "within ");
        one.write(worker_side, "back");
        one.pass(8s);
        one.decide = {};
        one.front().on_connected(one.now);
        one.pass(100ms); // at once
        BOOST_TEST(one.read(worker_side) == "before within ");
        one.pass(3s);
        BOOST_TEST(one.read(front_side) == "back");
    }
}

BOOST_AUTO_TEST_CASE(one_that_stood_still_hears_what_has_come_before_it_judges)
{
    write(front_side, "x");
    pass(100ms);
    worker().write("y", now);
    now += 1h; // neither has run
    front().on_time(now);
    worker().on_time(now);
    BOOST_TEST(!front().is_broken());
    BOOST_TEST(!worker().is_broken());
    pass(1s);
    BOOST_TEST(read(front_side) == "y");
}

BOOST_AUTO_TEST_CASE(an_end_comes_behind_what_was_written)
{
    write(front_side, "last");
    front().finish(now);
    front().finish(now);
    BOOST_TEST(front().write("more", now) == 0u);
    pass(100ms);
    BOOST_TEST(worker().has_ended());
    BOOST_TEST(worker().has_bytes());
    BOOST_TEST(read(worker_side) == "last");
    BOOST_TEST(!front().is_settled()); // the other side may go on
    write(worker_side, "back");
    worker().finish(now);
    pass(100ms);
    BOOST_TEST(read(front_side) == "back");
    BOOST_TEST(front().is_settled());
    BOOST_TEST(worker().is_settled());
    const auto before = said;
    pass(5min);
    BOOST_TEST((said == before)); // nothing is to be said any more
}

BOOST_AUTO_TEST_CASE(an_end_finds_room_where_nothing_else_does)
{
    front().write(std::string(max_piece_bytes * 32, 'x'), now);
    front().finish(now);
    pass(1s);
    BOOST_TEST(worker().has_ended());
    BOOST_TEST(front().is_confirmed());
}

BOOST_AUTO_TEST_CASE(an_abort_is_heard_at_once)
{
    write(front_side, "unread");
    pass(10ms);
    front().abort();
    front().abort();
    BOOST_TEST(front().is_settled());
    BOOST_TEST(!front().is_broken());
    pass(10ms);
    BOOST_TEST(worker().is_broken());
    BOOST_TEST(worker().is_settled());
    BOOST_TEST(read(worker_side) == "unread");
    BOOST_TEST(worker().write("x", now) == 0u);
}

BOOST_AUTO_TEST_CASE(an_abort_that_was_lost_is_said_again_to_whoever_goes_on)
{
    decide = nothing;
    front().abort();
    send();
    decide = {};
    write(worker_side, "x");
    pass(10ms);
    BOOST_TEST(worker().is_broken());
}

BOOST_AUTO_TEST_CASE(who_has_said_all_and_heard_all_may_leave)
{
    front().finish(now);
    pass(10ms);
    worker().finish(now);
    decide = nothing; // that the worker's end has come is lost, and the front does not know the session any more
    pass(10ms);
    worker().on_message(spoken(message_kind::abort), now);
    BOOST_TEST(worker().is_settled());
    BOOST_TEST(!worker().is_broken());
}

BOOST_AUTO_TEST_CASE(who_leaves_before_it_has_heard_all_has_broken_off)
{
    front().finish(now);
    pass(10ms);
    decide = nothing;
    write(worker_side, "unheard");
    worker().finish(now);
    pass(10ms);
    worker().on_message(spoken(message_kind::abort), now);
    BOOST_TEST(worker().is_broken());
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_dropped_and_counted)
{
    channel_message of_nothing = spoken(message_kind::answer);
    of_nothing.has = 1; // nothing was said
    worker().on_message(of_nothing, now);
    BOOST_TEST(worker().dropped() == 1u);
    for (std::uint64_t number = 1; number <= 32; ++number)
        worker().on_message(spoken(message_kind::piece, number, "x"), now);
    worker().on_message(spoken(message_kind::piece, 33, "x"), now); // more than there is room for
    BOOST_TEST(worker().dropped() == 2u);
    BOOST_TEST(read(worker_side).size() == 32u);
    worker().on_message(spoken(message_kind::end, 33), now);
    worker().on_message(spoken(message_kind::piece, 34, "x"), now); // behind the end
    BOOST_TEST(worker().dropped() == 3u);
    BOOST_TEST(read(worker_side) == "");
}

BOOST_AUTO_TEST_CASE(numbers_that_go_back_are_old)
{
    write(front_side, "a");
    channel_message newer = spoken(message_kind::answer);
    newer.has = newer.taken = 1;
    front().on_message(newer, now);
    BOOST_TEST(front().unread_bytes() == 0u);
    front().on_message(spoken(message_kind::answer), now);
    BOOST_TEST(front().is_confirmed());
    BOOST_TEST(front().unread_bytes() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
