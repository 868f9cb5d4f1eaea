#include "refusal.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

#include <call/params.hpp>

using call::params_of;
using partyline::test::contains;
using words = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(params)

BOOST_AUTO_TEST_CASE(no_words_are_no_params)
{
    BOOST_TEST(params_of({}).empty());
}

BOOST_AUTO_TEST_CASE(a_json_text_is_kept_as_it_is)
{
    for (const char* const text : {R"({"a":1.0,"b":[1e400, 12345678901234567890]})", "[]", "{}", "[1, 2]",
                                   R"({"a":1,"a":2})", R"(["ü", "\u00fc"])"})
        BOOST_TEST(params_of({text}).text() == text);
    BOOST_TEST(params_of({"[1,\n2]"}).text() == "[1, 2]"); // a message is one line
    const std::string deep = std::string(5000, '[') + std::string(5000, ']');
    BOOST_TEST(params_of({deep}).text() == deep); // the session's limit says how deep it may be
}

BOOST_AUTO_TEST_CASE(pairs_are_the_members_of_an_object)
{
    const std::pair<words, const char*> rows[] = {
        {{"a=1", "b=2"}, R"({"a":1,"b":2})"},
        {{"a=1.0"}, R"({"a":1.0})"},
        {{"a=12345678901234567890123"}, R"({"a":12345678901234567890123})"},
        {{"a=true", "b=null", "c=false"}, R"({"a":true,"b":null,"c":false})"},
        {{"a=[1,{\"b\":2}]"}, R"({"a":[1,{"b":2}]})"},
        {{"a=\"1\""}, R"({"a":"1"})"},
        {{"a=word", "b=two words"}, R"({"a":"word","b":"two words"})"},
        {{"a="}, R"({"a":""})"},
        {{"a=b=c"}, R"({"a":"b=c"})"},
        {{"a={", "b=01", "c=nul", "d=1.", "e=-"}, R"({"a":"{","b":"01","c":"nul","d":"1.","e":"-"})"},
        {{"a=say \"x\"\n"}, R"({"a":"say \"x\"\n"})"},
        {{"a\"b=1"}, R"({"a\"b":1})"},
        {{"ü=ü"}, R"({"ü":"ü"})"},
    };
    for (const auto& [given, text] : rows)
        BOOST_TEST(params_of(given).text() == text);
}

BOOST_AUTO_TEST_CASE(what_can_be_no_params_is_refused_in_words_that_name_it)
{
    const std::pair<words, const char*> rows[] = {
        {{"{\"a\":}"}, "the params are not JSON (at byte 5): '{\"a\":}'"},
        {{"[1,2"}, "not JSON (at byte 4)"},
        {{"[1] [2]"}, "not JSON (at byte 4)"},
        {{"{\"a\x1b\": 1}"}, "'{\"a\\u001b\": 1}'"},
        {{"[\"\xff\"]"}, "not JSON (at byte 2)"},
        {{"[1]", "[2]"}, "unexpected argument '[2]' behind the params"},
        {{"{}", "a=1"}, "unexpected argument 'a=1' behind the params"},
        {{"word"}, "unexpected argument 'word'"},
        {{"a=1", "word"}, "unexpected argument 'word'"},
        {{"a=1", "{}"}, "unexpected argument '{}'"},
        {{"=1"}, "unexpected argument '=1'"},
        {{""}, "unexpected argument ''"},
        {{"a=1", "b=2", "a=3"}, "the parameter 'a' is given twice"},
        {{"a=\xff"}, "is not UTF-8"},
        {{"\xff=1"}, "is not UTF-8"},
    };
    for (const auto& [given, said] : rows) {
        const std::string refused = call::test::refusal_of([&] { params_of(given); });
        BOOST_TEST(contains(refused, said), refused);
    }
}

BOOST_AUTO_TEST_SUITE_END()
