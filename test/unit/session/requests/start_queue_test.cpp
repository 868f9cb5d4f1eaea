#include "session/requests/start_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <string>

using partyline::shortage;
using partyline::start_queue;
using partyline::start_rule;
using partyline::waiting_request;

namespace {

const partyline::method_options plain_method;
const partyline::method_options exclusive_method{.exclusive = true};
const partyline::method_options ordered_method{.ordered = true};
const partyline::method_options bounded_method{.max_concurrent = 2};

const start_rule unbounded{&plain_method, 1};
const start_rule exclusive{&exclusive_method, 1};
const start_rule barrier{&ordered_method, 1};
const start_rule two_at_once{&bounded_method, 1};

struct fixture {
    partyline::limits bounds;
    start_queue queue{bounds};

    // What arrives starts, or waits under this name.
    bool arrive(const start_rule& rule, const char* name)
    {
        if (queue.may_start(rule)) {
            queue.on_start(rule);
            return true;
        }
        queue.wait(rule, name);
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
    waiting_request& waiting = queue.wait(exclusive, "E");
    BOOST_TEST(!arrive(unbounded, "b"));
    queue.remove(waiting);
    BOOST_TEST(start_ready() == "b");

    BOOST_TEST(arrive(two_at_once, "c"));
    BOOST_TEST(arrive(two_at_once, "d"));
    queue.remove(queue.wait(two_at_once, "e"));
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

BOOST_AUTO_TEST_CASE(requests_over_the_in_flight_budget_wait_in_order_of_arrival)
{
    bounds.in_flight_requests = 2;
    BOOST_TEST(arrive(unbounded, "a"));
    BOOST_TEST(arrive(two_at_once, "b"));
    BOOST_TEST(!arrive(unbounded, "c"));
    BOOST_TEST(!arrive(two_at_once, "d"));
    BOOST_TEST(!arrive(barrier, "e"));
    BOOST_TEST(start_ready() == "");
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == "c");
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == "d");
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == "e");
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(the_bytes_in_flight_are_bounded_but_one_is_always_admitted)
{
    bounds.in_flight_bytes = 100;
    const start_rule huge{&plain_method, 1000};
    const start_rule half{&plain_method, 50};
    BOOST_TEST(arrive(huge, "a"));
    BOOST_TEST(!arrive(half, "b"));
    BOOST_TEST(!arrive(half, "c"));
    BOOST_TEST(!arrive(unbounded, "d"));
    queue.on_end(huge);
    BOOST_TEST(start_ready() == "bc");
    queue.on_end(half);
    BOOST_TEST(start_ready() == "d");
}

BOOST_AUTO_TEST_CASE(a_lane_that_has_room_again_needs_a_slot_too)
{
    bounds.in_flight_requests = 3;
    BOOST_TEST(arrive(two_at_once, "a"));
    BOOST_TEST(arrive(two_at_once, "b"));
    BOOST_TEST(!arrive(two_at_once, "c")); // in the lane
    BOOST_TEST(arrive(unbounded, "d"));
    BOOST_TEST(!arrive(unbounded, "e"));
    queue.lend(two_at_once);
    queue.on_start(unbounded); // one that came by on the slot that was lent
    queue.take_back(two_at_once);
    queue.on_end(two_at_once);
    BOOST_TEST(start_ready() == ""); // still three
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == "c");
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == "e");
}

BOOST_AUTO_TEST_CASE(the_waiting_budget_says_which_part_of_it_is_short)
{
    bounds.in_flight_requests = 1;
    bounds.waiting_requests = 2;
    bounds.waiting_bytes = 10;
    const start_rule six{&plain_method, 6};
    arrive(six, "a");
    BOOST_TEST(!queue.shortage_for(10));
    BOOST_TEST((queue.shortage_for(11).value().value == 11u));
    arrive(six, "b");
    BOOST_TEST(queue.bytes() == 6u);
    BOOST_TEST(!queue.shortage_for(4));
    BOOST_TEST(queue.shortage_for(5).value().limit == 10u);
    BOOST_TEST(queue.shortage_for(5).value().value == 11u);
    arrive(unbounded, "c");
    BOOST_TEST(queue.shortage_for(1).value().limit == 2u);
    BOOST_TEST(queue.shortage_for(1).value().value == 3u);
    queue.on_end(six);
    BOOST_TEST(start_ready() == "b");
    BOOST_TEST(queue.bytes() == 1u);
    BOOST_TEST(!queue.shortage_for(9));
}

