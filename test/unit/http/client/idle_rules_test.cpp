#include "http/connections/idle_rules.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using partyline::http::idle_time;

BOOST_AUTO_TEST_SUITE(http_idle_rules)

BOOST_AUTO_TEST_CASE(a_connection_goes_before_the_server_closes_it)
{
    BOOST_TEST((idle_time(15s, {}) == 15s));
    BOOST_TEST((idle_time(15s, 75s) == 15s));
    BOOST_TEST((idle_time(15s, 16s) == 15s));
    BOOST_TEST((idle_time(15s, 5s) == 4s));
    BOOST_TEST((idle_time(15s, 2s) == 1s));
    BOOST_TEST((idle_time(15s, 1s) == 500ms));
    BOOST_TEST((idle_time(15s, 0s) == 0s));
}

BOOST_AUTO_TEST_SUITE_END()
