#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include <call/output/pretty_json.hpp>

using call::result_style;

namespace {

std::string written(std::string_view json, result_style style = result_style::indented)
{
    std::ostringstream out;
    call::write_json(out, json, style);
    return out.str();
}

std::string nested(std::size_t depth, const std::string& inner)
{
    return std::string(depth, '[') + inner + std::string(depth, ']');
}

std::string without_space(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(pretty_json)

BOOST_AUTO_TEST_CASE(for_a_program_it_is_as_it_came)
{
    const std::string text = "{ \"a\":[1.0,\t\"\u202e\x7f\"] }";
    BOOST_TEST(written(text, result_style::exact) == text);
}

BOOST_AUTO_TEST_CASE(a_member_or_an_element_has_a_line)
{
    const std::pair<const char*, const char*> rows[] = {
        {"1", "1"},
        {"\"a\"", "\"a\""},
        {"[]", "[]"},
        {"{}", "{}"},
        {"[ ]", "[]"},
        {"{\n}", "{}"},
        {"[1]", "[\n  1\n]"},
        {"[[],{}]", "[\n  [],\n  {}\n]"},
        {R"({"a":1,"b":[true,null]})", "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ]\n}"},
        {" { \"a\"\t:\r\n[ 1 , 2 ] } ", "{\n  \"a\": [\n    1,\n    2\n  ]\n}"},
        {R"(["[1,{\"x\":2}]","\\",":"])", "[\n  \"[1,{\\\"x\\\":2}]\",\n  \"\\\\\",\n  \":\"\n]"},
    };
    for (const auto& [json, pretty] : rows)
        BOOST_TEST(written(json) == pretty);
}

BOOST_AUTO_TEST_CASE(numbers_and_strings_keep_their_text)
{
    for (const char* const text : {"1.0", "-0", "1e400", "12345678901234567890123", "0.1000", "1E+2", R"("\u00fc")",
                                   "\"ü\"", R"("\/")", "\"\\u001b\""}) {
        BOOST_TEST(written(text) == text);
        BOOST_TEST(written("[" + std::string(text) + "]") == "[\n  " + std::string(text) + "\n]");
    }
}

BOOST_AUTO_TEST_CASE(nothing_in_it_commands_the_terminal_and_it_is_the_same_value)
{
    const std::pair<const char*, const char*> rows[] = {
        {"\"\u009b31m\x7f\"", R"("\u009b31m\u007f")"},
        {"\"\u202e\u2066\u2028\"", R"("\u202e\u2066\u2028")"},
        {"{\"\u009d\":1}", "{\n  \"\\u009d\": 1\n}"},
    };
    for (const auto& [json, shown] : rows) {
        BOOST_TEST(written(json) == shown);
        BOOST_TEST(boost::json::parse(shown) == boost::json::parse(json));
    }
}

BOOST_AUTO_TEST_CASE(colours_tell_names_strings_numbers_and_words_apart)
{
    BOOST_TEST(written(R"({"a" :"b","c":[-1,true]})", result_style::colored) ==
               "{\n  \x1b[1;34m\"a\"\x1b[0m: \x1b[32m\"b\"\x1b[0m,\n  \x1b[1;34m\"c\"\x1b[0m: [\n"
               "    \x1b[36m-1\x1b[0m,\n    \x1b[35mtrue\x1b[0m\n  ]\n}");
}

BOOST_AUTO_TEST_CASE(what_is_nested_deep_stands_on_one_line)
{
    const std::string inner = R"([1,{"a":[],"b":{"c":2}}])";
    BOOST_TEST(written(nested(20, inner))
                   .find("\n" + std::string(40, ' ') +
                         R"([1,{"a": [],"b": {"c": 2}}])"
                         "\n") != std::string::npos);
    BOOST_TEST(without_space(written(nested(20, inner))) == nested(20, inner));

    const std::string abyss = nested(500'000, "1"); // no recursion, and no indentation beyond the first levels
    const std::string shown = written(abyss, result_style::colored);
    BOOST_TEST(shown.size() < abyss.size() + 2000);
    BOOST_TEST(std::ranges::count(shown, '\n') == 40);
}

BOOST_AUTO_TEST_CASE(a_large_text_is_written_in_pieces_and_whole)
{
    std::string text = "[";
    for (int i = 0; i < 100'000; ++i)
        text += "\"element\",";
    text += "0]";
    BOOST_TEST((without_space(written(text)) == text));
}

BOOST_AUTO_TEST_SUITE_END()
