// From the schema of a form to a question, and from what is typed to a value.

#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

#include <call/mcp/form_field.hpp>

using call::form_field;
using partyline::test::contains;

namespace {

// That a schema has, as the member `f`.
form_field field_of(const std::string& schema, bool is_required = false)
{
    const std::string required = is_required ? R"("required":["f"])" : R"("required":["other"])";
    const auto form = boost::json::parse(R"({"type":"object","properties":{"f":)" + schema + "}," + required + '}');
    return call::read_form(form.as_object()).at(0);
}

// What a line comes to: JSON, nothing, or "!" and the problem.
std::string typed(const form_field& field, std::string_view line)
{
    const call::typed_value read = call::read_typed(field, line);
    if (!read.problem.empty())
        return '!' + read.problem;
    return read.value ? boost::json::serialize(*read.value) : std::string();
}

const char* const text = R"({"type":"string"})";
const char* const short_text = R"({"type":"string","minLength":2,"maxLength":3,"title":"T","description":"D"})";
const char* const integer = R"({"type":"integer","minimum":1,"maximum":10})";
const char* const number = R"({"type":"number","minimum":0.5})";
const char* const boolean = R"({"type":"boolean"})";
const char* const choice = R"({"type":"string","enum":["red","2","blue"]})";
const char* const titled = R"({"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]})";
const char* const several =
    R"({"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b","c"]}})";
const char* const several_titled =
    R"({"type":"array","items":{"anyOf":[{"const":"x","title":"An X"},{"const":"y","title":"A Y"}]}})";
const char* const odd = R"({"type":"object"})";

} // namespace

BOOST_AUTO_TEST_SUITE(form_fields)

BOOST_AUTO_TEST_CASE(a_question_says_what_the_field_may_be)
{
    const std::pair<const char*, const char*> rows[] = {
        {text, "f (text; Enter leaves it out): "},
        {short_text, "T: D\nf (text, 2 to 3 characters; Enter leaves it out): "},
        {R"({"type":"string","format":"email","default":"a@b"})", "f (text, email; Enter: a@b): "},
        {integer, "f (integer, 1 to 10; Enter leaves it out): "},
        {number, "f (number, at least 0.5; Enter leaves it out): "},
        {R"({"type":"number","default":95.5,"maximum":100})", "f (number, at most 100; Enter: 95.5): "},
        {boolean, "f (yes or no; Enter leaves it out): "},
        {choice, "  1) red\n  2) 2\n  3) blue\nf (1 to 3; Enter leaves it out): "},
        {titled, "  1) r: Red\n  2) g: Green\nf (1 to 2; Enter leaves it out): "},
        {R"({"type":"string","enum":["a","b"],"enumNames":["A","B"]})",
         "  1) a: A\n  2) b: B\nf (1 to 2; Enter leaves it out): "},
        {several, "  1) a\n  2) b\n  3) c\nf (some of 1 to 3, as 1,2, 1 to 2 of them; Enter leaves it out): "},
        {several_titled, "  1) x: An X\n  2) y: A Y\nf (some of 1 to 2, as 1,2; Enter leaves it out): "},
        {odd, "f (JSON; Enter leaves it out): "},
    };
    for (const auto& [schema, question] : rows)
        BOOST_TEST(call::question_of(field_of(schema)) == question);
    BOOST_TEST(call::question_of(field_of(text, true)) == "f (text): ");
}

