#include "mcp/schema/check/number_order.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace partyline::mcp::detail;
namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(number_order)

BOOST_AUTO_TEST_CASE(numbers_of_all_types_are_in_one_exact_order)
{
    using limits = std::numeric_limits<double>;
    const std::vector<json::value> sorted = {
        std::nan(""),
        -limits::infinity(),
        -1e300,
        std::numeric_limits<std::int64_t>::min(),
        std::int64_t(-9007199254740993),
        -9007199254740992.0,
        -1.5,
        std::int64_t(-1),
        -0.5,
        std::int64_t(0),
        5e-324,
        0.5,
        std::uint64_t(1),
        9007199254740992.0,
        std::uint64_t(9007199254740993),
        std::numeric_limits<std::int64_t>::max(),
        9223372036854775808.0,
        std::uint64_t(9223372036854775809u),
        std::numeric_limits<std::uint64_t>::max(),
        18446744073709551616.0,
        limits::infinity(),
    };
    for (std::size_t a = 0; a < sorted.size(); ++a) {
        for (std::size_t b = 0; b < sorted.size(); ++b)
            BOOST_TEST((order_numbers(sorted[a], sorted[b]) == (a <=> b)), "of " << a << " and " << b);
    }
}

BOOST_AUTO_TEST_CASE(a_number_is_the_same_whatever_its_type)
{
    BOOST_TEST((order_numbers(std::int64_t(1), std::uint64_t(1)) == 0));
    BOOST_TEST((order_numbers(1.0, std::uint64_t(1)) == 0));
    BOOST_TEST((order_numbers(std::int64_t(-7), -7.0) == 0));
    BOOST_TEST((order_numbers(-0.0, std::int64_t(0)) == 0));
}

BOOST_AUTO_TEST_CASE(integers_are_numbers_without_a_fraction)
{
    BOOST_TEST(is_integral(1.0));
    BOOST_TEST(is_integral(1e300));
    BOOST_TEST(is_integral(std::uint64_t(7)));
    BOOST_TEST(!is_integral(1.5));
    BOOST_TEST(!is_integral(HUGE_VAL));
    BOOST_TEST(!is_integral("1"));
}

BOOST_AUTO_TEST_CASE(multiples_are_told_by_decimal_digits)
{
    struct row {
        json::value number, of;
        bool is;
    };
    const std::vector<row> rows = {
        {0.0075, 0.0001, true},
        {0.00751, 0.0001, false},
        {0.3, 0.1, true},
        {1.1, 0.1, true},
        {1e308, 0.5, true},
        {1e308, 0.123456789, false},
        {1e308, 5e-324, true},
        {1e-300, 1e300, false},
        {0, 7, true},
        {0.0, 0.3, true},
        {-14, 7, true},
        {-15, 7, false},
        {std::numeric_limits<std::int64_t>::min(), 2, true},
        {std::numeric_limits<std::uint64_t>::max(), 3, true},
        {std::numeric_limits<std::uint64_t>::max(), 2, false},
        {1000, 8.0, true},
        {100, 8.0, false},
        {4.5, 1.5, true},
        {10, 20, false},
        {HUGE_VAL, 1, false},
        {-HUGE_VAL, 1, false},
    };
    for (const row& r : rows)
        BOOST_TEST(is_multiple(r.number, r.of) == r.is, r.number << " of " << r.of);
}

BOOST_AUTO_TEST_SUITE_END()