BOOST_AUTO_TEST_CASE(what_waits_is_counted_whichever_way_it_leaves)
{
    bounds.in_flight_requests = 1;
    arrive(two_at_once, "a");
    waiting_request& removed = queue.wait(unbounded, "b");
    queue.wait(two_at_once, "c");
    queue.wait(unbounded, "d");
    BOOST_TEST(queue.bytes() == 3u);
    queue.remove(removed);
    BOOST_TEST(queue.bytes() == 2u);
    std::list<waiting_request> all;
    queue.take_all(all);
    BOOST_TEST(all.size() == 2u);
    BOOST_TEST(queue.bytes() == 0u);
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(one_that_waits_for_the_peer_gives_its_slot_to_others)
{
    bounds.in_flight_requests = 1;
    bounds.peer_waits = 1;
    BOOST_TEST(arrive(unbounded, "a"));
    BOOST_TEST(!arrive(unbounded, "b"));
    BOOST_TEST(!arrive(unbounded, "c"));
    BOOST_TEST(queue.lend(unbounded));
    BOOST_TEST(start_ready() == "b");
    BOOST_TEST(!queue.lend(unbounded)); // as many as may
    BOOST_TEST(start_ready() == "");
    queue.take_back(unbounded);
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == ""); // b has the slot
    queue.on_end(unbounded);
    BOOST_TEST(start_ready() == "c");
}

BOOST_AUTO_TEST_CASE(what_waits_for_the_peer_takes_no_more_bytes_than_may_be_in_flight)
{
    bounds.in_flight_bytes = 100;
    partyline::memory_budget shared(1000);
    start_queue own(bounds, &shared);
    const start_rule large{&plain_method, 150};
    const start_rule small{&plain_method, 10};
    own.on_start(large);
    BOOST_TEST(own.lend(large)); // the first one in any case
    BOOST_TEST(shared.used() == 150u);
    own.on_start(small);
    BOOST_TEST(!own.lend(small));
    own.take_back(large);
    own.on_end(large);
    BOOST_TEST(own.lend(small));
    BOOST_TEST(own.may_start(small));
    own.take_back(small);
    own.on_end(small);
    BOOST_TEST(shared.used() == 0u);
}

BOOST_AUTO_TEST_CASE(where_the_shared_budget_is_used_up_few_bytes_may_wait_for_the_peer)
{
    bounds.in_flight_bytes = std::size_t(1) << 20;
    partyline::memory_budget shared(1000);
    start_queue own(bounds, &shared);
    const start_rule half{&plain_method, partyline::memory_budget::always / 2};
    const start_rule one{&plain_method, 1};
    for (const start_rule& rule : {half, half, one})
        own.on_start(rule);
    BOOST_TEST(own.lend(half));
    BOOST_TEST(own.lend(half));
    BOOST_TEST(!own.lend(one));
}

// rule: security.memory.one_at_a_time
BOOST_AUTO_TEST_CASE(where_others_have_used_the_shared_budget_up_one_starts_at_a_time_and_little_may_wait)
{
    partyline::memory_budget shared(1000);
    start_queue own(bounds, &shared);
    shared.add(1000);
    const start_rule message{&plain_method, 10};
    BOOST_TEST(own.may_start(message)); // there is none before it
    own.on_start(message);
    BOOST_TEST(shared.used() == 1010u);
    BOOST_TEST(!own.may_start(message));
    BOOST_TEST(!own.shortage_for(partyline::memory_budget::always)); // whatever the others do
    const auto short_of = own.shortage_for(partyline::memory_budget::always + 1);
    BOOST_TEST_REQUIRE(short_of.has_value());
    BOOST_TEST(short_of->limit == 1000u);
    BOOST_TEST(short_of->value == 1010 + partyline::memory_budget::always + 1);
    shared.sub(1000);
    BOOST_TEST(own.may_start(message));
    BOOST_TEST(!own.shortage_for(10));
    own.wait(message, "0123456789");
    BOOST_TEST(shared.used() == 20u);
    std::list<waiting_request> all;
    own.take_all(all);
    own.on_end(message);
    BOOST_TEST(shared.used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
