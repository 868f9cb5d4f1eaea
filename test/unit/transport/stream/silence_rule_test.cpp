#include "transport/stream/silence_rule.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

using namespace std::chrono_literals;
using partyline::errc;
using partyline::error_code;
using partyline::silence_rule;
using time_point = silence_rule::clock::time_point;

namespace {

const time_point begin = time_point() + 1h;
constexpr auto never = silence_rule::clock::duration::max();

// When it is left, as `see` has it at each look, and why.
template <class See>
std::pair<time_point, error_code> end_of(silence_rule rule, See see)
{
    for (int i = 0; i < 1000; ++i) {
        const time_point now = rule.next_look();
        if (now == time_point::max())
            return {now, {}};
        if (const error_code why = rule.look(now, see(now)))
            return {now, why};
        BOOST_TEST_REQUIRE((rule.next_look() > now));
    }
    return {};
}

silence_rule::sight nothing(time_point)
{
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(silence_rules, *boost::unit_test::timeout(20))

BOOST_AUTO_TEST_CASE(without_a_whole_message_it_ends_after_the_time_for_the_first)
{
    const auto [when, why] = end_of(silence_rule(30s, 1h, begin), [](time_point now) {
        return silence_rule::sight{0, static_cast<std::uint64_t>(now.time_since_epoch().count()),
                                   true}; // bytes do not help
    });
    BOOST_TEST((when == begin + 30s));
    BOOST_TEST((why == errc::no_message));
}

BOOST_AUTO_TEST_CASE(the_first_message_settles_that)
{
    const auto [when, why] =
        end_of(silence_rule(30s, never, begin), [](time_point) { return silence_rule::sight{1, 1}; });
    BOOST_TEST((when == time_point::max()));
    BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(a_session_with_nothing_to_do_ends)
{
    const auto [when, why] = end_of(silence_rule(0s, 60s, begin), nothing);
    BOOST_TEST((when == begin + 60s));
    BOOST_TEST((why == errc::idle));
}

BOOST_AUTO_TEST_CASE(whatever_arrives_or_is_under_way_puts_that_off)
{
    const time_point last = begin + 7min;
    for (const bool is_work : {true, false}) {
        const auto [when, why] = end_of(silence_rule(0s, 60s, begin), [&](time_point now) {
            const auto bytes = static_cast<std::uint64_t>(std::min(now, last).time_since_epoch().count());
            return is_work ? silence_rule::sight{1, 1, now <= last} : silence_rule::sight{1, bytes};
        });
        BOOST_TEST((why == errc::idle));
        BOOST_TEST((when >= last + 45s)); // 60 s after the look before the last event
        BOOST_TEST((when <= last + 75s));
    }
}

BOOST_AUTO_TEST_CASE(never_is_never)
{
    for (const auto time : {never, silence_rule::clock::duration(0)})
        BOOST_TEST((silence_rule(time, time, begin).next_look() == time_point::max()));
    silence_rule almost(never - 1ns, never - 1ns, begin);
    BOOST_TEST(!almost.look(begin + 10000h, {}));
    BOOST_TEST((almost.next_look() > begin + 10000h));
}

BOOST_AUTO_TEST_SUITE_END()
