
// What all command lines share.

#include <boost/test/unit_test.hpp>

#include <vector>

#include <command_line/percentile.hpp>

using command_line::percentile;

BOOST_AUTO_TEST_SUITE(shared_parts)

BOOST_AUTO_TEST_CASE(percentiles_are_values_that_were_measured)
{
    std::vector<double> values;
    for (int i = 1; i <= 200; ++i)
        values.push_back(i);
    BOOST_TEST(percentile(values, 50) == 100);
    BOOST_TEST(percentile(values, 90) == 180);
    BOOST_TEST(percentile(values, 99) == 198);
    BOOST_TEST(percentile(values, 100) == 200);
    BOOST_TEST(percentile(std::vector{1, 2, 3}, 50) == 2);
    BOOST_TEST(percentile(std::vector{3}, 50) == 3);
    BOOST_TEST(percentile(std::vector{3, 4}, 0) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
