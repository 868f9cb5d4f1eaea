#include "session/start_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <string>

using partyline::start_queue;
using partyline::start_rule;
using partyline::waiting_request;

namespace {

const int first_method = 0;
const int second_method = 0;

const start_rule unbounded{&first_method, 0, false, false};
const start_rule exclusive{&first_method, 0, true, false};
const start_rule barrier{&first_method, 0, false, true};
const start_rule two_at_once{&second_method, 2, false, false};

struct fixture {
    start_queue queue;

    // What arrives starts, or waits under this name.
    bool arrive(const start_rule& rule, const char* name)
    {
        if (queue.may_start(rule)) {
            queue.on_start(rule);
            return true;
        }
        queue.hold(rule, name);
        return false;
    }

    // Starts all that may start now; their names.
    std::string start_ready()
    {
        std::string names;
        std::list<waiting_request> ready;
        while (queue.take_ready(ready)) {
            names += ready.back().text;
            queue.on_start(ready.back().rule);
        }
        return names;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(start_queue_suite, fixture)

BOOST_AUTO_TEST_CASE(requests_without_rules_start_at_once)
{
    for (int i = 0; i < 100; ++i)
        BOOST_TEST(arrive(unbounded, "x"));
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(a_method_that_bounds_itself_holds_up_nobody_else)
{
    BOOST_TEST(arrive(two_at_once, "a"));
    BOOST_TEST(arrive(two_at_once, "b"));
    BOOST_TEST(!arrive(two_at_once, "c"));
    BOOST_TEST(!arrive(two_at_once, "d"));
    BOOST_TEST(arrive(unbounded, "x"));
    BOOST_TEST(start_ready() == "");
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "c");
    queue.on_end(two_at_once);
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "d");
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(an_exclusive_request_waits_for_all_before_it_and_holds_up_all_after_it)
{
    BOOST_TEST(arrive(unbounded, "a"));
    BOOST_TEST(!arrive(exclusive, "E"));
    BOOST_TEST(!arrive(unbounded, "b"));
    BOOST_TEST(!arrive(two_at_once, "c"));
    BOOST_TEST(start_ready() == "");
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == "E");
    BOOST_TEST(!arrive(unbounded, "d"));
    queue.on_end(exclusive);
    BOOST_TEST(start_ready() == "bcd");
}

BOOST_AUTO_TEST_CASE(an_exclusive_request_waits_for_those_that_wait_in_a_lane_before_it)
{
    BOOST_TEST(arrive(two_at_once, "a"));
    BOOST_TEST(arrive(two_at_once, "b"));
    BOOST_TEST(!arrive(two_at_once, "c"));
    BOOST_TEST(!arrive(exclusive, "E"));
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "c");
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "");
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "E");
}

BOOST_AUTO_TEST_CASE(a_barrier_starts_at_once_and_holds_up_all_after_it)
{
    BOOST_TEST(arrive(unbounded, "a"));
    BOOST_TEST(arrive(barrier, "B"));
    BOOST_TEST(!arrive(unbounded, "b"));
    BOOST_TEST(!arrive(barrier, "C"));
    BOOST_TEST(!arrive(unbounded, "c"));
    queue.on_end(barrier);
    BOOST_TEST(start_ready() == "bC");
    queue.on_end(barrier);
    BOOST_TEST(start_ready() == "c");
}

BOOST_AUTO_TEST_CASE(behind_a_barrier_the_bound_of_a_method_holds_too)
{
    BOOST_TEST(arrive(barrier, "B"));
    for (const char* name : {"a", "b", "c"})
        BOOST_TEST(!arrive(two_at_once, name));
    queue.on_end(barrier);
    BOOST_TEST(start_ready() == "ab");
    BOOST_TEST(queue.size() == 1u);
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "c");
}

BOOST_AUTO_TEST_CASE(what_is_removed_does_not_start_and_lets_others_by)
{
    BOOST_TEST(arrive(unbounded, "a"));
    waiting_request& waiting = queue.hold(exclusive, "E");
    BOOST_TEST(!arrive(unbounded, "b"));
    queue.remove(waiting);
    BOOST_TEST(start_ready() == "b");

    BOOST_TEST(arrive(two_at_once, "c"));
    BOOST_TEST(arrive(two_at_once, "d"));
    queue.remove(queue.hold(two_at_once, "e"));
    BOOST_TEST(queue.empty());
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "");
}

BOOST_AUTO_TEST_CASE(all_that_waits_can_be_taken_at_once)
{
    BOOST_TEST(arrive(two_at_once, "a"));
    BOOST_TEST(arrive(two_at_once, "b"));
    BOOST_TEST(!arrive(two_at_once, "c"));
    BOOST_TEST(!arrive(exclusive, "E"));
    std::list<waiting_request> all;
    queue.take_all(all);
    BOOST_TEST(all.size() == 2u);
    BOOST_TEST(queue.empty());
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "");
}

BOOST_AUTO_TEST_SUITE_END()
