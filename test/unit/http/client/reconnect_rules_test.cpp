#include "http/client/reconnect_rules.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace std::chrono_literals;
using partyline::http::reconnect_rules;

BOOST_AUTO_TEST_SUITE(http_reconnect_rules)

BOOST_AUTO_TEST_CASE(each_pause_may_be_twice_as_long_as_the_one_before_and_the_sixth_is_none)
{
    reconnect_rules rules([] { return 1.0; });
    for (const auto longest : {1s, 2s, 4s, 8s, 16s})
        BOOST_TEST((rules.on_end() == longest));
    BOOST_TEST(!rules.on_end());
    BOOST_TEST(!rules.on_end());
}

BOOST_AUTO_TEST_CASE(no_pause_is_longer_than_half_a_minute)
{
    reconnect_rules rules([] { return 1.0; }, 100);
    for (int i = 0; i < 5; ++i)
        rules.on_end();
    for (int i = 5; i < 100; ++i)
        BOOST_TEST((rules.on_end() == 30s));
    BOOST_TEST(!rules.on_end());
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_wanted_for_ever_is_never_given_up)
{
    reconnect_rules rules([] { return 1.0; }, reconnect_rules::for_ever);
    for (int i = 0; i < 1000; ++i)
        BOOST_TEST_REQUIRE(rules.on_end().has_value());
    BOOST_TEST((rules.on_end() == 30s));
}

BOOST_AUTO_TEST_CASE(a_pause_is_any_part_of_its_longest)
{
    double next = 0;
    reconnect_rules rules([&] { return next; });
    BOOST_TEST((rules.on_end() == 100ms)); // the least
    next = 0.25;
    BOOST_TEST((rules.on_end() == 500ms));
    next = 0.5;
    BOOST_TEST((rules.on_end() == 2s));
}

BOOST_AUTO_TEST_CASE(an_event_begins_the_count_again)
{
    reconnect_rules rules([] { return 1.0; });
    for (int i = 0; i < 20; ++i) {
        BOOST_TEST((rules.on_end() == 1s));
        BOOST_TEST((rules.on_end() == 2s));
        rules.on_event();
    }
}

BOOST_AUTO_TEST_CASE(what_the_server_has_asked_for_is_the_first_pause_and_later_the_least)
{
    reconnect_rules rules([] { return 0.5; });
    BOOST_TEST((rules.on_end(3s) == 3s));
    BOOST_TEST((rules.on_end(0s) == 1s));
    BOOST_TEST((rules.on_end(100s) == 100s));
    BOOST_TEST((rules.on_end(1ms) == 4s));
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_for_nothing_or_for_years_is_asked_within_bounds)
{
    reconnect_rules rules([] { return 0.5; });
    BOOST_TEST((rules.on_end(0ms) == 100ms));
    rules.on_event();
    BOOST_TEST((rules.on_end(1000h) == 5min));
}

BOOST_AUTO_TEST_SUITE_END()
