#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <call/input/input_lines.hpp>

namespace {

// "1:text 2:text", with ! for a line that was too long; the input comes in pieces of `size` bytes.
std::string split(std::string_view input, std::size_t size, std::size_t most = 100)
{
    call::input_lines lines(most);
    std::string all;
    const auto take = [&] {
        while (const auto line = lines.next())
            all += std::to_string(line->number) + (line->is_oversize ? "!" : ":" + line->text) + " ";
    };
    for (; !input.empty(); input.remove_prefix(std::min(size, input.size()))) {
        lines.feed(input.substr(0, size));
        take();
    }
    lines.finish();
    take();
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(lines_of_input)

BOOST_AUTO_TEST_CASE(lines_are_cut_and_counted_in_whatever_pieces_they_come)
{
    for (const std::size_t size : {1, 2, 3, 100}) {
        BOOST_TEST(split("one\ntwo\n", size) == "1:one 2:two ");
        BOOST_TEST(split("one\ntwo", size) == "1:one 2:two ");
        BOOST_TEST(split("\n \t\r\none\n\n\ntwo", size) == "3:one 6:two ");
        BOOST_TEST(split("", size) == "");
        BOOST_TEST(split("\n", size) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_in_front_is_no_part_of_the_first_line)
{
    const std::string mark = "\xEF\xBB\xBF";
    for (const std::size_t size : {1, 2, 3, 100}) {
        BOOST_TEST(split(mark + "one\n" + mark + "two", size) == "1:one 2:" + mark + "two ");
        BOOST_TEST(split(mark + "\none", size) == "2:one ");
        BOOST_TEST(split(mark, size) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_discarded_and_counted)
{
    for (const std::size_t size : {1, 2, 3, 100}) {
        BOOST_TEST(split("123\n1234\n12\n", size, 3) == "1:123 2! 3:12 ");
        BOOST_TEST(split("12345678", size, 3) == "1! ");
        BOOST_TEST(split("      \n12", size, 3) == "1! 2:12 ");
    }
}

BOOST_AUTO_TEST_SUITE_END()
