#include "protocol/message/whole_number.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

using partyline::whole_number;

BOOST_AUTO_TEST_SUITE(whole_number_)

BOOST_AUTO_TEST_CASE(it_is_the_same_however_it_is_written)
{
    struct row {
        std::string text;
        std::uint64_t number;
    };
    const std::vector<row> rows = {
        {"1", 1},
        {"1.0", 1},
        {"1e0", 1},
        {"1E+0", 1},
        {"10e-1", 1},
        {"0.1e1", 1},
        {"0.001e3", 1},
        {"1.50e1", 15},
        {"120", 120},
        {"1.2e2", 120},
        {"100.000", 100},
        {"9007199254740993", 9007199254740993}, // no double
        {"9007199254740993.0", 9007199254740993},
        {"18446744073709551615", 18446744073709551615u},
        {"184467440737095516150e-1", 18446744073709551615u},
        {"1" + std::string(500, '0') + "e-500", 1},
        {"0." + std::string(499, '0') + "1e500", 1},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
    BOOST_TEST(whole_number(r.text) == r.number);
}

BOOST_AUTO_TEST_CASE(what_is_none_above_zero_is_0)
{
    for (const std::string text :
         {"", "0", "-0", "-1", "0.0", "0e999999999", "0e99999999999999999999", "1.5", "15e-1", "1e-1", "1e999999999",
          "1e-999999999", "1e99999999999999999999", "1e-99999999999999999999", "18446744073709551616", "1e20", "null",
          "\"1\"", "0.99999999999999999999"})
        BOOST_TEST_CONTEXT(text)
    BOOST_TEST(whole_number(text) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
