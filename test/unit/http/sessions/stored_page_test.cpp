#include "http/sessions/stored_page.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

using partyline::http::stored_events;
using partyline::http::stored_page;
using partyline::http::take_page;

namespace {

constexpr std::size_t page_bytes = 1000;

} // namespace

BOOST_AUTO_TEST_SUITE(http_stored_page)

BOOST_AUTO_TEST_CASE(events_that_follow_one_another_are_taken)
{
    const stored_page page = take_page({{{3, "{}"}, {4, "[]"}}, 0}, 3, page_bytes);
    BOOST_TEST(page.events.size() == 2u);
    BOOST_TEST(page.events.back().message == "[]");
    BOOST_TEST(!page.is_end);
    BOOST_TEST(!page.is_gone());
}

BOOST_AUTO_TEST_CASE(the_end_is_told_by_what_reaches_it)
{
    BOOST_TEST(take_page({{{3, "{}"}, {4, "{}"}}, 5}, 3, page_bytes).is_end);
    BOOST_TEST(!take_page({{{3, "{}"}, {4, "{}"}}, 6}, 3, page_bytes).is_end);
    BOOST_TEST(!take_page({{{3, "{}"}, {4, "{}"}}, 4}, 3, page_bytes).is_end);
    BOOST_TEST(take_page({{}, 3}, 3, page_bytes).is_end);
    BOOST_TEST(take_page({{}, 3}, 4, page_bytes).is_gone()); // nobody has had the event 3
    BOOST_TEST(take_page({{}, 0}, 1, page_bytes).is_gone());
}

BOOST_AUTO_TEST_CASE(what_does_not_continue_the_stream_is_dropped)
{
    const std::vector<std::pair<stored_events, std::size_t>> rows{
        {{{{4, "{}"}}, 0}, 0},                      // a gap
        {{{{2, "{}"}, {3, "{}"}}, 0}, 0},           // from before
        {{{{3, "{}"}, {5, "{}"}}, 6}, 1},           // a gap within
        {{{{3, "{}"}, {3, "{}"}}, 4}, 1},           // twice
        {{{{4, "{}"}, {3, "{}"}}, 5}, 0},           // in another order
        {{{{3, ""}}, 4}, 0},                        // no message
        {{{{3, "hello"}}, 4}, 0},                   // no message, either
        {{{{3, "{}\n\nid: 9-9\ndata: {}"}}, 4}, 0}, // more than one event
        {{{{3, "{}"}, {4, "{\r}"}}, 5}, 1},
    };
    for (const auto& [given, expected] : rows) {
        const stored_page page = take_page(given, 3, page_bytes);
        BOOST_TEST(page.events.size() == expected);
        BOOST_TEST(!page.is_end);
    }
}

BOOST_AUTO_TEST_CASE(more_than_was_asked_for_is_dropped_but_the_first_one)
{
    const std::string message = '{' + std::string(98, ' ') + '}';
    const stored_page page = take_page({{{1, message}, {2, message}, {3, message}}, 4}, 1, 250);
    BOOST_TEST(page.events.size() == 2u);
    BOOST_TEST(!page.is_end);
    BOOST_TEST(take_page({{{1, message}, {2, message}}, 3}, 1, 10).events.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_dropped_takes_no_memory)
{
    stored_events given;
    given.events.resize(1000);
    given.events.front() = {1, "{}"};
    given.events.front().message.reserve(100'000);
    const stored_page page = take_page(std::move(given), 1, page_bytes);
    BOOST_TEST(page.events.size() == 1u);
    BOOST_TEST(page.events.capacity() == 1u);
    BOOST_TEST(page.events.front().message.capacity() < page_bytes);
}

BOOST_AUTO_TEST_SUITE_END()
