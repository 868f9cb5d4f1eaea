#include "supervisor/restart_rules.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <limits>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using partyline::child_outcome;
using partyline::restart_after;
using partyline::restart_policy;
using partyline::restart_rules;
using next_step = partyline::restart_rules::next_step;
using point = partyline::steady_time;
using duration = partyline::steady_duration;

namespace {

restart_policy unbounded()
{
    restart_policy policy;
    policy.first_delay = 1s;
    policy.max_delay = 10s;
    policy.jitter = 0;
    policy.max_starts = 0;
    return policy;
}

/// A child that dies so long after each start, which comes when the rules want it.
struct mortal {
    restart_rules rules;
    point now{1000h};

    explicit mortal(const restart_policy& policy) : rules(policy) {}

    restart_rules::decision live(duration life, child_outcome how = child_outcome::failure, double chance = 0)
    {
        rules.on_start(now);
        rules.on_ready(now);
        now += life;
        const auto next = rules.on_end(now, how, chance);
        if (next.what == next_step::again)
            now += next.delay;
        return next;
    }
};

std::string words(const restart_rules::decision& one)
{
    switch (one.what) {
    case next_step::again:
        return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(one.delay).count());
    case next_step::over: return "over";
    case next_step::too_often: return "too often";
    case next_step::hopeless: return "hopeless";
    }
    return "?";
}