BOOST_AUTO_TEST_CASE(nothing_in_it_commands_a_terminal)
{
    const std::string question =
        call::question_of(field_of(R"({"type":"string","title":"\u001b[2J","description":"a\nb",)"
                                   R"("enum":["\u001b[1m","\u202e"],"default":"\u202e"})"));
    for (const char* const unsafe : {"\x1b", "\u202e", "a\nb"})
        BOOST_TEST(!contains(question, unsafe), question);
}

BOOST_AUTO_TEST_CASE(a_long_list_of_choices_is_cut_and_can_still_be_typed)
{
    std::string all;
    for (int i = 0; i != 1000; ++i)
        all += (i ? ",\"v" : "\"v") + std::to_string(i) + '"';
    const form_field field = field_of(R"({"enum":[)" + all + "]}");
    BOOST_TEST(contains(call::question_of(field), "  100) v99\n  ...\n"));
    BOOST_TEST(typed(field, "v999") == "\"v999\"");
    BOOST_TEST(typed(field, "1000") == "\"v999\"");
}

BOOST_AUTO_TEST_CASE(what_is_typed_becomes_a_value_or_a_problem)
{
    const std::pair<std::pair<const char*, const char*>, const char*> rows[] = {
        {{text, " a b "}, "\" a b \""},
        {{text, "5"}, "\"5\""},
        {{text, "\"  \""}, "\"  \""},
        {{text, "\"open"}, R"("\"open")"},
        {{text, "a\xff"}, "!it is not UTF-8"},
        {{short_text, "\u00e4\u00f6\u00fc"}, "\"\u00e4\u00f6\u00fc\""},
        {{short_text, "a"}, "!it has to be at least 2 characters"},
        {{short_text, "abcd"}, "!it may be at most 3 characters"},
        {{integer, " 7 "}, "7"},
        {{integer, "1e1"}, "10"},
        {{integer, "7.5"}, "!it is no integer"},
        {{integer, "\"7\""}, "!it is no integer"},
        {{integer, "seven"}, "!it is no integer"},
        {{integer, "0"}, "!it has to be at least 1"},
        {{integer, "11"}, "!it may be at most 10"},
        {{number, "0.5"}, "5E-1"},
        {{number, "-1"}, "!it has to be at least 0.5"},
        {{number, "1,5"}, "!it is no number"},
        {{boolean, "y"}, "true"},
        {{boolean, "yes"}, "true"},
        {{boolean, "false"}, "false"},
        {{boolean, "1"}, "!it is neither yes nor no"},
        {{choice, "red"}, "\"red\""},
        {{choice, "2"}, "\"2\""},
        {{choice, "3"}, "\"blue\""},
        {{choice, "4"}, "!there is no such choice"},
        {{choice, "0"}, "!there is no such choice"},
        {{choice, "green"}, "!there is no such choice"},
        {{titled, "Green"}, "\"g\""},
        {{titled, "1"}, "\"r\""},
        {{several, "1, c"}, R"(["a","c"])"},
        {{several, "1,a,1"}, R"(["a"])"},
        {{several, R"(["b"])"}, R"(["b"])"},
        {{several, "[]"}, "!it has to be at least 1 of them"},
        {{several, "1,2,3"}, "!it may be at most 2 of them"},
        {{several, "1,,2"}, "!there is no such choice"},
        {{several, R"(["d"])"}, "!there is no such choice: \"d\""},
        {{several, "[1"}, "!it is no JSON array"},
        {{several_titled, "A Y"}, R"(["y"])"},
        {{several_titled, "[]"}, "[]"},
        {{odd, R"({"a":[1]})"}, R"({"a":[1]})"},
        {{odd, "{"}, "!it is not JSON"},
    };
    for (const auto& [given, expected] : rows)
        BOOST_TEST(typed(field_of(given.first), given.second) == expected, given.first << ": " << given.second);
}

BOOST_AUTO_TEST_CASE(an_empty_line_is_the_default_or_leaves_the_field_out_unless_it_is_required)
{
    BOOST_TEST(typed(field_of(text), "") == "");
    BOOST_TEST(typed(field_of(text), "  ") == "");
    BOOST_TEST(typed(field_of(text, true), "") == "!it may not be left out");
    BOOST_TEST(typed(field_of(R"({"type":"integer","default":3})", true), "") == "3");
    BOOST_TEST(typed(field_of(R"({"type":"boolean","default":false})"), "") == "false");
    BOOST_TEST(typed(field_of(R"({"type":"array","items":{"enum":["a"]},"default":["a"]})"), "") == R"(["a"])");
}

BOOST_AUTO_TEST_CASE(a_default_that_the_field_may_not_be_is_none)
{
    BOOST_TEST(typed(field_of(R"({"type":"integer","default":"x"})", true), "") == "!it may not be left out");
    BOOST_TEST(typed(field_of(R"({"type":"integer","minimum":5,"default":1})", true), "") == "!it may not be left out");
    BOOST_TEST(typed(field_of(R"({"enum":["a"],"default":"b"})", true), "") == "!it may not be left out");
}

BOOST_AUTO_TEST_CASE(a_schema_without_sense_has_no_fields_or_asks_for_json)
{
    BOOST_TEST(call::read_form({}).empty());
    BOOST_TEST(call::read_form(boost::json::parse(R"({"properties":[1]})").as_object()).empty());
    const auto odd_form =
        boost::json::parse(R"({"properties":{"a":7,"b":{"type":["string"]},"c":{"enum":[]}},"required":[1]})");
    const auto fields = call::read_form(odd_form.as_object());
    BOOST_TEST(fields.size() == 3u);
    for (const form_field& each : fields)
        BOOST_TEST((each.type == form_field::kind::json && !each.is_required));
}

BOOST_AUTO_TEST_SUITE_END()
