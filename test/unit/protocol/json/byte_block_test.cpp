// Blocks of bytes: what was found in them, by this processor's way and by the one for any.

#include "protocol/json/byte_block.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

using namespace partyline;

BOOST_AUTO_TEST_SUITE(byte_blocks)

BOOST_AUTO_TEST_CASE(nothing_is_found_where_there_is_nothing)
{
    const byte_block compared = load_block(std::string(16, 'a').data()) == 'b';
    BOOST_TEST(!block_matches(compared));
    BOOST_TEST(shifted_match_bits(compared) == 0U);
}

BOOST_AUTO_TEST_CASE(the_first_is_found_whatever_comes_after_it)
{
    for (std::size_t first = 0; first != 16; ++first)
        for (std::size_t after = first; after != 16; ++after) {
            std::string text(16, 'a');
            text[first] = text[after] = '\xff';
            const byte_block compared = load_block(text.data()) == static_cast<signed char>(0xff);
            const block_matches found(compared);
            BOOST_TEST_REQUIRE(static_cast<bool>(found));
            BOOST_TEST(found.first() == first);
            BOOST_TEST(std::countr_zero(shifted_match_bits(compared)) == static_cast<int>(first) * 4);
        }
}

BOOST_AUTO_TEST_CASE(bytes_are_compared_as_numbers_from_0_to_255)
{
    std::string text(16, ' ');
    text[3] = '\xff';
    text[7] = '\x1f';
    const auto bytes = reinterpret_cast<unsigned_block>(load_block(text.data()));
    const auto compared = reinterpret_cast<byte_block>(bytes <= 0x1f);
    const block_matches found(compared);
    BOOST_TEST_REQUIRE(static_cast<bool>(found));
    BOOST_TEST(found.first() == 7U);
    BOOST_TEST(shifted_match_bits(compared) == std::uint64_t(1) << 7 * 4);
}

BOOST_AUTO_TEST_CASE(a_place_that_is_added_counts)
{
    block_matches found(load_block(std::string(16, 'a').data()) == 'b');
    found.add(15);
    BOOST_TEST(found.first() == 15U);
    found.add(3);
    BOOST_TEST(found.first() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
