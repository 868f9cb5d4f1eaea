#include "transport/stdio/idle_spin.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace std::chrono_literals;
using partyline::idle_spin;

namespace {

constexpr idle_spin::duration short_sleep = 45us;
constexpr idle_spin::duration sooner = 10us;
constexpr int least_sleeps = 8;
constexpr int most_sleeps = 4096;

void sleep(idle_spin& spin, int times, idle_spin::duration each = short_sleep)
{
    for (int i = 0; i != times; ++i)
        spin.on_slept(each);
}

// How many short sleeps it takes until one would rather stay awake.
int sleeps_needed(idle_spin& spin)
{
    int count = 0;
    for (; !spin.is_wanted() && count <= most_sleeps; ++count)
        spin.on_slept(short_sleep);
    return count;
}

void find(idle_spin& spin, int times)
{
    for (int i = 0; i != times; ++i)
        spin.on_found(sooner);
}

} // namespace

BOOST_AUTO_TEST_SUITE(idle_spins, *boost::unit_test::timeout(20))

BOOST_AUTO_TEST_CASE(who_has_not_slept_sleeps)
{
    idle_spin spin;
    BOOST_TEST(!spin.is_wanted());
    BOOST_TEST(sleeps_needed(spin) == least_sleeps);
}

BOOST_AUTO_TEST_CASE(long_sleeps_say_that_there_is_nothing_to_wait_for)
{
    idle_spin spin;
    for (int i = 0; i != 100; ++i) {
        sleep(spin, 3);
        sleep(spin, 1, 1ms);
        BOOST_TEST_REQUIRE(!spin.is_wanted());
    }
    sleep(spin, 100, 1ms);
    BOOST_TEST(sleeps_needed(spin) == least_sleeps);
}

BOOST_AUTO_TEST_CASE(a_moment_for_nothing_ends_it_and_it_becomes_rare)
{
    idle_spin spin;
    for (int needed = least_sleeps; needed <= most_sleeps; needed *= 2) {
        BOOST_TEST(sleeps_needed(spin) == needed);
        spin.on_nothing();
        BOOST_TEST(!spin.is_wanted());
    }
    BOOST_TEST(sleeps_needed(spin) == most_sleeps);
}

BOOST_AUTO_TEST_CASE(so_does_what_comes_no_sooner_than_to_one_that_sleeps)
{
    idle_spin spin;
    sleeps_needed(spin);
    for (int i = 0; i != 64; ++i) {
        BOOST_TEST_REQUIRE((spin.is_wanted()));
        spin.on_found(short_sleep / 2);
    }
    BOOST_TEST(!spin.is_wanted());
    BOOST_TEST(sleeps_needed(spin) == 2 * least_sleeps);
}

BOOST_AUTO_TEST_CASE(what_has_long_been_worth_it_may_be_for_nothing_once)
{
    idle_spin spin;
    sleeps_needed(spin);
    find(spin, 64);
    spin.on_nothing();
    BOOST_TEST(spin.is_wanted());
    spin.on_nothing();
    BOOST_TEST(!spin.is_wanted());
}

BOOST_AUTO_TEST_CASE(and_makes_old_errors_forgotten)
{
    idle_spin spin;
    for (int i = 0; i != 5; ++i) {
        sleeps_needed(spin);
        spin.on_nothing();
    }
    BOOST_TEST(sleeps_needed(spin) == 32 * least_sleeps);
    find(spin, 64);
    spin.on_nothing();
    spin.on_nothing();
    BOOST_TEST(sleeps_needed(spin) == 2 * least_sleeps);
}

BOOST_AUTO_TEST_CASE(now_and_then_it_looks_what_a_sleep_would_have_taken)
{
    idle_spin spin;
    sleeps_needed(spin);
    int slept = 0;
    for (int i = 0; i != 10 * 256; ++i) {
        if (spin.is_wanted()) {
            spin.on_found(sooner);
        } else {
            ++slept;
            spin.on_slept(short_sleep);
        }
    }
    BOOST_TEST(slept == 10);
    sleep(spin, 20, sooner); // as it is when the peer has come to our processor
    for (int i = 0; i != 128; ++i)
        spin.on_found(sooner);
    BOOST_TEST(!spin.is_wanted());
}

BOOST_AUTO_TEST_SUITE_END()
