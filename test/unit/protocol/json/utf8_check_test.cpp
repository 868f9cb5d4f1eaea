#include "protocol/json/utf8_check.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::utf8_check;

namespace {

// Cut in two at any place, and byte by byte: all say the same.
bool is_text(std::string_view bytes)
{
    utf8_check each;
    bool is_right = true;
    for (std::size_t i = 0; i != bytes.size() && is_right; ++i)
        is_right = each.feed(bytes.substr(i, 1));
    is_right = is_right && each.is_whole();
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        utf8_check two;
        const bool same = two.feed(bytes.substr(0, cut)) && two.feed(bytes.substr(cut)) && two.is_whole();
        BOOST_TEST(same == is_right);
    }
    return is_right;
}

bool can_begin(std::string_view bytes)
{
    utf8_check one;
    return one.feed(bytes);
}

} // namespace

BOOST_AUTO_TEST_SUITE(utf8_check_of_pieces)

BOOST_AUTO_TEST_CASE(takes_text_that_is_cut_anywhere)
{
    BOOST_TEST(is_text(""));
    BOOST_TEST(is_text("plain, and longer than a word or two"));
    BOOST_TEST(is_text("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF"));
    BOOST_TEST(is_text("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
    BOOST_TEST(is_text(std::string("a\0b", 3)));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_none)
{
    for (const std::string_view bad :
         {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xC3", "\xC3\x28", "\xE0\x9F\xBF", "\xE2\x98", "\xE2\x28\xA1",
          "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
          "\xFE", "\xFF", "ok\xFFok"})
        BOOST_TEST(!is_text(bad));
}

BOOST_AUTO_TEST_CASE(sees_at_once_what_no_text_can_begin_with)
{
    for (const std::string_view bad : {"\xC0", "\xF5", "\xE0\x80", "\xED\xA0", "\xF0\x80", "\xF4\x90", "\xE2\x98\x28"})
        BOOST_TEST(!can_begin(bad));
    for (const std::string_view good : {"\xC2", "\xE0", "\xE0\xA0", "\xED\x9F", "\xF0\x90", "\xF4\x8F\xBF"})
        BOOST_TEST(can_begin(good));
}

// Every sequence of two bytes, behind every beginning of a longer one.
BOOST_AUTO_TEST_CASE(agrees_with_itself_on_all_pairs)
{
    for (unsigned first = 0; first != 256; ++first) {
        for (unsigned second = 0; second != 256; ++second) {
            const std::string pair{static_cast<char>(first), static_cast<char>(second)};
            utf8_check whole;
            utf8_check cut;
            const bool is_right = whole.feed(pair);
            const bool is_right_cut = cut.feed(pair.substr(0, 1)) && cut.feed(pair.substr(1));
            BOOST_TEST_REQUIRE(is_right == is_right_cut);
            BOOST_TEST_REQUIRE((!is_right || whole.is_whole() == cut.is_whole()));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
