#include "support/text_search.hpp"
#include "tools/folders.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <tools/text/text_search.hpp>

using partyline::test::contains;
using tools::file_reader;
using tools::found_line;
using tools::letter_case;
using tools::root_folder;
using tools::text_search;
using tools::test::folders;
using tools::test::refusal_of;

namespace {

struct fixture : folders {
    // "1:text 2:text", with what came of it when that was not a search to the end.
    std::string search(std::string_view content, const std::string& text,
                       letter_case sensitivity = letter_case::matters, std::size_t most = 100) const
    {
        file_reader reader = reader_of(content);
        std::string all;
        const auto take = [&](found_line found) {
            all += std::to_string(found.line) + ":" + found.text + " ";
            return --most > 0;
        };
        const auto how = text_search(text, sensitivity).search(reader, take);
        return all + (how == text_search::result::is_binary ? "binary"
                      : how == text_search::result::enough  ? "enough"
                                                            : "");
    }
};

constexpr std::size_t buffer = std::size_t(128) << 10; // as the search has it

} // namespace

BOOST_FIXTURE_TEST_SUITE(text_searches, fixture)

BOOST_AUTO_TEST_CASE(lines_are_found_and_counted)
{
    BOOST_TEST(search("one\ntwo\nthree\n", "o") == "1:one 2:two ");
    BOOST_TEST(search("one\ntwo\nthree\n", "three") == "3:three ");
    BOOST_TEST(search("one\n\n\ntwo", "two") == "4:two ");
    BOOST_TEST(search("two two\ntwo\r\n", "two") == "1:two two 2:two ");
    BOOST_TEST(search("", "x") == "");
    BOOST_TEST(search("\n\n\n", "x") == "");
    BOOST_TEST(search("ab\ncd", "bc") == "");
    BOOST_TEST(search("x", "xx") == "");
    BOOST_TEST(search("a.c\nabc\n", "a.c") == "1:a.c ");
}

BOOST_AUTO_TEST_CASE(letters_of_ascii_may_be_alike)
{
    BOOST_TEST(search("One\nONE\none\n\u00c9\n", "oNe") == "");
    BOOST_TEST(search("One\nONE\none\n", "oNe", letter_case::ignored) == "1:One 2:ONE 3:one ");
    BOOST_TEST(search("\u00c9\n\u00e9\n", "\u00e9", letter_case::ignored) == "2:\u00e9 ");
}

BOOST_AUTO_TEST_CASE(it_stops_when_it_has_enough)
{
    BOOST_TEST(search("a\na\na\n", "a", letter_case::matters, 2) == "1:a 2:a enough");
}

BOOST_AUTO_TEST_CASE(binary_files_are_passed_over)
{
    BOOST_TEST(search(std::string_view("text\n\0text\n", 11), "text") == "binary");
    const std::string late = std::string(8192, '\n') + std::string(1, '\0') + "text\n";
    BOOST_TEST(contains(search(late, "text"), "8193:"));
}

BOOST_AUTO_TEST_CASE(what_is_shown_is_valid_utf_8)
{
    BOOST_TEST(search("a\xff\xfe text\n", "text") == "1:a\ufffd\ufffd text ");
}

BOOST_AUTO_TEST_CASE(files_that_are_longer_than_the_buffer)
{
    std::string content;
    for (int i = 1; i <= 100000; ++i)
        content += "line " + std::to_string(i) + (i % 33333 == 0 ? " needle\n" : "\n");
    BOOST_TEST(search(content, "needle") == "33333:line 33333 needle 66666:line 66666 needle 99999:line 99999 needle ");
    BOOST_TEST(search(content, "100000") == "100000:line 100000 ");
}

BOOST_AUTO_TEST_CASE(a_text_across_the_end_of_the_buffer_is_found_once)
{
    for (const std::size_t before :
         {buffer - 7, buffer - 6, buffer - 3, buffer - 1, buffer, 2 * buffer - 3, 3 * buffer}) {
        const std::string filler(before, '.');
        const std::string one_line = search(filler + "needle" + filler + "\nneedle\n", "needle");
        BOOST_TEST(partyline::test::count_of(one_line, "1:") == 1, before);
        BOOST_TEST(contains(one_line, "2:needle"), before);
        std::string lines(before, '\n');
        BOOST_TEST(search(lines + "needle\n", "needle") == std::to_string(before + 1) + ":needle ", before);
    }
}

BOOST_AUTO_TEST_CASE(a_line_of_any_length_is_told_once_and_cut)
{
    std::string line;
    for (std::size_t i = 0; i < 8 * buffer / 6; ++i)
        line += "needle";
    const std::string found = search(line + "\nx\nneedle", "needle");
    BOOST_TEST(partyline::test::count_of(found, ":") == 2);
    BOOST_TEST(contains(found, "3:needle"));
    BOOST_TEST(found.size() < 500u);
    BOOST_TEST(contains(search(std::string(1000, '-') + "needle" + std::string(1000, '-'), "needle"), "--needle--"));
}

BOOST_AUTO_TEST_CASE(texts_that_make_no_sense_are_refused)
{
    const auto refusal = [](const std::string& text) {
        return refusal_of([&] { text_search(text, letter_case::matters); });
    };
    BOOST_TEST(contains(refusal(""), "the text to look for has 0 bytes, expected 1 to 1000"));
    BOOST_TEST(contains(refusal(std::string(1001, 'x')), "has 1001 bytes"));
    BOOST_TEST(contains(refusal("a\nb"), "has several lines, expected one: 'a\\u000ab'"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_too_long_is_refused)
{
    const root_folder all(root);
    BOOST_TEST(contains(refusal_of([&] { file_reader(all.open_file("a.txt"), "a.txt", 3); }),
                        "'a.txt' is longer than 3 bytes, which --max-file-bytes allows"));
    file_reader grows(all.open_file("a.txt"), "a.txt", 7);
    write("a.txt", "within, and longer by now\n");
    std::string room(100, '\0');
    BOOST_TEST(contains(refusal_of([&] { grows.read(room.data(), room.size()); }), "longer than 7 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()