// What follows after each of so many ends, 10 ms after the start.
std::string lives(const restart_policy& policy, int count)
{
    mortal one(policy);
    std::string all;
    for (int i = 0; i < count; ++i)
        all += words(one.live(10ms)) + ' ';
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(restart_rules_suite)

BOOST_AUTO_TEST_CASE(delays_grow_by_the_factor_up_to_the_longest)
{
    BOOST_TEST(lives(unbounded(), 6) == "1000 2000 4000 8000 10000 10000 ");
}

// What else there is of delays is in back_off_test.cpp.
BOOST_AUTO_TEST_CASE(the_largest_delay_means_never)
{
    restart_policy policy = unbounded();
    policy.max_delay = duration::max();
    BOOST_TEST(lives(policy, 6) == "1000 2000 4000 8000 16000 32000 ");
    policy.first_delay = duration::max();
    BOOST_TEST(lives(policy, 3) == "over over over ");
}

BOOST_AUTO_TEST_CASE(chance_shortens_a_delay_by_no_more_than_the_jitter)
{
    restart_policy policy = unbounded();
    policy.jitter = 0.5;
    mortal one(policy);
    BOOST_TEST(words(one.live(10ms, child_outcome::failure, 0.5)) == "750");
    BOOST_TEST(words(one.live(10ms, child_outcome::failure, 0)) == "2000");
}

BOOST_AUTO_TEST_CASE(after_a_sound_child_the_delays_begin_afresh)
{
    restart_policy policy = unbounded();
    policy.stable_after = 5s;
    mortal one(policy);
    one.live(10ms);
    BOOST_TEST(words(one.live(4999ms)) == "2000");
    BOOST_TEST(words(one.live(5s)) == "1000");
    BOOST_TEST(words(one.live(10ms)) == "2000");
}

BOOST_AUTO_TEST_CASE(what_counts_as_sound_may_be_all_or_nothing)
{
    restart_policy policy = unbounded();
    policy.stable_after = -1s;
    BOOST_TEST(lives(policy, 3) == "1000 1000 1000 ");
    policy.stable_after = duration::max();
    mortal one(policy);
    one.live(1000h);
    BOOST_TEST(words(one.live(1000h)) == "2000");
}

BOOST_AUTO_TEST_CASE(one_that_has_never_been_ready_was_not_sound_however_long_it_lived)
{
    restart_rules rules(unbounded());
    point now{1000h};
    for (const char* const delay : {"1000", "2000", "4000"}) {
        rules.on_start(now);
        now += 1h;
        BOOST_TEST(words(rules.on_end(now, child_outcome::failure, 0)) == delay);
    }
}

BOOST_AUTO_TEST_CASE(that_an_earlier_one_was_ready_makes_none_sound)
{
    mortal one(unbounded());
    one.live(10ms);
    one.rules.on_start(one.now);
    BOOST_TEST(words(one.rules.on_end(one.now + 1h, child_outcome::failure, 0)) == "2000");
}

BOOST_AUTO_TEST_CASE(after_so_many_starts_within_the_window_it_is_given_up)
{
    restart_policy policy = unbounded();
    policy.max_starts = 4;
    policy.start_window = 8s;
    BOOST_TEST(lives(policy, 4) == "1000 2000 4000 8000 "); // the fifth start is more than 8 s after the first
    policy.start_window = 30s;
    BOOST_TEST(lives(policy, 4) == "1000 2000 4000 too often ");
    policy.start_window = duration::max();
    BOOST_TEST(lives(policy, 4) == "1000 2000 4000 too often ");
    policy.start_window = -1s;
    BOOST_TEST(lives(policy, 4) == "1000 2000 4000 8000 ");
    policy.max_starts = 1;
    policy.start_window = 30s;
    BOOST_TEST(lives(policy, 1) == "too often ");
}

BOOST_AUTO_TEST_CASE(the_window_forgets_a_start_when_it_is_just_over)
{
    restart_policy policy = unbounded();
    policy.factor = 1;
    policy.max_starts = 2;
    policy.start_window = 2020ms; // two times 10 ms and a second
    BOOST_TEST(lives(policy, 3) == "1000 1000 1000 ");
    policy.start_window += 1ns;
    BOOST_TEST(lives(policy, 2) == "1000 too often ");
}

BOOST_AUTO_TEST_CASE(no_more_starts_are_kept_than_can_still_count)
{
    restart_policy policy = unbounded();
    policy.factor = 1;
    policy.start_window = 10s;
    for (const std::size_t most : {std::size_t(0), std::size_t(3), std::numeric_limits<std::size_t>::max()}) {
        policy.max_starts = most;
        mortal one(policy);
        for (int i = 0; i < 1000; ++i)
            one.live(10s); // and a second until the next start
        BOOST_TEST(one.rules.kept_starts() == 1u, most);
        for (int i = 0; i < 1000; ++i)
            one.live(1s);
        BOOST_TEST(one.rules.kept_starts() <= 5u, most);
    }
}

BOOST_AUTO_TEST_CASE(the_defaults_give_up_what_dies_at_once_in_some_seconds)
{
    mortal one{restart_policy()};
    const point begin = one.now;
    int starts = 1;
    while (one.live(1ms).what == next_step::again)
        ++starts;
    BOOST_TEST(starts == 8);
    BOOST_TEST((one.now - begin > 12s && one.now - begin < 13s));
}

BOOST_AUTO_TEST_CASE(the_defaults_go_on_for_ever_with_what_lives_for_ten_seconds)
{
    mortal one{restart_policy()};
    for (int i = 0; i < 1000; ++i)
        BOOST_REQUIRE(words(one.live(10s)) == "100");
}

BOOST_AUTO_TEST_CASE(exit_status_0_is_an_end_like_others_unless_only_failures_count)
{
    restart_policy policy = unbounded();
    BOOST_TEST(words(mortal(policy).live(1s, child_outcome::success)) == "1000");
    policy.after = restart_after::failure;
    BOOST_TEST(words(mortal(policy).live(1s, child_outcome::success)) == "over");
    BOOST_TEST(words(mortal(policy).live(1s, child_outcome::failure)) == "1000");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_started_is_hopeless_the_first_time_alone)
{
    BOOST_TEST(words(mortal(unbounded()).live(0s, child_outcome::not_started)) == "hopeless");
    mortal one(unbounded());
    one.live(1s);
    BOOST_TEST(words(one.live(0s, child_outcome::not_started)) == "2000");
}

BOOST_AUTO_TEST_SUITE_END()
