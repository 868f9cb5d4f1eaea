#include "plain_text_server/document.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace plain_text;

namespace {

constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();

std::vector<std::string> lines_of(const document& text)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < text.line_count(); ++i)
        lines.emplace_back(text.line(i));
    return lines;
}

// Whether the lines are those of the text when it is read afresh.
void check_lines(const document& text)
{
    BOOST_TEST(lines_of(text) == lines_of(document(0, text.text())), boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_SUITE(documents_text)

BOOST_AUTO_TEST_CASE(lines_end_with_lf_crlf_or_cr)
{
    struct row {
        std::string text;
        std::vector<std::string> lines;
    };
    const std::vector<row> rows = {
        {"", {""}},
        {"a", {"a"}},
        {"a\n", {"a", ""}},
        {"a\r\n", {"a", ""}},
        {"a\r", {"a", ""}},
        {"a\r\nb\nc\rd", {"a", "b", "c", "d"}},
        {"\n\r", {"", "", ""}},
        {"\r\r\n", {"", "", ""}},
        {"\u00e9\u2028x", {"\u00e9\u2028x"}}, // not a line end in LSP
    };
    for (const row& r : rows)
        BOOST_TEST(lines_of(document(1, r.text)) == r.lines, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(positions_that_do_not_exist_are_brought_back)
{
    struct row {
        std::string text;
        position at;
        std::size_t offset;
    };
    const std::vector<row> rows = {
        {"", {0, 0}, 0},
        {"", {7, 7}, 0},
        {"ab\ncd", {0, 2}, 2},
        {"ab\ncd", {0, 3}, 2},
        {"ab\r\ncd", {0, 3}, 2}, // not between CR and LF
        {"ab\r\ncd", {0, largest}, 2},
        {"ab\r\ncd", {1, 0}, 4},
        {"ab\ncd", {1, largest}, 5},
        {"ab\ncd\n", {2, 0}, 6},
        {"ab\ncd", {2, 0}, 5},
        {"ab\ncd", {largest, largest}, 5},
        {"\U0001F600!", {0, 1}, 0}, // within the pair
        {"\U0001F600!", {0, 2}, 4},
        {"\u20ac\U0001F600\u00e9!", {0, 4}, 9},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.text << " " << r.at.line << ':' << r.at.character)
        BOOST_TEST(document(1, r.text).offset_of(r.at) == r.offset);
    }
}

BOOST_AUTO_TEST_CASE(bytes_have_positions)
{
    const document text(1, "a\n\U0001F600x\u00e9y");
    BOOST_TEST((text.position_of(1, 0) == position{1, 0}));
    BOOST_TEST((text.position_of(1, 4) == position{1, 2}));
    BOOST_TEST((text.position_of(1, 7) == position{1, 4}));
    BOOST_TEST((text.position_of(1, 8) == position{1, 5}));
}

BOOST_AUTO_TEST_CASE(changes_are_applied)
{
    struct row {
        std::string before;
        std::vector<text_change> changes;
        std::string after;
    };
    const std::vector<row> rows = {
        {"abc", {}, "abc"},
        {"abc", {{std::nullopt, "x\ny"}}, "x\ny"},
        {"abc", {{range{{0, 1}, {0, 2}}, "X"}}, "aXc"},
        {"abc", {{range{{0, 3}, {0, 3}}, "\nd"}}, "abc\nd"},
        {"a\nb\nc", {{range{{0, 1}, {2, 0}}, ""}}, "ac"},
        {"a\r\nb", {{range{{0, 1}, {1, 0}}, ""}}, "ab"},
        {"a\U0001F600b", {{range{{0, 1}, {0, 3}}, "\u00e9"}}, "a\u00e9b"},
        // Each counts from what the one before has left.
        {"abc", {{range{{0, 0}, {0, 0}}, "1\n"}, {range{{1, 0}, {1, 1}}, "A"}}, "1\nAbc"},
        {"abc", {{range{{0, 0}, {0, 3}}, ""}, {std::nullopt, "new"}, {range{{0, 3}, {0, 3}}, "er"}}, "newer"},
        // What makes no sense does no harm.
        {"abc", {{range{{0, 2}, {0, 1}}, "X"}}, "aXc"},
        {"abc", {{range{{9, 9}, {0, 0}}, "X"}}, "X"},
        {"abc", {{range{{largest, 0}, {largest, largest}}, "X"}}, "abcX"},
        {"a\U0001F600b", {{range{{0, 2}, {0, 2}}, "X"}}, "aX\U0001F600b"},
        // A line end that is put together, or taken apart.
        {"a\rb", {{range{{1, 0}, {1, 0}}, "\n"}}, "a\r\nb"},
        {"x\na\rb\nc", {{range{{2, 0}, {2, 1}}, "\n\n"}}, "x\na\r\n\n\nc"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.before << " -> " << r.after)
        {
            const document before(1, r.before);
            const document after = before.changed(2, r.changes);
            BOOST_TEST(after.text() == r.after);
            BOOST_TEST(after.version() == 2);
            check_lines(after);
            BOOST_TEST(before.text() == r.before);
        }
    }
}

BOOST_AUTO_TEST_CASE(lines_stay_right_whatever_is_changed)
{
    std::mt19937 random(1);
    const auto any = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    const std::vector<std::string> pieces = {"",       "\n",         "\r",  "\r\n", "a",
                                             "\u00e9", "\U0001F600", "a\r", "\nb",  "x\r\ny\n"};
    document text(0, "one\r\ntwo\rthree\n");
    for (int version = 1; version < 2000; ++version) {
        const range where{{any(8), any(5)}, {any(8), any(5)}};
        text = text.changed(version, {{where, pieces[any(static_cast<std::uint32_t>(pieces.size()))]}});
        check_lines(text);
    }
}

BOOST_AUTO_TEST_CASE(lines_stay_right_in_texts_of_many_blocks)
{
    std::mt19937 random(2);
    const auto any = [&](std::size_t end) { return static_cast<std::uint32_t>(random() % end); };
    const std::string line_end[] = {"\n", "\r\n", "\r"};
    for (const std::string& end : line_end) {
        std::string lines;
        while (lines.size() < 40'000)
            lines += std::string(any(60), 'x') + end;
        const std::vector<std::string> pieces = {"", "a", "\n", "\r", "\r\n", lines.substr(0, 9'000)};
        document text(0, lines);
        for (int version = 1; version < 300; ++version) {
            const std::uint32_t line = any(text.line_count());
            const range where{{line, any(60)}, {line + any(any(10) == 0 ? 300 : 3), any(2)}};
            const std::size_t first = text.offset_of(where.start);
            const std::size_t last = text.offset_of(where.end);
            const std::string& piece = pieces[any(pieces.size())];
            std::string expected = text.text();
            expected.replace(std::min(first, last), std::max(first, last) - std::min(first, last), piece);
            text = text.changed(version, {{where, piece}});
            BOOST_TEST_REQUIRE(text.text() == expected);
            BOOST_TEST_REQUIRE(lines_of(text) == lines_of(document(0, expected)));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
