#include <boost/test/unit_test.hpp>

#include <call/output/result_style.hpp>

using call::color_choice;
using call::result_style;
using call::style_of;

BOOST_AUTO_TEST_SUITE(result_styles)

BOOST_AUTO_TEST_CASE(a_program_that_reads_it_gets_it_exactly)
{
    for (const color_choice wanted : {color_choice::automatic, color_choice::never})
        BOOST_TEST((style_of(wanted, false, nullptr, "xterm") == result_style::exact));
}

BOOST_AUTO_TEST_CASE(a_terminal_has_colours_unless_it_has_none_or_they_are_not_wanted)
{
    const auto style_at = [](const char* no_color, const char* term) {
        return style_of(color_choice::automatic, true, no_color, term);
    };
    BOOST_TEST((style_at(nullptr, "xterm") == result_style::colored));
    BOOST_TEST((style_at("", "xterm") == result_style::colored)); // set, but empty, as no-color.org has it
    BOOST_TEST((style_at("1", "xterm") == result_style::indented));
    BOOST_TEST((style_at("0", "xterm") == result_style::indented)); // any value
    BOOST_TEST((style_at(nullptr, "dumb") == result_style::indented));
    BOOST_TEST((style_at(nullptr, "") == result_style::indented));
    BOOST_TEST((style_at(nullptr, nullptr) == result_style::indented));
}

BOOST_AUTO_TEST_CASE(the_command_line_has_the_last_word)
{
    BOOST_TEST((style_of(color_choice::never, true, nullptr, "xterm") == result_style::indented));
    BOOST_TEST((style_of(color_choice::always, true, "1", "dumb") == result_style::colored));
    BOOST_TEST((style_of(color_choice::always, false, "1", nullptr) == result_style::colored));
}

BOOST_AUTO_TEST_SUITE_END()
