#include "access/file/timestamp.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace partyline::access;
using namespace std::chrono_literals;
namespace chrono = std::chrono;

BOOST_AUTO_TEST_SUITE(timestamp_suite)

BOOST_AUTO_TEST_CASE(times_of_rfc_3339_are_read)
{
    const chrono::system_clock::time_point midnight = chrono::sys_days(chrono::year(2027) / 1 / 1);
    const struct {
        const char* text;
        chrono::system_clock::time_point time;
    } rows[] = {
        {"2027-01-01T00:00:00Z", midnight},
        {"2027-01-01t00:00:00z", midnight},
        {"2027-01-01 00:00:00Z", midnight},
        {"2027-01-01T00:00:00.999999999999Z", midnight},
        {"2027-01-01T02:00:00+02:00", midnight},
        {"2026-12-31T18:30:00-05:30", midnight},
        {"2027-01-01T00:00:00-00:00", midnight},
        {"2026-12-31T23:59:60Z", midnight},
        {"2027-01-01T23:59:59Z", midnight + 24h - 1s},
        {"2024-02-29T00:00:00Z", chrono::sys_days(chrono::year(2024) / 2 / 29)},
        {"1970-01-01T00:00:00Z", chrono::system_clock::time_point()},
        {"9999-12-31T23:59:59Z", chrono::floor<chrono::seconds>(chrono::system_clock::time_point::max())},
        {"0001-01-01T00:00:00Z", chrono::ceil<chrono::seconds>(chrono::system_clock::time_point::min())},
    };
    for (const auto& row : rows)
        BOOST_TEST((read_timestamp(row.text) == row.time), row.text);
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_time)
{
    for (const char* const text : {"",
                                   "2027",
                                   "2027-01-01",
                                   "2027-01-01T00:00:00",
                                   "2027-01-01T00:00Z",
                                   "2027-13-01T00:00:00Z",
                                   "2027-02-29T00:00:00Z",
                                   "2027-00-01T00:00:00Z",
                                   "2027-01-00T00:00:00Z",
                                   "2027-01-32T00:00:00Z",
                                   "2027-01-01T24:00:00Z",
                                   "2027-01-01T00:60:00Z",
                                   "2027-01-01T00:00:61Z",
                                   "2027-01-01T00:00:00.Z",
                                   "2027-01-01T00:00:00+0200",
                                   "2027-01-01T00:00:00+24:00",
                                   "2027-01-01T00:00:00+01:60",
                                   "2027-01-01T00:00:00ZZ",
                                   " 2027-01-01T00:00:00Z",
                                   "2027-01-01T00:00:00Z ",
                                   "0000-01-01T00:00:00Z",
                                   "+027-01-01T00:00:00Z",
                                   "2027-1-1T00:00:00Z",
                                   "20270101T000000Z"})
        BOOST_TEST(!read_timestamp(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
