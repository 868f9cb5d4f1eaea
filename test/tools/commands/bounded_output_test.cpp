#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <tools/commands/bounded_output.hpp>

using tools::bounded_output;

namespace {

std::string kept(std::string_view all, std::size_t most, std::size_t piece)
{
    bounded_output output(most);
    for (; !all.empty(); all.remove_prefix(std::min(piece, all.size())))
        output.add(all.substr(0, piece));
    return output.text();
}

} // namespace

BOOST_AUTO_TEST_SUITE(bounded_outputs)

BOOST_AUTO_TEST_CASE(what_fits_is_kept_whole)
{
    for (const std::size_t piece : {1, 3, 100}) {
        BOOST_TEST(kept("", 10, piece) == "");
        BOOST_TEST(kept("0123456789", 10, piece) == "0123456789");
        BOOST_TEST(kept("a\xff", 10, piece) == "a\ufffd");
    }
}

BOOST_AUTO_TEST_CASE(of_more_the_beginning_and_the_end)
{
    for (const std::size_t piece : {1, 2, 3, 7, 100}) {
        BOOST_TEST(kept("0123456789a", 10, piece) == "01234\n[... 1 bytes are left out here ...]\n6789a");
        BOOST_TEST(kept("0123456789abcdefghijklmnopqrstuvwxyz", 10, piece) ==
                   "01234\n[... 26 bytes are left out here ...]\nvwxyz");
    }
}

BOOST_AUTO_TEST_CASE(how_much_is_left_out_is_known)
{
    bounded_output output(100);
    output.add(std::string(1'000'000, 'x'));
    BOOST_TEST(output.bytes_left_out() == 999'900u);
    BOOST_TEST(output.text().size() < 200u);
}

BOOST_AUTO_TEST_SUITE_END()
