// Values of fields are skipped 16 bytes at a time: the end is the same wherever it stands.

#include "http/wire/skip_value.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline::http;

BOOST_AUTO_TEST_SUITE(http_skip_value)

BOOST_AUTO_TEST_CASE(each_byte_at_each_place_ends_a_value_or_does_not)
{
    constexpr std::size_t length = 40;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        for (std::size_t place = 0; place < length; ++place) {
            std::string text(length, 'x');
            text[place] = c;
            const std::size_t end = is_in(c, is_value_char) ? length : place;
            BOOST_REQUIRE_EQUAL(skip_value(text, 0), end);
            BOOST_REQUIRE_EQUAL(skip_value(text, place), end);
            BOOST_REQUIRE_EQUAL(skip_value(std::string_view(text).substr(0, place), 0), place); // it has not come yet
        }
    }
}

BOOST_AUTO_TEST_CASE(the_first_of_several_is_found)
{
    for (std::size_t first = 0; first < 30; ++first)
        BOOST_TEST(skip_value(std::string(first, '\t') + '\r' + std::string(5, 'x') + '\n', 0) == first);
}

BOOST_AUTO_TEST_SUITE_END()
