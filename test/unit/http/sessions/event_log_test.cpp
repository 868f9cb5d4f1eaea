#include "http/sessions/event_log.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::http::event_id;
using partyline::http::event_log;
using partyline::http::parse_event_id;

BOOST_AUTO_TEST_SUITE(http_event_log)

BOOST_AUTO_TEST_CASE(ids_are_read_as_they_are_written)
{
    for (const event_id& id : {event_id{0, 0}, event_id{1, 35}, event_id{36, 1295}, event_id{~0ull, ~0ull}}) {
        const auto again = parse_event_id(to_string(id));
        BOOST_TEST_REQUIRE(again.has_value());
        BOOST_TEST(again->stream == id.stream);
        BOOST_TEST(again->event == id.event);
    }
    BOOST_TEST(to_string(event_id{2, 361}) == "2-a1");
    for (const char* text :
         {"", "-", "1", "1-", "-1", "1-2-3", "01-1", "1-A", "+1-1", "1 -1", "1-zzzzzzzzzzzzzzzzz", "1-1\n"})
        BOOST_TEST(!parse_event_id(text), text);
}

BOOST_AUTO_TEST_CASE(the_oldest_go_beyond_its_bounds)
{
    event_log log(7, {3, 1000});
    for (int i = 1; i <= 5; ++i)
        log.append("data: " + std::to_string(i) + "\n\n");
    log.trim(log.next());
    BOOST_TEST(log.first() == 3u);
    BOOST_TEST(log.next() == 6u);
    BOOST_TEST(log.at(3) == "id: 7-3\ndata: 3\n\n");
    log.append("data: " + std::string(2000, 'x') + "\n\n"); // the newest is kept, whatever it takes
    log.trim(log.next());
    BOOST_TEST(log.first() == 6u);
}

BOOST_AUTO_TEST_CASE(what_is_still_needed_stays_beyond_its_bounds)
{
    event_log log(1, {2, 100});
    for (int i = 1; i <= 5; ++i)
        log.append(std::string(60, 'x'));
    log.trim(3);
    BOOST_TEST(log.first() == 3u);
}

BOOST_AUTO_TEST_CASE(small_events_count_with_what_keeping_them_takes)
{
    event_log log(1, {1000, 1000});
    for (int i = 0; i != 10; ++i)
        log.append("\n");
    BOOST_TEST(log.bytes() >= 10 * sizeof(std::string));
    BOOST_TEST(log.bytes_of(1) * 9 + log.bytes_of(10) == log.bytes()); // its id is longer
    log.forget_before(log.next());
    BOOST_TEST(log.bytes() == 0u);
    BOOST_TEST(log.first() == log.next());
}

BOOST_AUTO_TEST_SUITE_END()
