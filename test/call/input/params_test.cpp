#include "call/refusal.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <utility>

#include <call/input/params.hpp>

using partyline::test::contains;
using words = std::vector<std::string>;

namespace {

// What the files hold that are there.
const std::map<std::string, std::string> files{
    {"object.json", "{\"a\": 1.0,\n \"b\": [1e400]}\n"},
    {"array.json", "\n [1, 12345678901234567890]"},
    {"-", "[\"from standard input\"]"},
    {"a=b.json", "[true]"},
    {"number", "1.50\n"},
    {"text", "two\nlines\n"},
    {"empty", ""},
    {"broken.json", "{\n  \"ä\": 1\n  \"b\": 2}"},
    {"umlaut.json", "{\"ä\": \"ü\" 1}"},
    {"bytes", "a\xff"},
};

std::string read(const std::string& file)
{
    return files.at(file);
}

partyline::json_text params_of(const words& given)
{
    return call::params_of(given, read);
}

} // namespace

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

BOOST_AUTO_TEST_CASE(other_words_are_the_elements_of_an_array)
{
    const std::pair<words, const char*> rows[] = {
        {{"2", "40"}, "[2,40]"},
        {{"hello"}, R"(["hello"])"},
        {{"\"2\""}, R"(["2"])"},
        {{"-5"}, "[-5]"},
        {{"-5x", "-", "--"}, R"(["-5x","-","--"])"},
        {{"1.0", "12345678901234567890123", "1e400"}, "[1.0,12345678901234567890123,1e400]"},
        {{"true", "null", "nul", "01"}, R"([true,null,"nul","01"])"},
        {{"two words", ""}, R"(["two words",""])"},
        {{""}, R"([""])"},
        {{"[1]", "2"}, "[[1],2]"},
        {{"{}", "[]"}, "[{},[]]"},
        {{"[[1]]"}, "[[1]]"}, // a single array as an element
        {{"\"a=b\"", "[\"c=d\"]"}, R"(["a=b",["c=d"]])"},
        {{"\"@x\""}, R"(["@x"])"},
        {{"user@host"}, R"(["user@host"])"},
        {{"say \"x\""}, R"(["say \"x\""])"},
    };
    for (const auto& [given, text] : rows)
        BOOST_TEST(params_of(given).text() == text);
}

BOOST_AUTO_TEST_CASE(a_file_or_standard_input_holds_all_params)
{
    BOOST_TEST(params_of({"@object.json"}).text() == "{\"a\": 1.0,  \"b\": [1e400]} ");
    BOOST_TEST(params_of({"@array.json"}).text() == "  [1, 12345678901234567890]");
    BOOST_TEST(params_of({"@a=b.json"}).text() == "[true]");
    BOOST_TEST(params_of({"-"}).text() == R"(["from standard input"])");
    BOOST_TEST(params_of({"@-"}).text() == R"(["from standard input"])");
}

BOOST_AUTO_TEST_CASE(a_file_holds_a_value)
{
    const std::pair<words, const char*> rows[] = {
        {{"a=@number", "b=@text", "c=@empty"}, "{\"a\":1.50 ,\"b\":\"two\\nlines\\n\",\"c\":\"\"}"},
        {{"a=@array.json"}, "{\"a\":  [1, 12345678901234567890]}"},
        {{"a=@-", "b=\"@x\""}, R"({"a":["from standard input"],"b":"@x"})"},
        {{"a=@broken.json"}, R"({"a":"{\n  \"ä\": 1\n  \"b\": 2}"})"},
        {{"@number", "@text"}, R"([1.50 ,"two\nlines\n"])"},
        {{"@a=b.json", "1"}, R"([[true],1])"},
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
        {{" [1"}, "the params are not JSON (at byte 3)"},
        {{"[1,", "2]"}, "'[1,' is not JSON: line 1, column 4: unexpected end; the string is written '\"[1,\"'"},
        {{"1", "{x"}, "'{x' is not JSON: line 1, column 2: expected the name of a member"},
        {{"[1]", "b=2"}, "'b=2' and '[1]' do not go together"},
        {{"a=1", "word"},
         "'a=1' and 'word' do not go together: params are either all name=value or all values; "
         "the string a=1 is written '\"a=1\"'"},
        {{"{}", "a=1"}, "'a=1' and '{}' do not go together"},
        {{"a=1", "@text"}, "'a=1' and '@text' do not go together"},
        {{"a=1", "@a=b.json"}, "'a=1' and '@a=b.json' do not go together"},
        {{"a=1", ""}, "'a=1' and '' do not go together"},
        {{"=1"}, "'=1' has no name before the =; the string is written '\"=1\"'"},
        {{"@"}, "'@' names no file; the string is written '\"@\"'"},
        {{"a=@"}, "'@' names no file"},
        {{"@broken.json"}, "broken.json is not JSON: line 3, column 3: expected ',' or '}'"},
        {{"@umlaut.json"}, "umlaut.json is not JSON: line 1, column 11: expected ',' or '}'"}, // characters, not bytes
        {{"@empty"}, "empty is not JSON: line 1, column 1: "},
        {{"@text"}, "text is not JSON: line 1, column 2: expected a value"},
        {{"@number"}, "number holds no params: expected a JSON array or object"},
        {{"@bytes"}, "bytes is not JSON: line 1, column 1: expected a value"},
        {{"a=@bytes"}, "bytes is not UTF-8"},
        {{"\xff"}, "is not UTF-8"},
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
