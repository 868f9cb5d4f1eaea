#include "session/output/unsent_notifications.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using partyline::notification_text;
using partyline::unsent_notifications;

namespace {

notification_text progress(std::string value)
{
    return {"p", std::move(value), true};
}
notification_text note(std::string value)
{
    return {"n", std::move(value), false};
}

std::string take_all(unsent_notifications& from)
{
    std::string all;
    for (notification_text next; from.take(next);)
        all += next.method + next.params + " ";
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(backlog_suite)

BOOST_AUTO_TEST_CASE(what_is_said_is_taken_in_order)
{
    unsent_notifications b;
    BOOST_TEST(b.empty());
    BOOST_TEST(!b.add(note("1")));
    BOOST_TEST(!b.add(note("22")));
    BOOST_TEST(b.bytes() == 5u);
    BOOST_TEST(take_all(b) == "n1 n22 ");
    BOOST_TEST(b.empty());
    BOOST_TEST(b.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(only_the_newest_progress_is_kept)
{
    unsent_notifications b;
    BOOST_TEST(!b.add(progress("1")));
    BOOST_TEST(b.add(progress("2")));
    b.add(note("x"));
    BOOST_TEST(b.add(progress("3"))); // behind what was said before it
    b.add(note("y"));
    BOOST_TEST(b.bytes() == 6u);
    BOOST_TEST(take_all(b) == "nx p3 ny ");
    BOOST_TEST(!b.add(progress("4")));
    BOOST_TEST(take_all(b) == "p4 ");
}

BOOST_AUTO_TEST_CASE(below_a_threshold_nothing_is_coalesced)
{
    unsent_notifications b(6);
    BOOST_TEST(!b.add(progress("1")));
    BOOST_TEST(!b.add(progress("2")));
    BOOST_TEST(!b.add(progress("3")));
    BOOST_TEST(b.add(progress("4"))); // takes the place of the newest
    BOOST_TEST(take_all(b) == "p1 p2 p4 ");
}

BOOST_AUTO_TEST_CASE(the_first_message_is_always_taken_and_others_up_to_a_limit)
{
    unsent_notifications b;
    BOOST_TEST(b.takes(note("1234567890"), 5));
    b.add(note("1"));
    BOOST_TEST(b.takes(note("12"), 5));
    BOOST_TEST(!b.takes(note("123"), 5));
}

BOOST_AUTO_TEST_SUITE_END()
