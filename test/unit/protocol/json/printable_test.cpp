#include <partyline/protocol/printable.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using partyline::printable;

BOOST_AUTO_TEST_SUITE(printable_text)

// rule: security.text.escaped
BOOST_AUTO_TEST_CASE(is_one_line_and_commands_no_terminal)
{
    const std::pair<std::string, std::string> rows[] = {
        {"", ""},
        {"plain \\ \"text\"", "plain \\ \"text\""},
        {"äß€😀 \u00a0\u00ad\ufeff", "äß€😀 \u00a0\u00ad\ufeff"},
        {"a\nb\r\t", R"(a\u000ab\u000d\u0009)"},
        {"\x1b[31mred", R"(\u001b[31mred)"},
        {std::string("\0\x1f ", 3), R"(\u0000\u001f )"},
        {"~\x7f", R"(~\u007f)"},
        {"\u0080\u009b2J\u009f\u00a0", "\\u0080\\u009b2J\\u009f\u00a0"},
        {"\xc3\x9b", "\xc3\x9b"},                                   // has a byte of the sequence above
        {"\u061b\u061c\u061d", "\u061b\\u061c\u061d"},              // Arabic letter mark
        {"\u200d\u200e\u200f\u2010", "\u200d\\u200e\\u200f\u2010"}, // left to right, right to left marks
        {"\u2027\u2028\u2029", "\u2027\\u2028\\u2029"},             // separators of lines and paragraphs
        {"\u202a\u202b\u202c\u202d\u202e\u202f", "\\u202a\\u202b\\u202c\\u202d\\u202e\u202f"}, // embeddings, overrides
        {"\u2065\u2066\u2067\u2068\u2069\u206a", "\u2065\\u2066\\u2067\\u2068\\u2069\u206a"},  // isolates
        {"\U0001202e\U0010ffff", "\U0001202e\U0010ffff"},
        {"\xff", "\ufffd"},
        {"a\xc2", "a\ufffd"},
        {"\xe2\x80", "\ufffd\ufffd"}, // a part of an override
        {"\xc0\x9b", "\ufffd\ufffd"}, // overlong, as some decoders took it
        {"\xe0\x82\x9b", "\ufffd\ufffd\ufffd"},
        {"\x9b\x31m", "\ufffd\x31m"}, // what an eight-bit terminal obeys
    };
    for (const auto& [text, shown] : rows) {
        BOOST_TEST(printable(text) == shown);
        BOOST_TEST(printable(shown) == shown);
    }
}

BOOST_AUTO_TEST_CASE(is_cut_between_characters_and_says_so)
{
    const struct {
        const char* text;
        std::size_t max_bytes;
        const char* shown;
    } rows[] = {
        {"abcd", 4, "abcd"},
        {"abcd", 3, "abc..."},
        {"abcd", 0, "..."},
        {"", 0, ""},
        {"a€b", 3, "a..."},
        {"a€b", 4, "a€..."},
        {"a\nb", 6, "a..."},
        {"a\nb", 7, "a\\u000a..."},
        {"\xff"
         "a",
         3, "\ufffd..."},
    };
    for (const auto& [text, max_bytes, shown] : rows)
        BOOST_TEST(printable(text, max_bytes) == shown);
    const std::string long_text(5'000'000, '\n');
    BOOST_TEST(printable(long_text, 60).size() == 63u);
}

BOOST_AUTO_TEST_SUITE_END()
