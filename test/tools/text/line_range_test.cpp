#include "support/text_search.hpp"
#include "tools/folders.hpp"
#include "tools/refusal.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <tools/read_lines.hpp>
#include <tools/text/line_range.hpp>

using partyline::test::contains;
using tools::file_reader;
using tools::line_range;
using tools::lines_read;
using tools::test::folders;
using tools::test::refusal_of;

namespace {

struct fixture : folders {
    lines_read read(std::string_view content, const line_range& wanted, tools::stop_check is_stopped = {}) const
    {
        file_reader reader = reader_of(content, std::move(is_stopped));
        return read_line_range(reader, wanted);
    }
    // "text|last of all, next", with ! for a cut line.
    std::string summary(std::string_view content, const line_range& wanted) const
    {
        const lines_read got = read(content, wanted);
        return got.text + "|" + std::to_string(got.last) + " of " + std::to_string(got.lines_in_file) +
               (got.is_line_cut ? "!" : "") + (got.next ? ", " + std::to_string(*got.next) : "");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(line_ranges, fixture)

BOOST_AUTO_TEST_CASE(lines_of_a_file)
{
    BOOST_TEST(summary("a\nb\nc\n", {}) == "a\nb\nc\n|3 of 3");
    BOOST_TEST(summary("a\nb\nc", {}) == "a\nb\nc|3 of 3");
    BOOST_TEST(summary("a\nb\nc\n", {.from = 2}) == "b\nc\n|3 of 3");
    BOOST_TEST(summary("a\nb\nc\n", {.from = 2, .to = 2}) == "b\n|2 of 3");
    BOOST_TEST(summary("a\nb\nc\n", {.from = 3, .to = 99}) == "c\n|3 of 3");
    BOOST_TEST(summary("a\r\n\n", {}) == "a\r\n\n|2 of 2");
    BOOST_TEST(summary("", {}) == "|0 of 0");
    BOOST_TEST(summary("\n", {}) == "\n|1 of 1");
    BOOST_TEST(summary("a\xff\n", {}) == "a\ufffd\n|1 of 1");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_left_for_the_next_time)
{
    BOOST_TEST(summary("aa\nbb\ncc\n", {.max_bytes = 9}) == "aa\nbb\ncc\n|3 of 3");
    BOOST_TEST(summary("aa\nbb\ncc\n", {.max_bytes = 8}) == "aa\nbb\n|2 of 3, 3");
    BOOST_TEST(summary("aa\nbb\ncc\n", {.from = 2, .max_bytes = 3}) == "bb\n|2 of 3, 3");
    BOOST_TEST(summary("aa\nbb\ncc\n", {.from = 1, .to = 2, .max_bytes = 6}) == "aa\nbb\n|2 of 3");
    BOOST_TEST(summary("aa\nbb\ncc\n", {.from = 1, .to = 2, .max_bytes = 5}) == "aa\n|1 of 3, 2");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_by_itself_is_cut)
{
    BOOST_TEST(summary("aaaa\nbb\n", {.max_bytes = 3}) == "aaa|1 of 2!, 2");
    BOOST_TEST(summary("aaaa\nbb\n", {.from = 1, .to = 1, .max_bytes = 3}) == "aaa|1 of 2!");
    BOOST_TEST(summary("aaaa", {.max_bytes = 3}) == "aaa|1 of 1!");
    BOOST_TEST(summary("a\u20ac\n", {.max_bytes = 3}) == "a|1 of 1!");
    const std::string huge(1'000'000, 'x');
    const lines_read got = read(huge + "\nend\n", {.max_bytes = 100});
    BOOST_TEST(got.text == huge.substr(0, 100));
    BOOST_TEST(got.next.value() == 2u);
    BOOST_TEST(got.lines_in_file == 2u);
    BOOST_TEST(summary(huge + "\nend\n", {.from = 2}) == "end\n|2 of 2");
}

BOOST_AUTO_TEST_CASE(from_page_to_page_nothing_is_lost)
{
    std::string content;
    for (int i = 1; i <= 30000; ++i)
        content += "line " + std::to_string(i) + "\n";
    std::string all;
    line_range wanted{.max_bytes = 10000};
    for (int pages = 0; pages < 100; ++pages) {
        const lines_read got = read(content, wanted);
        all += got.text;
        if (!got.next)
            break;
        BOOST_TEST(got.last + 1 == *got.next);
        wanted.from = *got.next;
    }
    BOOST_TEST((all == content));
}

BOOST_AUTO_TEST_CASE(ranges_that_make_no_sense_are_refused)
{
    const auto refusal = [&](std::string_view content, const line_range& wanted) {
        return refusal_of([&] { read(content, wanted); });
    };
    BOOST_TEST(contains(refusal("a\nb\n", {.from = 3}), "'file' has 2 lines: there is no line 3"));
    BOOST_TEST(contains(refusal("", {.from = 2}), "'file' has 0 lines: there is no line 2"));
    BOOST_TEST(contains(refusal("a\n", {.from = 0}), "the first line of a file is 1, not 0"));
    BOOST_TEST(contains(refusal("a\n", {.from = 2, .to = 1}), "lines 2 to 1: the range ends before it begins"));
    BOOST_TEST(contains(refusal(std::string_view("a\0", 2), {}), "'file' is no text: there are zero bytes in it"));
}

BOOST_AUTO_TEST_CASE(it_stops_when_it_is_told_to)
{
    int asked = 0;
    BOOST_CHECK_THROW(read(std::string(1'000'000, '\n'), {}, [&] { return ++asked > 3; }), boost::system::system_error);
    BOOST_TEST(asked == 4);
}

BOOST_AUTO_TEST_CASE(the_tool_names_the_file_and_says_where_to_go_on)
{
    const tools::root_set roots({root});
    tools::tool_limits limits;
    const tools::read_result whole = read_lines(roots, limits, {.file = root / "deep/b.txt"});
    BOOST_TEST(whole.file == "deep/b.txt");
    BOOST_TEST(whole.text == "deep within\n");
    BOOST_TEST(whole.to == 1u);
    BOOST_TEST(!whole.truncated);
    write("three", "one\ntwo\nthree\n");
    limits.text_bytes = 8;
    const tools::read_result part = read_lines(roots, limits, {.file = "three"});
    BOOST_TEST(part.text == "one\ntwo\n");
    BOOST_TEST(part.truncated);
    BOOST_TEST(part.next.value() == 3u);
    BOOST_TEST(part.lines_in_file == 3u);
    BOOST_TEST(
        contains(refusal_of([&] { read_lines(roots, limits, {.file = "../outside/secret.txt"}); }), "leads out"));
}

BOOST_AUTO_TEST_SUITE_END()
