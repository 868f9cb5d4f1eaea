#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <tools/commands/output_lines.hpp>

using tools::output_lines;

namespace {

std::string told(std::string_view all, std::size_t piece)
{
    std::string lines;
    output_lines output([&](std::string_view line) { lines += "[" + std::string(line) + "]"; });
    for (; !all.empty(); all.remove_prefix(std::min(piece, all.size())))
        output.feed(all.substr(0, piece));
    output.finish();
    return lines;
}

} // namespace

BOOST_AUTO_TEST_SUITE(lines_of_output)

BOOST_AUTO_TEST_CASE(lines_are_told_in_whatever_pieces_they_come)
{
    for (const std::size_t piece : {1, 2, 3, 100}) {
        BOOST_TEST(told("", piece) == "");
        BOOST_TEST(told("one\ntwo\n", piece) == "[one][two]");
        BOOST_TEST(told("one\r\ntwo", piece) == "[one][two]");
        BOOST_TEST(told("\n\n", piece) == "[][]");
        BOOST_TEST(told("a\xff\n", piece) == "[a\ufffd]");
    }
}

BOOST_AUTO_TEST_CASE(a_long_line_is_cut)
{
    const std::string whole(1000, 'x');
    for (const std::size_t piece : {1, 999, 100000}) {
        BOOST_TEST(told(whole + "\n", piece) == "[" + whole + "]");
        BOOST_TEST(told(whole + "y\nz", piece) == "[" + whole + "...][z]");
        BOOST_TEST(told(std::string(50000, 'x'), piece) == "[" + whole + "...]");
    }
}

BOOST_AUTO_TEST_SUITE_END()
