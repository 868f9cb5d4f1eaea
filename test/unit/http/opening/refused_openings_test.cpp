#include "http/opening/refused_openings.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>

namespace asio = boost::asio;
using namespace partyline;

namespace {

struct refused_fixture {
    http::refused_openings openings;
    std::size_t lines = 0;

    void note(std::uint32_t address)
    {
        peer_identity from;
        from.address = {asio::ip::address_v4(address), 1};
        openings.note(from, [this](std::string_view) { ++lines; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_refused_openings, refused_fixture)

BOOST_AUTO_TEST_CASE(each_address_is_told_once)
{
    for (int i = 0; i != 3; ++i) {
        note(0x0a000001);
        note(0x0a000002);
        openings.note(peer_identity(), [this](std::string_view) { ++lines; });
    }
    BOOST_TEST(lines == 3u);
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(a_crowd_of_them_does_not_fill_the_log)
{
    for (std::uint32_t i = 0; i != 10'000; ++i)
        note(0x0a000000 + i);
    BOOST_TEST(lines == 1024u);
}

BOOST_AUTO_TEST_SUITE_END()
