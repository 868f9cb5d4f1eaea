// What all command lines share.

#include <boost/test/unit_test.hpp>

#include <utility>

#include <command_line/percentile.hpp>
#include <command_line/printable.hpp>

using command_line::percentile;
using command_line::printable;

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

BOOST_AUTO_TEST_CASE(printable_text_is_one_line_and_commands_no_terminal)
{
    const std::pair<std::string, const char*> rows[] = {
        {"plain", "plain"},
        {"äß€😀 \xc2\xa0", "äß€😀 \xc2\xa0"},
        {"a\nb\r\t", R"(a\x0ab\x0d\x09)"},
        {"\x1b[31mred", R"(\x1b[31mred)"},
        {"\x7f", R"(\x7f)"},
        {"\xc2\x9b"
         "2J",
         R"(\x9b2J)"},
        {"\xc3\x9b", "\xc3\x9b"},
        {std::string("\0", 1), R"(\x00)"},
        {"\xff", "\xef\xbf\xbd"},
    };
    for (const auto& [text, shown] : rows)
        BOOST_TEST(printable(text) == shown);
}

BOOST_AUTO_TEST_SUITE_END()
