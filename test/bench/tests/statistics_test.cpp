#include "bench/driver/results.hpp"

#include <boost/test/unit_test.hpp>

using namespace bench;

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(the_median_is_the_middle_value_in_whatever_order_they_come)
{
    const spread s = spread_of({5, 1, 9});
    BOOST_TEST(s.median == 5);
    BOOST_TEST(s.min == 1);
    BOOST_TEST(s.max == 9);
}

BOOST_AUTO_TEST_CASE(of_an_even_number_it_is_the_mean_of_the_two_in_the_middle)
{
    BOOST_TEST(spread_of({4, 1, 2, 100}).median == 3);
}

BOOST_AUTO_TEST_CASE(one_value_is_its_own_spread)
{
    const spread s = spread_of({7});
    BOOST_TEST(s.median == 7);
    BOOST_TEST(s.min == 7);
    BOOST_TEST(s.max == 7);
}

BOOST_AUTO_TEST_SUITE_END()
