#include "access/jwt/fetch_rules.hpp"
#include "access/jwt/signature_quota.hpp"

#include <boost/test/unit_test.hpp>

using partyline::access::fetch_rules;
using partyline::access::signature_quota;
using namespace std::chrono_literals;

namespace {

constexpr fetch_rules::time_point start{1'800'000'000s};

void succeed(fetch_rules& rules, fetch_rules::time_point now)
{
    BOOST_TEST(rules.end(rules.begin(now), true));
}

} // namespace

BOOST_AUTO_TEST_SUITE(rules_of_fetching)

BOOST_AUTO_TEST_CASE(the_first_fetch_is_due_at_once_and_there_is_one_at_a_time)
{
    fetch_rules rules;
    BOOST_TEST(rules.is_due(start));
    BOOST_TEST(!rules.are_usable(start));
    const auto number = rules.begin(start);
    BOOST_TEST(rules.is_behind());
    BOOST_TEST(!rules.is_due(start + 1s));
    BOOST_TEST(!rules.may_look(start + 1s));
    BOOST_TEST(rules.end(number, true));
    BOOST_TEST(!rules.is_behind());
    BOOST_TEST(rules.are_usable(start + 1s));
}

BOOST_AUTO_TEST_CASE(keys_are_fetched_again_after_10_minutes)
{
    fetch_rules rules;
    succeed(rules, start);
    BOOST_TEST(!rules.is_due(start + 10min - 1s));
    BOOST_TEST(rules.is_due(start + 10min));
}

BOOST_AUTO_TEST_CASE(unknown_ids_cause_a_fetch_in_30_s_at_most)
{
    fetch_rules rules;
    succeed(rules, start);
    BOOST_TEST(rules.may_look(start + 1s));
    rules.on_look(start + 1s);
    succeed(rules, start + 1s);
    BOOST_TEST(!rules.may_look(start + 2s));
    BOOST_TEST(!rules.may_look(start + 30s));
    BOOST_TEST(rules.may_look(start + 31s));
}

BOOST_AUTO_TEST_CASE(failures_are_retried_with_growing_delays)
{
    fetch_rules rules;
    auto now = start;
    for (const auto delay : {1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 256s, 300s, 300s}) {
        BOOST_TEST(rules.is_due(now));
        rules.end(rules.begin(now), false);
        BOOST_TEST(rules.is_behind());
        BOOST_TEST(!rules.is_due(now + delay - 1ms));
        now += delay;
    }
    succeed(rules, now);
    BOOST_TEST(!rules.is_behind());
    rules.end(rules.begin(now + 10min), false);
    BOOST_TEST(rules.is_due(now + 10min + 1s));
}

BOOST_AUTO_TEST_CASE(keys_serve_for_24_hours_after_the_last_success)
{
    fetch_rules rules;
    succeed(rules, start);
    rules.end(rules.begin(start + 10min), false);
    BOOST_TEST(rules.are_usable(start + 24h - 1s));
    BOOST_TEST(!rules.are_usable(start + 24h));
}

BOOST_AUTO_TEST_CASE(a_fetch_that_does_not_end_has_failed_after_a_minute)
{
    fetch_rules rules;
    const auto lost = rules.begin(start);
    BOOST_TEST(!rules.is_due(start + 59s));
    BOOST_TEST(rules.is_due(start + 60s));
    const auto next = rules.begin(start + 60s);
    BOOST_TEST(!rules.end(lost, true));
    BOOST_TEST(rules.end(next, true));
    BOOST_TEST(!rules.end(next, true));
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_set_back_stops_nothing)
{
    fetch_rules rules;
    succeed(rules, start);
    BOOST_TEST(rules.are_usable(start - 24h * 30));
    BOOST_TEST(rules.is_due(start - 1h));
    rules.end(rules.begin(start - 1h), false);
    BOOST_TEST(rules.is_due(start - 2h));
    rules.begin(start - 2h);
    BOOST_TEST(rules.is_due(start - 3h));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(quota_of_signatures)

BOOST_AUTO_TEST_CASE(a_thousand_are_verified_in_a_second)
{
    signature_quota quota;
    int taken = 0;
    for (int i = 0; i != 5000; ++i) // 5 in each millisecond
        taken += quota.take(start + i / 5 * 1ms);
    BOOST_TEST(taken == 1000 + 99); // the burst, and what has come since the first
}

// However they come: one by one, or some at a time.
BOOST_AUTO_TEST_CASE(no_more_than_a_thousand_in_a_second_that_come_evenly_are_never_refused)
{
    for (const int together : {1, 10, 50, 100}) {
        signature_quota quota;
        for (int i = 0; i != 5000; ++i)
            BOOST_REQUIRE(quota.take(start + i / together * together * 1ms));
    }
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(a_hundred_are_verified_at_once)
{
    signature_quota quota;
    int taken = 0;
    for (int i = 0; i != 5000; ++i)
        taken += quota.take(start);
    BOOST_TEST(taken == 100);
    BOOST_TEST(!quota.take(start + 500us));
    BOOST_TEST(quota.take(start + 1500us));
    BOOST_TEST(!quota.take(start + 1500us));
    for (int i = 0; i != 5000; ++i)
        taken += quota.take(start + 1h);
    BOOST_TEST(taken == 200);
}

BOOST_AUTO_TEST_CASE(costly_signatures_count_as_many)
{
    signature_quota quota;
    int taken = 0;
    for (int i = 0; i != 1000; ++i)
        taken += quota.take(start, 5);
    BOOST_TEST(taken == 20);
    BOOST_TEST(!quota.take(start + 4ms, 5));
    BOOST_TEST(quota.take(start + 5ms, 5));
}

BOOST_AUTO_TEST_CASE(it_fills_after_the_clock_was_set_back)
{
    signature_quota quota;
    for (int i = 0; i != 1000; ++i)
        quota.take(start);
    BOOST_TEST(!quota.take(start - 1h));
    BOOST_TEST(quota.take(start - 1h + 2ms));
}

BOOST_AUTO_TEST_CASE(a_thread_that_has_looked_at_the_clock_before_another_makes_it_no_fuller)
{
    signature_quota quota;
    int taken = 0;
    for (int i = 0; i != 5000; ++i)
        taken += quota.take(start + i % 2 * 1ms);
    BOOST_TEST(taken == 101);
}

BOOST_AUTO_TEST_SUITE_END()
