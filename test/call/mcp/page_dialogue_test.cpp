#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

#include <call/mcp/page_dialogue.hpp>

using call::page_dialogue;
using partyline::mcp::elicit_action;
using partyline::test::contains;

namespace {

partyline::mcp::page_request page_at(std::string url)
{
    partyline::mcp::page_request asked;
    asked.message = "Log in";
    asked.url = std::move(url);
    return asked;
}

} // namespace

BOOST_AUTO_TEST_SUITE(page_dialogues)

BOOST_AUTO_TEST_CASE(the_address_is_shown_in_full_and_commands_no_terminal)
{
    const std::string url = "https://a.example/" + std::string(10'000, 'x') + "/end";
    BOOST_TEST(contains(page_dialogue("s", page_at(url)).begin(), "  " + url + "\nIt is not opened here"));
    BOOST_TEST(page_dialogue("s", page_at("https://a/\x1b[2J")).begin() ==
               "s asks you to open a page:\n  Log in\n  https://a/\\u001b[2J\n"
               "It is not opened here: open it yourself if you trust this address.\n"
               "Do you agree? (yes, no: decline, cancel): ");
}

BOOST_AUTO_TEST_CASE(the_user_agrees_by_a_word_and_not_by_an_empty_line)
{
    const std::pair<const char*, elicit_action> rows[] = {{"y", elicit_action::accept},
                                                          {"yes", elicit_action::accept},
                                                          {"n", elicit_action::decline},
                                                          {"!decline", elicit_action::decline},
                                                          {"cancel", elicit_action::cancel}};
    for (const auto& [word, action] : rows) {
        page_dialogue page("s", page_at("https://a"));
        BOOST_TEST(page.take("") == "Do you agree? (yes, no: decline, cancel): ");
        BOOST_TEST(!page.is_done());
        page.take(word);
        BOOST_TEST((page.is_done() && page.answer() == action));
    }
}

BOOST_AUTO_TEST_CASE(the_end_of_input_cancels)
{
    page_dialogue page("s", page_at("https://a"));
    page.take_end();
    BOOST_TEST((page.is_done() && page.answer() == elicit_action::cancel));
}

BOOST_AUTO_TEST_SUITE_END()
