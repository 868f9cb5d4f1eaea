#include "plain_text_server/characters.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace plain_text;

BOOST_AUTO_TEST_SUITE(characters)

BOOST_AUTO_TEST_CASE(positions_count_utf_16_units)
{
    struct row {
        std::string_view line;
        std::size_t units;
        std::vector<std::size_t> bytes; // of each unit, and of the one behind the last
    };
    const std::vector<row> rows = {
        {"", 0, {0}},
        {"abc", 3, {0, 1, 2, 3}},
        {"\u00e9x", 2, {0, 2, 3}},
        {"\u20acx", 2, {0, 3, 4}},
        {"a\U0001F600b", 4, {0, 1, 1, 5, 6}}, // the second half of a pair is its beginning
        {"\U0001F600", 2, {0, 0, 4}},
        {"e\u0301", 2, {0, 1, 3}}, // a combining accent is a character of its own
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.line)
        {
            BOOST_TEST(count_units(r.line) == r.units);
            for (std::size_t unit = 0; unit < r.bytes.size(); ++unit)
                BOOST_TEST(byte_of_unit(r.line, unit) == r.bytes[unit], "unit " << unit);
            BOOST_TEST(byte_of_unit(r.line, r.units + 1000) == r.line.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_utf_8_is_taken_byte_by_byte)
{
    const std::string_view cut = std::string_view("\U0001F600").substr(0, 3); // what follows is not to be looked at
    const std::vector<std::string_view> texts = {"\xff", "\x80", "\xc3", "\xe2\x82", "\xf5\x80\x80\x80", "\xc3(", cut};
    for (const std::string_view text : texts) {
        const character first = read_character(text, 0);
        BOOST_TEST((first.code == 0xFFFD));
        BOOST_TEST(first.bytes == 1u);
        BOOST_TEST(count_units(text) == text.size());
    }
}

BOOST_AUTO_TEST_CASE(blanks_of_all_kinds_are_trimmed)
{
    BOOST_TEST(trim("") == "");
    BOOST_TEST(trim(" \t\u00a0\u3000") == "");
    BOOST_TEST(trim("\u2003 a b\t\u00a0") == "a b");
    BOOST_TEST(trim("x") == "x");
}

BOOST_AUTO_TEST_SUITE_END()
