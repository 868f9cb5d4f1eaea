#include "support/mebibyte.hpp"
#include "transport/stream/read_hold.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>

using namespace std::chrono_literals;
using partyline::read_hold;
using partyline::test::mebibyte;

namespace {

const auto hold_begin = read_hold::clock::time_point() + 1h;
constexpr std::size_t one_read = std::size_t(64) << 10;

// What may be unsent, to a tenth.
bool is_bound(read_hold& hold, std::size_t expected)
{
    const bool may = hold.may_read(expected * 9 / 10, hold_begin);
    return may && !hold.may_read(expected * 11 / 10, hold_begin);
}

} // namespace

BOOST_AUTO_TEST_SUITE(read_holds, *boost::unit_test::timeout(20))

BOOST_AUTO_TEST_CASE(of_short_messages_nothing_may_be_unsent)
{
    read_hold hold;
    hold.note_sent(one_read - 1);
    BOOST_TEST(hold.may_read(0, hold_begin));
    BOOST_TEST(!hold.is_holding());
    BOOST_TEST(!hold.may_read(1, hold_begin));
    BOOST_TEST(hold.is_holding());
    BOOST_TEST((hold.deadline() == hold_begin + 1ms));
}

BOOST_AUTO_TEST_CASE(a_hold_lasts_a_millisecond_from_its_start)
{
    read_hold hold;
    hold.may_read(1, hold_begin);
    BOOST_TEST(!hold.may_read(1, hold_begin + 500us));
    BOOST_TEST((hold.deadline() == hold_begin + 1ms));
    BOOST_TEST(!hold.may_read(1, hold_begin + 999us));
    BOOST_TEST(hold.may_read(1, hold_begin + 1ms));
}

BOOST_AUTO_TEST_CASE(what_the_peer_takes_ends_it_when_little_is_left)
{
    read_hold hold;
    hold.may_read(2, hold_begin);
    hold.on_written();
    BOOST_TEST(!hold.may_read(1, hold_begin + 10us));
    hold.on_written();
    BOOST_TEST(hold.may_read(0, hold_begin + 20us));
}

BOOST_AUTO_TEST_CASE(while_the_peer_takes_something_there_is_a_read_a_millisecond)
{
    read_hold hold;
    auto time = hold_begin;
    for (int i = 0; i != 3; ++i, time += 1ms) {
        BOOST_TEST(!hold.may_read(1, time));
        hold.on_written();
        BOOST_TEST(!hold.may_read(1, time + 999us));
        BOOST_TEST(hold.may_read(1, time + 1ms));
        hold.on_read(1);
        BOOST_TEST(!hold.is_holding());
    }
}

BOOST_AUTO_TEST_CASE(from_a_peer_that_takes_nothing_all_is_read_until_it_does)
{
    read_hold hold;
    hold.may_read(1, hold_begin);
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST(hold.may_read(1000, hold_begin + 1ms));
        hold.on_read(1);
    }
    hold.on_written();
    BOOST_TEST(!hold.may_read(1000, hold_begin + 2ms));
    BOOST_TEST((hold.deadline() == hold_begin + 3ms));
}

BOOST_AUTO_TEST_CASE(holds_in_vain_become_rare)
{
    read_hold hold;
    auto time = hold_begin;
    for (const auto free : {1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 64ms}) {
        BOOST_TEST(!hold.may_read(1, time));
        BOOST_TEST(hold.may_read(1, time += 1ms));
        hold.on_read(1);
        hold.on_written();
        BOOST_TEST(hold.may_read(1, time += free - 1ns));
        hold.on_read(1);
        time += 1ns;
    }
    BOOST_TEST(!hold.may_read(1, time));
    hold.on_written(); // not in vain
    hold.on_read(1);
    BOOST_TEST(!hold.may_read(1, time));
    BOOST_TEST(hold.may_read(1, time += 1ms));
    hold.on_read(1);
    hold.on_written();
    BOOST_TEST(!hold.may_read(1, time += 1ms));
}

// What was taken before it is no sign.
BOOST_AUTO_TEST_CASE(a_hold_looks_only_at_what_is_taken_while_it_lasts)
{
    read_hold hold;
    hold.on_written();
    hold.may_read(1, hold_begin);
    BOOST_TEST(hold.may_read(1, hold_begin + 1ms));
    hold.on_read(1);
    BOOST_TEST(hold.may_read(1, hold_begin + 1ms));
}

BOOST_AUTO_TEST_CASE(of_long_messages_two_may_be_unsent)
{
    for (const std::size_t length : {one_read, mebibyte, 64 * mebibyte}) {
        read_hold hold;
        hold.note_sent(length);
        hold.note_sent(1);
        BOOST_TEST(hold.may_read(2 * length, hold_begin));
        BOOST_TEST(!hold.may_read(2 * length + 1, hold_begin));
    }
}

// However many reads one takes.
BOOST_AUTO_TEST_CASE(long_messages_are_remembered_from_one_to_the_next)
{
    for (const std::size_t length : {mebibyte, 64 * mebibyte}) {
        read_hold hold;
        hold.note_sent(length);
        for (std::size_t read = 0; read < length; read += one_read)
            hold.on_read(one_read);
        BOOST_TEST(is_bound(hold, 2 * length * 15 / 16));
    }
}

BOOST_AUTO_TEST_CASE(among_short_ones_a_long_one_is_forgotten)
{
    read_hold hold;
    hold.note_sent(mebibyte);
    for (std::size_t read = 0; read < 16 * mebibyte; read += 1024) {
        hold.note_sent(1024);
        hold.on_read(1024);
    }
    BOOST_TEST(!hold.may_read(1, hold_begin));
}

BOOST_AUTO_TEST_CASE(also_where_only_a_byte_is_read_at_a_time)
{
    read_hold hold;
    hold.note_sent(one_read);
    hold.on_read(1);
    BOOST_TEST(!hold.may_read(1, hold_begin));
}

BOOST_AUTO_TEST_SUITE_END()
