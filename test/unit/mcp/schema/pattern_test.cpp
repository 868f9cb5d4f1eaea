#include "mcp/schema/pattern/pattern.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline::mcp::detail;

namespace {

bool is_found(std::string_view text, std::string_view in)
{
    step_budget budget(100'000);
    return pattern(text).is_found_in(in, budget);
}

struct row {
    std::string_view text;
    std::vector<std::string_view> in;
    std::vector<std::string_view> not_in;
};

void check(const std::vector<row>& rows)
{
    for (const row& r : rows) {
        for (const std::string_view in : r.in)
            BOOST_TEST(is_found(r.text, in), r.text << " in " << in);
        for (const std::string_view in : r.not_in)
            BOOST_TEST(!is_found(r.text, in), r.text << " in " << in);
    }
}

// "" when it is not refused.
std::string refusal(const std::string& text)
{
    try {
        pattern compiled(text);
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(pattern_)

BOOST_AUTO_TEST_CASE(a_pattern_is_looked_for_anywhere)
{
    check({
        {"", {"", "a"}, {}},
        {"b", {"abc", "b"}, {"", "ac"}},
        {"^b", {"bc"}, {"ab"}},
        {"b$", {"ab"}, {"bc", "b\n"}},
        {"^$", {""}, {"a"}},
        {"a.c",
         {"xabcx", "a\xF0\x9F\x90\xB2"
                   "c"},
         {"ac", "a\nc",
          "a\xE2\x80\xA8"
          "c"}},
        {"^.$", {"\xC3\xA4", "\xFF"}, {"ab"}},
        {"a|^b|c$", {"xa", "bx", "xc"}, {"xbx", "cx"}},
        {"x^a|a$b", {}, {"xa", "ab", "x\na"}},
    });
}

BOOST_AUTO_TEST_CASE(parts_are_repeated)
{
    check({
        {"^ab*c$", {"ac", "abbc"}, {"abab"}},
        {"^ab+?c$", {"abc", "abbc"}, {"ac"}},
        {"^ab??c$", {"ac", "abc"}, {"abbc"}},
        {"^a{2}$", {"aa"}, {"a", "aaa"}},
        {"^a{2,}$", {"aa", "aaaaa"}, {"a"}},
        {"^a{1,3}?$", {"a", "aaa"}, {"", "aaaa"}},
        {"^a{0}$", {""}, {"a"}},
        {"^(ab){2}$", {"abab"}, {"ab", "aabb"}},
        {"^(?:a|bc)*$", {"", "abca", "bcbc"}, {"b", "acb"}},
        {"^(?<year>\\d{4})-\\d\\d$", {"2026-11"}, {"202-11"}},
        {"^(a*)*$", {"", "aaa"}, {"b"}},
        {"^(|a)+$", {"", "aa"}, {"b"}},
        {"^(a|a)*b", {"aaab"}, {"aaaa"}},
        {"^\\{a}$", {"{a}"}, {}},
        {"^{a}{,2}x{1$", {"{a}{,2}x{1"}, {"a"}},
    });
}

BOOST_AUTO_TEST_CASE(classes_hold_characters)
{
    check({
        {"^[a-cx]$", {"a", "b", "c", "x"}, {"d", "-", ""}},
        {"^[^a-c]$", {"d", "\n", "\xC3\xA4"}, {"a", ""}},
        {"^[a-]$", {"a", "-"}, {"b"}},
        {"^[-a]$", {"a", "-"}, {"b"}},
        {"^[]$", {}, {"", "a", "]"}},
        {"^[^]$", {"a", "]"}, {""}},
        {"^[\\]\\\\^]$", {"]", "\\", "^"}, {"a"}},
        {"^[\\d\\s]$", {"7", "\t", "\xC2\xA0"}, {"a"}},
        {"^[^\\W_]$", {"a", "Z", "0"}, {"_", "-"}},
        {"^[\xC3\xA4-\xC3\xBC]$", {"\xC3\xB6"}, {"a", "\xC3\xA3"}},
        {"^[\\u{1F400}-\\u{1F4FF}]$", {"\xF0\x9F\x90\xB2"}, {"a"}},
        {"^[\\b]$", {"\b"}, {"b"}},
        {"^\\w\\W\\d\\D\\s\\S$", {"a-1a b"}, {"aa1a b", "a-1abb"}},
        {"^\\d$", {"0"}, {"\xD9\xA0"}},
    });
}

BOOST_AUTO_TEST_CASE(escapes_are_characters)
{
    check({
        {"^\\t\\n\\v\\f\\r$", {"\t\n\v\f\r"}, {}},
        {"^\\x41\\u0042\\u{43}\\cJ$", {"ABC\n"}, {}},
        {"^\\uD83D\\uDC32$", {"\xF0\x9F\x90\xB2"}, {}},
        {"^\\0$", {std::string_view("\0", 1)}, {"0"}},
        {"^\\.\\-\\/\\$\\@$", {".-/$@"}, {"a-/$@"}},
    });
}

BOOST_AUTO_TEST_CASE(what_takes_more_than_linear_time_is_refused)
{
    const std::string where = " of the pattern: ";
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"(a)\\1", "at character 5" + where + "back-references cannot be matched in linear time"},
        {"(?<x>a)\\k<x>", "at character 9" + where + "back-references cannot be matched in linear time"},
        {"a(?=b)", "at character 3" + where + "look-around cannot be matched in linear time"},
        {"a(?!b)", "at character 3" + where + "look-around cannot be matched in linear time"},
        {"(?<=a)b", "at character 2" + where + "look-around cannot be matched in linear time"},
        {"(?<!a)b", "at character 2" + where + "look-around cannot be matched in linear time"},
        {"\\bа", "at character 2" + where + "word boundaries are not supported"},
        {"\\p{L}", "at character 2" + where + "classes by Unicode property are not supported"},
        {"(a{1000}){1000}", "the pattern with its repetitions is longer than 4000 steps"},
        {"((()*){1000}){1000}", "the pattern with its repetitions is longer than 4000 steps"},
        {"a{1001}", "at character 7" + where + "more than 1000 repetitions"},
        {"a{99999999999999999999,}", "at character 24" + where + "more than 1000 repetitions"},
        {std::string(4097, 'a'), "at character 0" + where + "it is longer than 4096 bytes"},
        {std::string(40, '('), "at character 33" + where + "more than 32 groups in each other"},
    };
    for (const auto& [text, why] : rows)
        BOOST_TEST(refusal(text) == why, text);
}

BOOST_AUTO_TEST_CASE(what_is_no_pattern_is_refused)
{
    const std::vector<std::string> texts = {"*",     "a**",   "a|+",         "(",      ")",   "(a",     "a)",
                                            "[",     "[a",    "[b-a]",       "\\",     "[\\", "a{2,1}", "\\u12",
                                            "\\xZ0", "\\u{}", "\\u{110000}", "\\c1",   "\\q", "(?a)",   "(?<x",
                                            "^*",    "$+",    "\\07",        "[a-\\d]"};
    for (const std::string& text : texts)
        BOOST_TEST(refusal(text) != "", text);
}

BOOST_AUTO_TEST_SUITE_END()
