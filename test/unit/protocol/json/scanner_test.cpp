#include "protocol/json/scanner.hpp"
#include "unit/protocol/exact_text.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using partyline::scanner;
using partyline::test::exact_text;

namespace {

/// -1 for valid JSON, else where it stops being that.
int fault_of(std::string_view text, std::size_t room = 64)
{
    const exact_text exact(text);
    scanner scan;
    scan.start(exact);
    const char* const p = scan.skip_value(scanner::skip_space(exact.view().data()), room);
    return p && scan.at_end(p) ? -1 : static_cast<int>(scan.offset());
}

std::string decoded(std::string_view text)
{
    const exact_text exact(text);
    scanner scan;
    scan.start(exact);
    std::string_view out;
    std::string memory;
    return scan.read_string(exact.view().data(), out, memory) == scan.end() ? std::string(out) : "<refused>";
}

} // namespace

BOOST_AUTO_TEST_SUITE(scanner_)

BOOST_AUTO_TEST_CASE(every_kind_of_value_is_taken)
{
    const std::vector<std::string> texts = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "10",
        "-1",
        "1.5",
        "1e0",
        "1E+5",
        "0e-7",
        "-0.0e00",
        "1e400",
        R"("")",
        R"("a")",
        R"("\"\\\/\b\f\n\r\t")",
        R"("\u0041\uD834\uDD1E")",
        R"("\u0000")",
        R"("\uD800")",
        R"("\uD800x")",
        R"("\uD800\n")",
        R"("\uD800\u0041")",
        R"("ab\uDC00")",
        R"("\uD800\uD800")",
        R"({"\uDC00\uD800":"\udfff"})",
        "\"\x7F\"",
        "\"\xC2\x80\"",
        "\"\xE0\xA0\x80\"",
        "\"\xED\x9F\xBF\"",
        "\"\xEE\x80\x80\"",
        "\"\xEF\xBF\xBF\"",
        "\"\xF0\x90\x80\x80\"",
        "\"\xF4\x8F\xBF\xBF\"",
        "[]",
        "{}",
        "[1,2]",
        R"({"a":1,"b":[{}]})",
        " [ 1 , 2 ] ",
        "\t{ \"a\"\r\n: 1 , \"b\" :2 } \n",
        R"({"a":1,"a":2})",
        "[[[[]]],[]]",
        R"("a long text of more than sixteen bytes, then \u00e9 and 16 more of them")",
    };
    for (const std::string& text : texts)
        BOOST_TEST_CONTEXT(text)
    BOOST_TEST(fault_of(text) == -1);
}

