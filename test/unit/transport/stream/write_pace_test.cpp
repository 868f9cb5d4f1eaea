#include "transport/stream/write_pace.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace std::chrono_literals;
using partyline::write_pace;
using time_point = write_pace::clock::time_point;

namespace {

const time_point begin = time_point() + 1h;

} // namespace

BOOST_AUTO_TEST_SUITE(write_paces, *boost::unit_test::timeout(20))

BOOST_AUTO_TEST_CASE(a_peer_that_reads_nothing_has_one_window)
{
    write_pace pace(60s, 6000);
    BOOST_TEST(!pace.is_over(begin + 1h)); // nothing waits for it
    pace.start(begin, 100);
    pace.note(begin + 30s, 100);
    BOOST_TEST(!pace.is_over(begin + 59s));
    BOOST_TEST(pace.is_over(begin + 60s));
    pace.end();
    BOOST_TEST(!pace.is_over(begin + 60s));
}

BOOST_AUTO_TEST_CASE(a_byte_now_and_then_does_not_count_as_reading)
{
    write_pace pace(60s, 6000);
    pace.start(begin, 0);
    std::int64_t read = 0;
    for (auto now = begin; now <= begin + 61s; now += 1s)
        pace.note(now, ++read);
    BOOST_TEST(pace.is_over(begin + 62s));
    BOOST_TEST((pace.deadline() > begin + 60s)); // it has bought something
}

BOOST_AUTO_TEST_CASE(a_slow_peer_may_go_on_for_ever)
{
    for (const auto step : {1s, 10s, 60s}) {
        write_pace pace(60s, 6000);
        pace.start(begin, 0);
        std::int64_t read = 0;
        for (auto now = begin + step; now < begin + 1h; now += step) {
            BOOST_TEST_REQUIRE(!pace.is_over(now - 1ms));
            pace.note(now, read += 100 * step / 1s);
        }
        BOOST_TEST(pace.is_over(begin + 1h + 60s));
    }
}

BOOST_AUTO_TEST_CASE(what_is_read_fast_is_no_credit_for_later)
{
    write_pace pace(60s, 6000);
    pace.start(begin, 0);
    pace.note(begin + 1s, 1'000'000'000);
    BOOST_TEST((pace.deadline() == begin + 61s));
    pace.note(begin + 2s, 999'999'999); // what the system tells may go back
    BOOST_TEST((pace.deadline() == begin + 61s));
}

BOOST_AUTO_TEST_CASE(never_is_never)
{
    for (const auto window : {write_pace::clock::duration::max(), write_pace::clock::duration(0)})
        BOOST_TEST(!write_pace(window, 6000).is_watched());
    write_pace pace(write_pace::clock::duration::max() - 1ns, 1);
    pace.start(begin, 0);
    pace.note(begin + 1s, 10);
    BOOST_TEST(!pace.is_over(begin + 10000h));
}

BOOST_AUTO_TEST_CASE(with_no_least_any_byte_counts)
{
    write_pace pace(60s, 0);
    pace.start(begin, 0);
    pace.note(begin + 59s, 1);
    BOOST_TEST((pace.deadline() == begin + 119s));
}

BOOST_AUTO_TEST_SUITE_END()
