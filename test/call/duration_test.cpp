#include "refusal.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

#include <call/duration.hpp>

using namespace std::chrono_literals;
using call::duration;
using call::parse_duration;
using partyline::test::contains;

BOOST_AUTO_TEST_SUITE(durations)

BOOST_AUTO_TEST_CASE(a_time_is_a_number_with_a_unit)
{
    const std::pair<const char*, duration> rows[] = {
        {"250us", 250us}, {"200ms", 200ms}, {"5s", 5s},        {"2m", 2min},
        {"1h", 1h},       {"1.5s", 1500ms}, {"0.25ms", 250us}, {"10000h", 10000h},
    };
    for (const auto& [text, time] : rows)
        BOOST_TEST((parse_duration(text) == time), text);
}

BOOST_AUTO_TEST_CASE(what_is_no_time_is_refused_in_words_that_name_it)
{
    for (const char* const text :
         {"", "5", "s", "5 s", "5sec", "five s", "1e3s", "0x5s", "5s5s", "5S", "+5s", "nan s"}) {
        const std::string said = call::test::refusal_of([&] { parse_duration(text); });
        BOOST_TEST(contains(said, "'" + std::string(text) + "' is no time"), said);
        BOOST_TEST(contains(said, "200ms"), said);
    }
    for (const char* const text : {"0s", "-5s", "0.0000001us", "10001h", "99999999999999999999h", "infs", "nans"}) {
        const std::string said = call::test::refusal_of([&] { parse_duration(text); });
        BOOST_TEST(contains(said, std::string(text) + "' is out of range"), said);
    }
}

BOOST_AUTO_TEST_CASE(a_measured_time_has_three_digits_that_count)
{
    const std::pair<duration, const char*> rows[] = {
        {0us, "0.00 us"},    {1234ns, "1.23 us"}, {41200ns, "41.2 us"}, {999us, "999 us"},
        {1500us, "1.50 ms"}, {123ms, "123 ms"},   {12s, "12.0 s"},      {300s, "300 s"},
    };
    for (const auto& [time, text] : rows)
        BOOST_TEST(call::to_text(time) == text);
}

BOOST_AUTO_TEST_SUITE_END()
