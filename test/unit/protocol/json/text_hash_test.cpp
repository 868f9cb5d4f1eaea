#include "protocol/json/text_hash.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using partyline::hash_text;

BOOST_AUTO_TEST_SUITE(text_hash_suite)

BOOST_AUTO_TEST_CASE(texts_that_differ_in_one_byte_or_in_length_differ)
{
    std::set<std::size_t> seen;
    std::size_t texts = 0;
    for (std::size_t length = 0; length <= 40; ++length) {
        const std::string text(length, 'a');
        seen.insert(hash_text(text, 7));
        ++texts;
        for (std::size_t i = 0; i != length; ++i, ++texts) {
            std::string other = text;
            other[i] = 'b';
            seen.insert(hash_text(other, 7));
        }
    }
    BOOST_TEST(seen.size() == texts);
}

BOOST_AUTO_TEST_CASE(another_seed_gives_another_hash)
{
    BOOST_TEST(hash_text("echo", 1) != hash_text("echo", 2));
    BOOST_TEST(hash_text("echo", 1) == hash_text("echo", 1));
}

BOOST_AUTO_TEST_SUITE_END()
