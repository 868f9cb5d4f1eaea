// Which thread of a server has a session.

#include "http/serve/thread_place.hpp"
#include "http/sessions/session_table.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>

using partyline::http::session_table;
using partyline::http::thread_place;

BOOST_AUTO_TEST_SUITE(http_thread_place, *boost::unit_test::timeout(30))

// The vectors of SipHash's own paper and of its reference implementation: the key is 00 01 .. 0f, the text 00 01 ...
BOOST_AUTO_TEST_CASE(hashes_as_siphash_does)
{
    const thread_place place(1, {0x0706050403020100, 0x0f0e0d0c0b0a0908});
    std::string text;
    BOOST_TEST(place.hash(text) == 0x726fdb47dd0e0e31);
    for (char c = 0; c != 8; ++c)
        text.push_back(c);
    BOOST_TEST(place.hash(text) == 0x93f5f5799a932462);
    for (char c = 8; c != 15; ++c)
        text.push_back(c);
    BOOST_TEST(place.hash(text) == 0xa129ca6149be45e5);
}

BOOST_AUTO_TEST_CASE(spreads_ids_over_all_threads)
{
    const thread_place place(4);
    std::array<int, 4> counts{};
    for (int i = 0; i != 4000; ++i)
        ++counts.at(place.of(session_table::make_id("")));
    for (const int count : counts)
        BOOST_TEST(count > 800); // 1000 are expected, and 27 are one standard deviation
}

BOOST_AUTO_TEST_CASE(says_the_same_of_an_id_each_time_and_another_server_something_else)
{
    const thread_place place(16);
    const thread_place other(16);
    int same = 0;
    for (int i = 0; i != 256; ++i) {
        const std::string id = session_table::make_id("");
        BOOST_TEST(place.of(id) == place.of(std::string(id)));
        same += place.of(id) == other.of(id) ? 1 : 0;
    }
    BOOST_TEST(same < 64); // 16 are expected
}

BOOST_AUTO_TEST_SUITE_END()