BOOST_AUTO_TEST_CASE(what_is_not_json_is_refused_where_it_goes_wrong)
{
    struct row {
        std::string text;
        int place;
    };
    const std::vector<row> rows = {
        {"", 0},
        {" ", 1},
        {"nul", 3},
        {"nulx", 3},
        {"True", 0},
        {"truee", 4},
        {"NaN", 0},
        {"Infinity", 0},
        {"01", 1},
        {"-", 1},
        {"+1", 0},
        {".5", 0},
        {"1.", 2},
        {"1.e5", 2},
        {"1e", 2},
        {"1e+", 3},
        {"0x1", 1},
        {"--1", 1},
        {"1 2", 2},
        {"[", 1},
        {"]", 0},
        {"[1", 2},
        {"[1,", 3},
        {"[1,]", 3},
        {"[,1]", 1},
        {"[1 2]", 3},
        {"[1}", 2},
        {"{", 1},
        {"{]", 1},
        {"{1:2}", 1},
        {R"({"a")", 4},
        {R"({"a":)", 5},
        {R"({"a":1)", 6},
        {R"({"a":1,)", 7},
        {R"({"a":1,})", 7},
        {R"({"a" 1})", 5},
        {R"({"a":1 "b":2})", 7},
        {R"({"a":1])", 6},
        {R"({a:1})", 1},
        {"{'a':1}", 1},
        {R"("a)", 2},
        {R"("\)", 2},
        {R"("\x")", 2},
        {R"("\u12")", 1},
        {R"("\u12G4")", 1},
        {R"("\uD800\u12")", 7},
        {R"("\uD80")", 1},
        {"\"a\nb\"", 2},
        {"\"a\tb\"", 2},
        {"\"a\x1F\"", 2},
        {"// c\n1", 0},
        {"1 // c", 2},
        {"/**/1", 0},
        {std::string("1\0", 2), 1},
        {std::string("\"a\0b\"", 5), 2},
        {std::string("[1,\0]", 5), 3},
        {std::string("\0", 1), 0},
        {"\xEF\xBB\xBF{}", 0},
        {"\v1", 0},
        {"\xC2\xA0"
         "1",
         0},
        {"\"\x80\"", 1},
        {"\"\xBF\"", 1},
        {"\"\xC0\x80\"", 1},
        {"\"\xC1\xBF\"", 1},
        {"\"\xC2\"", 1},
        {"\"\xC2\x41\"", 1},
        {"\"\xE0\x9F\xBF\"", 1},
        {"\"\xE1\x80\"", 1},
        {"\"\xED\xA0\x80\"", 1},
        {"\"\xED\xBF\xBF\"", 1},
        {"\"\xF0\x8F\xBF\xBF\"", 1},
        {"\"\xF4\x90\x80\x80\"", 1},
        {"\"\xF5\x80\x80\x80\"", 1},
        {"\"\xF0\x90\x80\"", 1},
        {"\"\xFE\"", 1},
        {"\"\xFF\"", 1},
        {"\"\xC3\xA9\xC3\"", 3},
        {"\"\xF0\x90", 1},
        {"{\"\xFF\":1}", 2},
        {"\"0123456789abcdef0123456789abcdef\xFF\"", 33},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
    BOOST_TEST(fault_of(r.text) == r.place);
}

BOOST_AUTO_TEST_CASE(a_fault_is_found_at_every_distance_from_the_end)
{
    for (std::size_t before = 0; before < 40; ++before)
        for (std::size_t after = 0; after < 40; ++after) {
            const std::string head = '"' + std::string(before, 'x'), tail = std::string(after, 'y') + '"';
            BOOST_TEST(fault_of(head + "z" + tail) == -1);
            BOOST_TEST(fault_of(head + "\x01" + tail) == static_cast<int>(before + 1));
            BOOST_TEST(fault_of(head + "\xFF" + tail) == static_cast<int>(before + 1));
            BOOST_TEST(decoded(head + "\\n" + tail).size() == before + after + 1);
        }
}

BOOST_AUTO_TEST_CASE(strings_are_decoded)
{
    struct row {
        std::string text, expected;
    };
    const std::vector<row> rows = {
        {R"("")", ""},
        {R"("plain")", "plain"},
        {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
        {R"("\u0041")", "A"},
        {R"("\u0000")", std::string(1, '\0')},
        {R"("\u00e9\u00E9")", "\xC3\xA9\xC3\xA9"},
        {R"("\u20ac")", "\xE2\x82\xAC"},
        {R"("\uD834\uDD1E")", "\xF0\x9D\x84\x9E"},
        {R"("\uDBFF\uDFFF")", "\xF4\x8F\xBF\xBF"},
        {R"("\uD83D")", "\xED\xA0\xBD"}, // as UTF-8 would have it, if it had any for half a pair
        {R"("\ud83d\ud83d\ude00\n")", "\xED\xA0\xBD\xF0\x9F\x98\x80\n"},
        {R"("\uDC00\uD800")", "\xED\xB0\x80\xED\xA0\x80"},
        {"\"\xC3\xA9\\n\xC3\xA9\"", "\xC3\xA9\n\xC3\xA9"},
        {"\"\xE2\x82\xAC\"", "\xE2\x82\xAC"},
        {R"("a\n)", "<refused>"},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
    BOOST_TEST(decoded(r.text) == r.expected);
}

BOOST_AUTO_TEST_CASE(nesting_is_bounded_and_not_recursive)
{
    BOOST_TEST(fault_of("1", 0) == -1);
    BOOST_TEST(fault_of("[]", 0) == 0);
    BOOST_TEST(fault_of("[[]]", 2) == -1);
    BOOST_TEST(fault_of("[[[]]]", 2) == 2);
    BOOST_TEST(fault_of(R"([{"a":{}}])", 2) == 6);
    BOOST_TEST(fault_of("[[],[],[[]]]", 3) == -1);
    const std::size_t deep = 200'000;
    BOOST_TEST(fault_of(std::string(deep, '[') + std::string(deep, ']'), deep) == -1);
    BOOST_TEST(fault_of(std::string(deep, '['), deep) == static_cast<int>(deep));
}

BOOST_AUTO_TEST_SUITE_END()
