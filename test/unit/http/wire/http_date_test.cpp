#include "http/wire/http_date.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace std::chrono;
using partyline::http::read_http_date;

namespace {

constexpr sys_seconds that_moment = sys_days(1994y / November / 6) + 8h + 49min + 37s;
constexpr sys_seconds in_2026 = sys_days(2026y / July / 28);

} // namespace

BOOST_AUTO_TEST_SUITE(http_date)

BOOST_AUTO_TEST_CASE(a_date_is_read_in_each_of_its_forms)
{
    for (const char* text :
         {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"})
        BOOST_TEST((read_http_date(text, in_2026) == that_moment), text);
    BOOST_TEST(
        (read_http_date("Mon Nov 16 08:49:37 2026", in_2026) == sys_days(2026y / November / 16) + 8h + 49min + 37s));
    BOOST_TEST((read_http_date("Thu, 29 Feb 2024 00:00:00 GMT", in_2026) == sys_days(2024y / February / 29)));
    BOOST_TEST((read_http_date("Sat, 30 Jun 2012 23:59:60 GMT", in_2026) == sys_days(2012y / July / 1)));
}

BOOST_AUTO_TEST_CASE(a_year_of_two_digits_is_the_one_that_is_not_far_ahead)
{
    BOOST_TEST((read_http_date("Monday, 01-Jan-76 00:00:00 GMT", in_2026) == sys_days(2076y / January / 1)));
    BOOST_TEST((read_http_date("Monday, 01-Jan-77 00:00:00 GMT", in_2026) == sys_days(1977y / January / 1)));
}

BOOST_AUTO_TEST_CASE(what_is_no_date_is_none)
{
    const std::string right = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (std::size_t size = 0; size < right.size(); ++size)
        BOOST_TEST(!read_http_date(right.substr(0, size), in_2026), size);
    for (const char* text :
         {"Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 nov 1994 08:49:37 GMT",
          "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
          "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:00:61 GMT", "Su, 06 Nov 1994 08:49:37 GMT",
          "Sun, -6 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"})
        BOOST_TEST(!read_http_date(text, in_2026), text);
}

BOOST_AUTO_TEST_SUITE_END()
