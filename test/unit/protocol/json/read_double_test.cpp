#include "protocol/json/read_double.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

using namespace partyline;

BOOST_AUTO_TEST_SUITE(read_double_suite)

BOOST_AUTO_TEST_CASE(both_ways_read_the_nearest_double)
{
    const struct {
        std::string text;
        double number;
    } rows[] = {
        {"0", 0},
        {"-1.5", -1.5},
        {"0.1", 0.1},
        {"1e23", 1e23},
        {"9007199254740993", 9007199254740992.0}, // halfway: to even
        {"9007199254740993.0000000000000000000000000000000000000001", 9007199254740994.0},
        {"1.7976931348623157e308", std::numeric_limits<double>::max()},
        {"2.2250738585072014E-308", std::numeric_limits<double>::min()},
        {"5e-324", std::numeric_limits<double>::denorm_min()},
        {"-1.0e-310", -1.0e-310},
        {"0e999", 0},
        {"0." + std::string(400, '0') + "1e401", 1},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.text)
        {
            const std::string text = row.text + ",2]"; // as within an array
            const char* const end = text.data() + row.text.size();
            double number = 7;
            BOOST_TEST((read_double(text.data(), text.data() + text.size(), number) == end));
            BOOST_TEST(number == row.number);
            number = 7;
            BOOST_TEST((read_double_by_strtod(text.data(), text.data() + text.size(), number) == end));
            BOOST_TEST(number == row.number);
        }
    }
}

BOOST_AUTO_TEST_CASE(both_ways_refuse_what_no_double_is_near_to_and_what_is_no_number)
{
    for (const std::string text : {"1e309", "-1.8e308", "1e-400", "-1e-400", "", "+1", "-", ".", "e1", "]"}) {
        BOOST_TEST_CONTEXT(text)
        {
            double number = 7;
            BOOST_TEST(!read_double(text.data(), text.data() + text.size(), number));
            BOOST_TEST(!read_double_by_strtod(text.data(), text.data() + text.size(), number));
            BOOST_TEST(number == 7);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
