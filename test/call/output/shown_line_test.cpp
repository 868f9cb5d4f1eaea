#include <boost/test/unit_test.hpp>

#include <call/output/shown_line.hpp>

BOOST_AUTO_TEST_SUITE(shown_lines_and_texts)

BOOST_AUTO_TEST_CASE(lines_are_indented_and_command_no_terminal)
{
    BOOST_TEST(call::shown_lines("a\x1b[2J\nb\r", "> ") == "> a\\u001b[2J\n> b\\u000d\n");
    BOOST_TEST(call::shown_lines("a\n\nb\n", "") == "a\n\nb\n");
    BOOST_TEST(call::shown_lines("", "> ") == "");
}

BOOST_AUTO_TEST_CASE(there_are_a_hundred_lines_at_most)
{
    const std::string shown = call::shown_lines(std::string(1000, '\n'), "");
    BOOST_TEST(shown == std::string(100, '\n') + "...\n");
    BOOST_TEST(call::shown_lines(std::string(100, '\n'), "") == std::string(100, '\n'));
}

BOOST_AUTO_TEST_CASE(a_text_keeps_its_line_breaks_and_tabs)
{
    BOOST_TEST(call::shown_text("a\tb\n\nc\x1b[2J\n") == "a\tb\n\nc\\u001b[2J\n");
    BOOST_TEST(call::shown_text("\u202e") == "\\u202e");
    BOOST_TEST(call::shown_text("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
