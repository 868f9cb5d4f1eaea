// What two readers of HTTP may understand differently, so that one of them sees a request that the other does not:
// refused, however it comes. Each row is read whole, in two pieces cut everywhere, and byte by byte.

#include "requests/request_rows.hpp"
#include "support/read_request.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>
#include <vector>

using partyline::test::read_in_pieces;
using partyline::test::read_request;
using partyline::test::request_row;

namespace {

using read_state = read_request::read_state;

std::vector<std::string_view> bytes_of(std::string_view text)
{
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < text.size(); ++i)
        bytes.push_back(text.substr(i, 1));
    return bytes;
}

void check_whole(const request_row& each, const read_request& whole)
{
    if (each.is_refused()) {
        BOOST_TEST((whole.how == read_state::refused));
        BOOST_TEST(whole.status == each.status);
        BOOST_TEST(whole.stays_refused); // so that nothing behind it is a second request
    } else if (each.status == request_row::unfinished) {
        BOOST_TEST((whole.how == read_state::more));
    } else {
        BOOST_TEST_REQUIRE((whole.how == read_state::done));
        BOOST_TEST(whole.body == each.body);
        BOOST_TEST(each.bytes.substr(whole.used) == each.rest);
    }
}

// Of long ones not every cut: each moves all that has come.
void check_cut(std::string_view bytes, const read_request& whole)
{
    constexpr std::size_t most = 1000;
    const std::size_t step = bytes.size() > most ? bytes.size() / 100 : 1;
    for (std::size_t cut = 1; cut < bytes.size(); cut += step)
        BOOST_TEST((read_in_pieces({bytes.substr(0, cut), bytes.substr(cut)}) == whole), "cut at " << cut);
    if (bytes.size() <= most)
        BOOST_TEST((read_in_pieces(bytes_of(bytes)) == whole), "byte by byte");
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_smuggling, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(every_row_has_its_verdict_however_it_is_cut)
{
    const std::vector<request_row> rows = partyline::test::all_request_rows();
    BOOST_TEST(rows.size() >= 2000u); // none is lost
    for (const request_row& each : rows) {
        BOOST_TEST_CONTEXT(each.name)
        {
            const read_request whole = read_in_pieces({each.bytes});
            check_whole(each, whole);
            check_cut(each.bytes, whole);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
