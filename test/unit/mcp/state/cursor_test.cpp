#include "mcp/state/cursor.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <string>

using namespace partyline::mcp;

BOOST_AUTO_TEST_SUITE(mcp_cursors)

BOOST_AUTO_TEST_CASE(the_number_comes_back)
{
    const list_cursors cursors(state_keys::random());
    for (const std::uint64_t number : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(255), std::uint64_t(1) << 40,
                                       std::numeric_limits<std::uint64_t>::max()}) {
        const std::string cursor = cursors.make("tools/list", number);
        BOOST_TEST(cursor.size() == 32u);
        BOOST_TEST((cursors.read("tools/list", cursor) == number));
        BOOST_TEST(cursors.make("tools/list", number) == cursor);
    }
}

// rule: mcp.pages.stable
BOOST_AUTO_TEST_CASE(a_cursor_is_good_for_its_list_and_its_keys_only)
{
    const std::string secret(32, 'a');
    const list_cursors cursors(state_keys({secret}));
    const std::string cursor = cursors.make("tools/list", 50);
    BOOST_TEST(!cursors.read("prompts/list", cursor));
    BOOST_TEST(!cursors.read("", cursor));
    BOOST_TEST(!list_cursors(state_keys::random()).read("tools/list", cursor));
    BOOST_TEST((list_cursors(state_keys({std::string(32, 'b'), secret})).read("tools/list", cursor) == 50u));
}

// rule: mcp.pages.graceful
BOOST_AUTO_TEST_CASE(what_was_not_made_here_is_refused)
{
    const list_cursors cursors(state_keys::random());
    const std::string good = cursors.make("tools/list", 7);
    for (std::size_t length = 0; length != good.size(); ++length)
        BOOST_TEST(!cursors.read("tools/list", good.substr(0, length)));
    for (const std::string& row : {good + "A", good + good, good + "=", " " + good.substr(1), std::string(32, 'A'),
                                   std::string(32, '='), std::string(32, '\0'), std::string(1'000'000, 'A')})
        BOOST_TEST(!cursors.read("tools/list", row), row.substr(0, 80));
}

BOOST_AUTO_TEST_CASE(every_bit_counts)
{
    const list_cursors cursors(state_keys::random());
    const std::string good = cursors.make("tools/list", 7);
    for (std::size_t at = 0; at != good.size(); ++at)
        for (int bit = 0; bit != 8; ++bit) {
            std::string changed = good;
            changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
            BOOST_TEST(!cursors.read("tools/list", changed), changed);
        }
}

BOOST_AUTO_TEST_SUITE_END()
