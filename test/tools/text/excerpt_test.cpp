#include <boost/test/unit_test.hpp>

#include <tools/text/excerpt.hpp>

using tools::excerpt_of;
using tools::whole_characters;

BOOST_AUTO_TEST_SUITE(excerpts)

BOOST_AUTO_TEST_CASE(a_short_line_is_shown_as_it_is)
{
    BOOST_TEST(excerpt_of("", 0, 0, 10) == "");
    BOOST_TEST(excerpt_of("0123456789", 3, 1, 10) == "0123456789");
    BOOST_TEST(excerpt_of("text\r", 0, 1, 10) == "text");
    BOOST_TEST(excerpt_of("a\xff-b", 0, 1, 10) == "a\ufffd-b");
}

BOOST_AUTO_TEST_CASE(of_a_long_one_what_surrounds_the_match)
{
    const std::string line = "abcdefghijklmnopqrstuvwxyz";
    BOOST_TEST(excerpt_of(line, 0, 2, 10) == "abcdefghij...");
    BOOST_TEST(excerpt_of(line, 12, 2, 10) == "...ijklmnopqr...");
    BOOST_TEST(excerpt_of(line, 24, 2, 10) == "...qrstuvwxyz");
    BOOST_TEST(excerpt_of(line, 12, 20, 10) == "...mnopqrstuv...");
}

BOOST_AUTO_TEST_CASE(no_character_is_cut_in_two)
{
    std::string line;
    for (int i = 0; i < 20; ++i)
        line += "\u20ac"; // three bytes
    for (std::size_t at = 0; at < line.size(); at += 3) {
        const std::string shown = excerpt_of(line, at, 3, 10);
        BOOST_TEST(shown.find("\ufffd") == shown.npos, shown);
    }
}

BOOST_AUTO_TEST_CASE(whole_characters_are_counted_back_from_the_cut)
{
    BOOST_TEST(whole_characters("abc", 2) == 2u);
    BOOST_TEST(whole_characters("abc", 9) == 3u);
    BOOST_TEST(whole_characters("a\u20ac", 3) == 1u);
    BOOST_TEST(whole_characters("a\u20ac-b", 4) == 4u);
    BOOST_TEST(whole_characters("\x80\x80\x80\x80\x80\x80", 5) == 5u); // no UTF-8: cut anywhere
}

BOOST_AUTO_TEST_SUITE_END()
