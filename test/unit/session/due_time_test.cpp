#include "session/due_time.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace std::chrono_literals;
using partyline::due_time;
using partyline::longer_by;
using partyline::time_left;
using point = partyline::steady_time;
using duration = partyline::steady_duration;

BOOST_AUTO_TEST_SUITE(due_times)

BOOST_AUTO_TEST_CASE(what_is_past_counting_is_never)
{
    const point now(1000h);
    const struct {
        duration after;
        point due;
    } rows[] = {
        {1ns, now + 1ns},
        {5s, now + 5s},
        {point::max() - now - 1ns, point::max() - 1ns},
        {point::max() - now, point::max()},
        {duration::max() - 1ns, point::max()},
        {duration::max(), point::max()},
        {0s, now},
        {-1ns, now},
        {duration::min(), now},
    };
    for (const auto& [after, due] : rows)
        BOOST_TEST((due_time(now, after) == due), after.count());
    BOOST_TEST((due_time(point(), duration::max()) == point::max()));
}

BOOST_AUTO_TEST_CASE(from_now_on_it_is_the_same)
{
    const point before = std::chrono::steady_clock::now();
    const point due = due_time(1h);
    BOOST_TEST((due >= before + 1h && due <= std::chrono::steady_clock::now() + 1h));
    BOOST_TEST((due_time(duration::max()) == point::max()));
    const point at_once = due_time(duration::min());
    BOOST_TEST((at_once >= before && at_once <= std::chrono::steady_clock::now()));
}

BOOST_AUTO_TEST_CASE(what_is_left_of_for_ever_is_for_ever)
{
    BOOST_TEST((time_left(5s, 2s) == 3s));
    BOOST_TEST((time_left(5s, 6s) == 0s));
    BOOST_TEST((time_left(-5s, 1s) == 0s));
    BOOST_TEST((time_left(duration::max(), 1000h) == duration::max()));
    BOOST_TEST((time_left(duration::min(), 1000h) == 0s));
    BOOST_TEST((longer_by(2s, 500ms) == 2500ms));
    BOOST_TEST((longer_by(duration::max(), 500ms) == duration::max()));
    BOOST_TEST((longer_by(duration::max() - 1ns, 500ms) == duration::max()));
}

BOOST_AUTO_TEST_SUITE_END()
