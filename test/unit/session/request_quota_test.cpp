#include "session/requests/quota_slot.hpp"

#include <partyline/session/request_quota.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

using namespace std::chrono_literals;
using partyline::quota_limits;
using partyline::quota_slot;
using partyline::request_quota;

namespace {

constexpr request_quota::clock::time_point start{1h};

bool takes(request_quota& quota, request_quota::clock::duration after = 0s)
{
    return !quota.take(start + after);
}

long long retry(request_quota& quota, request_quota::clock::duration after = 0s)
{
    return quota.take(start + after).value_or(0ms).count();
}

int count_taken(request_quota& quota, request_quota::clock::duration after, int most = 1000)
{
    int count = 0;
    while (count < most && takes(quota, after))
        ++count;
    return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(request_quota_suite)

BOOST_AUTO_TEST_CASE(without_bounds_everything_may_come)
{
    request_quota quota({});
    BOOST_TEST(count_taken(quota, 0s) == 1000);
    BOOST_TEST(!quota.take_from_rate(start));
}

BOOST_AUTO_TEST_CASE(a_burst_may_come_at_once_and_then_as_many_as_the_rate_says)
{
    request_quota quota({.requests_per_second = 10, .burst = 3});
    BOOST_TEST(count_taken(quota, 0s) == 3);
    BOOST_TEST(retry(quota) == 100);
    BOOST_TEST(retry(quota, 40ms) == 60);
    BOOST_TEST(count_taken(quota, 100ms) == 1);
    BOOST_TEST(count_taken(quota, 300ms) == 2);
}

BOOST_AUTO_TEST_CASE(a_pause_saves_no_more_than_the_burst)
{
    request_quota quota({.requests_per_second = 10, .burst = 3});
    BOOST_TEST(count_taken(quota, 0s) == 3);
    BOOST_TEST(count_taken(quota, 24h * 365) == 3);
}

BOOST_AUTO_TEST_CASE(a_burst_of_none_counts_as_one)
{
    request_quota quota({.requests_per_second = 1, .burst = 0});
    BOOST_TEST(count_taken(quota, 0s) == 1);
    BOOST_TEST(count_taken(quota, 5s) == 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_in_flight_counts_with_the_rate)
{
    request_quota quota({.requests_per_second = 10, .burst = 2, .at_once = 1});
    BOOST_TEST(!quota.take_from_rate(start));
    BOOST_TEST(!quota.take_from_rate(start));
    BOOST_TEST(quota.take_from_rate(start).value_or(0ms).count() == 100);
    BOOST_TEST(!takes(quota));
    BOOST_TEST(takes(quota, 100ms));
    BOOST_TEST(!quota.take_from_rate(start + 200ms)); // and are not in flight
}

BOOST_AUTO_TEST_CASE(no_more_are_in_flight_than_there_may_be)
{
    request_quota quota({.at_once = 2});
    BOOST_TEST(count_taken(quota, 0s) == 2);
    BOOST_TEST(retry(quota) == 1000);
    quota.release();
    BOOST_TEST(count_taken(quota, 0s) == 1);
    quota.release();
    quota.release();
    quota.release(); // one too many makes no more room
    BOOST_TEST(count_taken(quota, 0s) == 2);
}

BOOST_AUTO_TEST_CASE(what_finds_no_place_does_not_count_with_the_rate)
{
    request_quota quota({.requests_per_second = 0.001, .burst = 2, .at_once = 1});
    BOOST_TEST(takes(quota));
    for (int i = 0; i != 10; ++i)
        BOOST_TEST(!takes(quota));
    quota.release();
    BOOST_TEST(takes(quota));
}

BOOST_AUTO_TEST_CASE(a_clock_that_stands_still_or_goes_back_gives_nothing_and_takes_nothing)
{
    request_quota quota({.requests_per_second = 1, .burst = 1});
    BOOST_TEST(takes(quota));
    BOOST_TEST(count_taken(quota, 0s) == 0);
    BOOST_TEST(count_taken(quota, -30min) == 0);
    BOOST_TEST(count_taken(quota, 500ms) == 0);
    BOOST_TEST(count_taken(quota, 1s) == 1);
}

BOOST_AUTO_TEST_CASE(small_steps_add_up)
{
    request_quota quota({.requests_per_second = 1, .burst = 1});
    BOOST_TEST(takes(quota));
    int taken = 0;
    for (int i = 1; i <= 10'100; ++i)
        taken += takes(quota, i * 1ms) ? 1 : 0;
    BOOST_TEST(taken == 10);
}

BOOST_AUTO_TEST_CASE(a_huge_rate_bounds_nothing_but_the_burst)
{
    for (const double rate : {1e300, std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity()}) {
        request_quota quota({.requests_per_second = rate, .burst = 5});
        BOOST_TEST(count_taken(quota, 0s) == 5);
        BOOST_TEST(retry(quota) == 1);
        BOOST_TEST(count_taken(quota, 1ns) == 5);
    }
}

BOOST_AUTO_TEST_CASE(a_tiny_rate_asks_for_a_day_at_most)
{
    for (const double rate : {1e-9, 1e-300, std::numeric_limits<double>::denorm_min()}) {
        request_quota quota({.requests_per_second = rate, .burst = 2});
        BOOST_TEST(count_taken(quota, 0s) == 2);
        BOOST_TEST(retry(quota) == 24 * 3600 * 1000);
        BOOST_TEST(count_taken(quota, 24h) == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_rate_that_is_none_bounds_nothing)
{
    for (const double rate : {0.0, -1.0, std::nan("")}) {
        request_quota quota({.requests_per_second = rate});
        BOOST_TEST(count_taken(quota, 0s) == 1000);
    }
}

BOOST_AUTO_TEST_CASE(the_largest_burst_is_one)
{
    request_quota quota({.requests_per_second = 1, .burst = std::numeric_limits<std::uint32_t>::max()});
    BOOST_TEST(count_taken(quota, 0s, 5000) == 5000);
}

BOOST_AUTO_TEST_CASE(a_place_is_given_back_once)
{
    const auto quota = std::make_shared<request_quota>(quota_limits{.at_once = 2});
    quota_slot one;
    quota_slot other;
    BOOST_TEST(!one.take(quota, start));
    BOOST_TEST(!other.take(quota, start));
    BOOST_TEST(bool(quota_slot().take(quota, start)));
    quota_slot moved(std::move(one));
    BOOST_TEST(!one);
    one.release();
    BOOST_TEST(count_taken(*quota, 0s) == 0);
    moved.release();
    moved.release();
    BOOST_TEST(count_taken(*quota, 0s) == 1);
    other = quota_slot();
    BOOST_TEST(count_taken(*quota, 0s) == 1);
}

BOOST_AUTO_TEST_CASE(places_in_two_quotas_are_given_back_once_each)
{
    const auto first = std::make_shared<request_quota>(quota_limits{.at_once = 1});
    const auto second = std::make_shared<request_quota>(quota_limits{.at_once = 1});
    quota_slot one;
    BOOST_TEST(!one.take(first, start));
    BOOST_TEST(!one.take(second, start));
    quota_slot moved(std::move(one));
    one.release();
    BOOST_TEST(count_taken(*first, 0s) == 0);
    BOOST_TEST(count_taken(*second, 0s) == 0);
    moved = quota_slot();
    BOOST_TEST(count_taken(*first, 0s) == 1);
    BOOST_TEST(count_taken(*second, 0s) == 1);
    moved.release();
    BOOST_TEST(count_taken(*second, 0s) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
