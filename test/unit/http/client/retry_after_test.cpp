#include "http/client/retry_after.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace std::chrono;
using partyline::http::field;
using partyline::http::received_head;
using partyline::http::retry_after;

namespace {

constexpr sys_seconds at_that_time = sys_days(2026y / July / 28) + 12h;

std::optional<seconds> pause_of(int status, std::string_view value)
{
    const std::vector<field> fields{{"Retry-After", value}};
    received_head head;
    head.status = status;
    head.fields = fields;
    return retry_after(head, at_that_time);
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_retry_after)

BOOST_AUTO_TEST_CASE(a_server_that_is_busy_says_how_long)
{
    for (const int status : {503, 429}) {
        BOOST_TEST((pause_of(status, "0") == 0s));
        BOOST_TEST((pause_of(status, "120") == 120s));
        BOOST_TEST((pause_of(status, "Tue, 28 Jul 2026 12:01:05 GMT") == 65s));
        BOOST_TEST((pause_of(status, "Tue, 28 Jul 2026 11:59:59 GMT") == 0s)); // is over
        for (const char* value : {"", "-1", "+1", "1.5", "1s", "9999999999", "soon"})
            BOOST_TEST(!pause_of(status, value), value);
    }
}

BOOST_AUTO_TEST_CASE(other_statuses_say_nothing_of_it)
{
    for (const int status : {200, 301, 404, 500, 502})
        BOOST_TEST(!pause_of(status, "1"));
    received_head without;
    without.status = 503;
    BOOST_TEST(!retry_after(without, at_that_time));
}

BOOST_AUTO_TEST_SUITE_END()
