// A form on a terminal, without the terminal.

#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

#include <call/mcp/form_dialogue.hpp>

using call::form_dialogue;
using partyline::mcp::elicit_action;
using partyline::test::contains;

namespace {

partyline::mcp::elicit_request asking(const char* properties)
{
    partyline::mcp::elicit_request asked;
    asked.message = "Who?\nSay it.\x1b[2J";
    asked.schema =
        boost::json::parse(std::string(R"({"type":"object","properties":)") + properties + R"(,"required":["name"]})")
            .as_object();
    return asked;
}

const char* const two_fields = R"({"name":{"type":"string"},"age":{"type":"integer"}})";

std::string content_of(const form_dialogue& form)
{
    return boost::json::serialize(form.answer().content());
}

} // namespace

BOOST_AUTO_TEST_SUITE(form_dialogues)

BOOST_AUTO_TEST_CASE(fields_are_asked_one_after_the_other_and_sent_when_the_user_has_seen_them_all)
{
    form_dialogue form("server\n", asking(two_fields));
    BOOST_TEST(form.begin() == "server\\u000a asks:\n  Who?\n  Say it.\\u001b[2J\n"
                               "(!decline and !cancel end this without an answer.)\nname (text): ");
    BOOST_TEST(form.take("Ada") == "age (integer; Enter leaves it out): ");
    BOOST_TEST(form.take("36") == "To be sent to server\\u000a:\n  name: \"Ada\"\n  age: 36\n"
                                  "Send it? (yes, no: decline, again, cancel): ");
    BOOST_TEST(!form.is_done());
    BOOST_TEST(form.take("yes") == "");
    BOOST_TEST(form.is_done());
    BOOST_TEST((form.answer().action() == elicit_action::accept));
    BOOST_TEST(content_of(form) == R"({"name":"Ada","age":36})");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_asked_for_again)
{
    form_dialogue form("s", asking(two_fields));
    form.begin();
    BOOST_TEST(form.take("") == "name: it may not be left out\nname (text): ");
    form.take("Ada");
    BOOST_TEST(form.take("x") == "age: it is no integer\nage (integer; Enter leaves it out): ");
    form.take("");
    form.take("y");
    BOOST_TEST(content_of(form) == R"({"name":"Ada"})");
}

BOOST_AUTO_TEST_CASE(the_user_may_begin_again)
{
    form_dialogue form("s", asking(two_fields));
    form.begin();
    form.take("Ada");
    form.take("1");
    BOOST_TEST(form.take("again") == "name (text): ");
    form.take("Eve");
    BOOST_TEST(!contains(form.take(""), "age"));
    form.take("y");
    BOOST_TEST(content_of(form) == R"({"name":"Eve"})");
}

BOOST_AUTO_TEST_CASE(it_can_be_declined_and_cancelled_at_any_time)
{
    const std::pair<const char*, elicit_action> early[] = {{"!decline", elicit_action::decline},
                                                           {"!cancel", elicit_action::cancel}};
    for (const auto& [word, action] : early) {
        form_dialogue form("s", asking(two_fields));
        form.begin();
        form.take("Ada");
        BOOST_TEST(form.take(word) == "");
        BOOST_TEST((form.is_done() && form.answer().action() == action));
        BOOST_TEST(content_of(form) == "{}");
    }
    const std::pair<const char*, elicit_action> late[] = {{"no", elicit_action::decline},
                                                          {"n", elicit_action::decline},
                                                          {"cancel", elicit_action::cancel},
                                                          {"!decline", elicit_action::decline}};
    for (const auto& [word, action] : late) {
        form_dialogue form("s", asking(two_fields));
        form.begin();
        form.take("Ada");
        form.take("");
        form.take(word);
        BOOST_TEST((form.is_done() && form.answer().action() == action));
        BOOST_TEST(content_of(form) == "{}");
    }
}

BOOST_AUTO_TEST_CASE(the_end_of_input_cancels)
{
    form_dialogue form("s", asking(two_fields));
    form.begin();
    BOOST_TEST(form.take_end() == "\n");
    BOOST_TEST((form.is_done() && form.answer().action() == elicit_action::cancel));
}

BOOST_AUTO_TEST_CASE(an_empty_line_agrees_to_nothing)
{
    form_dialogue form("s", asking("{}"));
    BOOST_TEST(contains(form.begin(), "No values are sent to s, only that you accept.\nSend it?"));
    BOOST_TEST(contains(form.take(""), "Send it?"));
    BOOST_TEST(contains(form.take("sure"), "Send it?"));
    BOOST_TEST(!form.is_done());
    form.take("y");
    BOOST_TEST((form.answer().action() == elicit_action::accept));
}

BOOST_AUTO_TEST_SUITE_END()
