#include "transport/stream/liveness_rule.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace std::chrono_literals;
using partyline::liveness_rule;

namespace {

using peer_condition = liveness_rule::peer_condition;
const liveness_rule::clock::time_point start{1000s};

} // namespace

BOOST_AUTO_TEST_SUITE(liveness_of_a_peer)

BOOST_AUTO_TEST_CASE(asks_one_that_is_silent_and_gives_it_as_long_to_answer)
{
    liveness_rule rule(30s, start);
    BOOST_TEST((rule.next_look() == start + 30s));
    BOOST_TEST((rule.look(start + 30s, 10, true) == peer_condition::there));
    BOOST_TEST((rule.next_look() == start + 60s));
    BOOST_TEST((rule.look(start + 60s, 10, true) == peer_condition::ask));
    BOOST_TEST((rule.look(start + 90s, 12, true) == peer_condition::there));
    BOOST_TEST((rule.look(start + 120s, 12, true) == peer_condition::ask));
    BOOST_TEST((rule.look(start + 150s, 12, true) == peer_condition::gone));
}

BOOST_AUTO_TEST_CASE(takes_nobody_for_gone_whom_it_does_not_listen_to)
{
    liveness_rule rule(30s, start);
    BOOST_TEST((rule.look(start + 30s, 0, true) == peer_condition::ask));
    BOOST_TEST((rule.look(start + 60s, 0, false) == peer_condition::there));
    BOOST_TEST((rule.look(start + 90s, 0, true) == peer_condition::ask));
    BOOST_TEST((rule.look(start + 120s, 0, true) == peer_condition::gone));
}

BOOST_AUTO_TEST_CASE(asks_nobody_where_there_is_no_such_time)
{
    BOOST_TEST((liveness_rule(0s, start).next_look() == liveness_rule::clock::time_point::max()));
    BOOST_TEST((liveness_rule(liveness_rule::clock::duration::max(), start).next_look() ==
                liveness_rule::clock::time_point::max()));
}

BOOST_AUTO_TEST_SUITE_END()
