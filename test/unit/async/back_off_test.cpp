#include "async/back_off.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using partyline::back_off;
using duration = back_off::duration;

namespace {

std::string delays(const back_off::rule& by, std::size_t count, double random = 0)
{
    back_off own(by);
    std::string all;
    for (std::size_t i = 0; i != count; ++i)
        all += std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(own.next(random)).count()) + ' ';
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(back_off_suite)

BOOST_AUTO_TEST_CASE(each_delay_is_longer_by_the_factor_up_to_the_longest)
{
    BOOST_TEST(delays({.first = 1s, .factor = 2, .longest = 10s, .jitter = 0}, 6) ==
               "1000 2000 4000 8000 10000 10000 ");
    BOOST_TEST(delays({.first = 1s, .factor = 1.5, .longest = 1h, .jitter = 0}, 4) == "1000 1500 2250 3375 ");
}

BOOST_AUTO_TEST_CASE(the_random_part_that_is_left_out_is_up_to_the_jitter_of_each_delay)
{
    const struct {
        double jitter;
        double random;
        const char* delays;
    } rows[] = {
        {0.2, 0, "1000 2000 4000 "},
        {0.2, 0.5, "900 1800 3600 "},
        {0.2, 1, "800 1600 3200 "},
        {1, 0.75, "250 500 1000 "},
        {1, 1, "0 0 0 "},
        {2, 0.5, "500 1000 2000 "},
        {-1, 0.5, "1000 2000 4000 "},
        {0.5, -1, "1000 2000 4000 "},
        {0.5, 2, "500 1000 2000 "},
        {std::numeric_limits<double>::quiet_NaN(), 0.5, "1000 2000 4000 "},
        {0.5, std::numeric_limits<double>::quiet_NaN(), "1000 2000 4000 "},
    };
    for (const auto& row : rows)
        BOOST_TEST(delays({.first = 1s, .factor = 2, .longest = 10s, .jitter = row.jitter}, 3, row.random) ==
                       row.delays,
                   row.jitter << ' ' << row.random);
}

BOOST_AUTO_TEST_CASE(delays_grow_as_if_nothing_had_been_left_out)
{
    back_off own({.first = 1s, .factor = 2, .longest = 10s, .jitter = 1});
    own.next(0.9);
    BOOST_TEST((own.next(0) == 2s));
}

BOOST_AUTO_TEST_CASE(after_a_success_they_begin_afresh)
{
    back_off own({.first = 1s, .factor = 2, .longest = 10s, .jitter = 0});
    own.next(0);
    BOOST_TEST((own.next(0) == 2s));
    own.reset();
    BOOST_TEST((own.next(0) == 1s));
    BOOST_TEST((own.next(0) == 2s));
}

BOOST_AUTO_TEST_CASE(durations_and_factors_of_all_kinds_have_a_meaning)
{
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    const struct {
        const char* what;
        duration first;
        double factor;
        duration longest;
        const char* delays;
    } rows[] = {
        {"negative: none", -1s, 2, 10s, "0 0 0 "},
        {"zero", 0s, 2, 10s, "0 0 0 "},
        {"the first one is longer than the longest", 5s, 2, 1s, "1000 1000 1000 "},
        {"no longest", 1h, 1000, duration::max(), "3600000 3600000000 3600000000000 "},
        {"past counting", duration::max() - 1ns, 2, 20s, "20000 20000 20000 "},
        {"the longest is negative", 1s, 2, -1s, "0 0 0 "},
        {"a factor below one", 1s, 0.1, 10s, "1000 1000 1000 "},
        {"a negative factor", 1s, -7, 10s, "1000 1000 1000 "},
        {"an infinite factor", 1s, std::numeric_limits<double>::infinity(), 10s, "1000 10000 10000 "},
        {"no factor", 1s, no_number, 10s, "1000 1000 1000 "},
    };
    for (const auto& row : rows)
        BOOST_TEST(delays({.first = row.first, .factor = row.factor, .longest = row.longest, .jitter = 0}, 3) ==
                       row.delays,
                   row.what);
    back_off own({.first = 1h, .factor = 1e300, .longest = duration::max(), .jitter = 0});
    own.next(0);
    BOOST_TEST((own.next(0) == duration::max() && own.next(0) == duration::max()));
}

BOOST_AUTO_TEST_CASE(a_random_part_is_from_0_up_to_1_and_another_one_each_time)
{
    double sum = 0;
    std::vector<double> all;
    for (int i = 0; i < 1000; ++i) {
        all.push_back(partyline::random_part());
        BOOST_TEST_REQUIRE((all.back() >= 0 && all.back() < 1));
        BOOST_TEST_REQUIRE((i == 0 || all[i] != all[i - 1]));
        sum += all.back();
    }
    BOOST_TEST((sum > 400 && sum < 600));
}

BOOST_AUTO_TEST_SUITE_END()
