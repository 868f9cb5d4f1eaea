// A front, a stream and workers, in which one thing goes wrong at each place where it can: each accepted call has one
// answer, and what may not run twice does not.

#include "unit/fleet/simulation/simulated_fleet.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

using partyline::fleet::front_outcome;
using partyline::test::call_record;
using partyline::test::fate;
using partyline::test::hop;
using partyline::test::simulated_fleet;
using namespace std::chrono_literals;

namespace {

/// What is done at one hop of a message.
using fault = std::function<fate(simulated_fleet&, const hop&)>;

/// What the fleet has to do: a short and a long call of each kind, one that its client cancels, one of another front.
void plan_calls(simulated_fleet& fleet)
{
    fleet.call(0, 10ms, 20ms, true);
    fleet.call(0, 20ms, 20ms, false);
    fleet.call(0, 30ms, 12s, true); // longer than the ack wait
    fleet.call(0, 40ms, 12s, false);
    fleet.call(1, 50ms, 20ms, false);
    const std::size_t cancelled = fleet.call(0, 60ms, 15s, false);
    fleet.cancel(cancelled, 3s);
}

std::size_t count_hops()
{
    simulated_fleet fleet(2, 2);
    plan_calls(fleet);
    fleet.run();
    BOOST_TEST(fleet.complaint() == "");
    return fleet.network.hops();
}

/// Runs the calls once for each hop, with the fault at that hop; then `check` looks at each call whose front lives.
void fail_each_hop(const fault& fail, const std::function<void(const call_record&)>& check)
{
    const std::size_t hops = count_hops();
    BOOST_TEST_REQUIRE(hops > 80u);
    for (std::size_t at = 0; at < hops; ++at) {
        simulated_fleet fleet(2, 2);
        plan_calls(fleet);
        std::string where;
        fleet.network.decide = [&](const hop& one) {
            if (one.index != at)
                return fate();
            where = one.from + " to " + one.to + ", " + one.subject;
            return fail(fleet, one);
        };
        const auto took = fleet.run();
        BOOST_TEST_CONTEXT("hop " << at << ": " << where)
        {
            BOOST_TEST((took < 50s)); // nothing waits for the deadlines of calls
            BOOST_TEST(fleet.complaint() == "");
            for (const call_record& call : fleet.ledger) {
                if (!call.is_front_dead)
                    check(call);
            }
        }
    }
}

void has_its_answer(const call_record& call)
{
    const auto expected = call.is_cancelled ? front_outcome::cancelled : front_outcome::answered;
    BOOST_TEST((call.outcome == expected));
}

// The call that was cancelled may have been lost before that.
void has_its_answer_or_was_lost(const call_record& call)
{
    if (call.outcome != front_outcome::lost)
        return has_its_answer(call);
    BOOST_TEST(!call.is_idempotent);
}

fate lost()
{
    fate is;
    is.is_lost = true;
    return is;
}

fate delayed(std::chrono::nanoseconds delay)
{
    fate is;
    is.delay = delay;
    return is;
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_faults_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(without_a_fault_each_call_runs_once)
{
    simulated_fleet fleet(2, 2);
    plan_calls(fleet);
    BOOST_TEST((fleet.run() < 13s));
    BOOST_TEST(fleet.complaint() == "");
    for (const call_record& call : fleet.ledger) {
        has_its_answer(call);
        BOOST_TEST(call.runs == 1u);
    }
    BOOST_TEST(fleet.server.deliveries() == fleet.ledger.size());
}

BOOST_AUTO_TEST_CASE(one_lost_message_costs_no_call_its_answer)
{
    fail_each_hop([](simulated_fleet&, const hop&) { return lost(); }, has_its_answer);
}

BOOST_AUTO_TEST_CASE(one_message_that_comes_twice_changes_nothing)
{
    const auto twice = [](simulated_fleet&, const hop&) {
        fate is;
        is.is_doubled = true;
        return is;
    };
    fail_each_hop(twice, has_its_answer);
}

BOOST_AUTO_TEST_CASE(one_late_message_costs_no_call_its_answer)
{
    for (const auto delay : {std::chrono::nanoseconds(700ms), std::chrono::nanoseconds(12s)}) {
        fail_each_hop([&](simulated_fleet&, const hop&) { return delayed(delay); }, has_its_answer);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(fleet_deaths_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_worker_that_dies_loses_what_it_has_claimed_alone)
{
    const auto before = [](simulated_fleet& fleet, const hop& at) {
        fleet.kill(at.from.starts_with("W") ? at.from : at.to.starts_with("W") ? at.to : fleet.worker(0).name());
        return lost();
    };
    const auto after = [](simulated_fleet& fleet, const hop& at) {
        fleet.kill(at.from.starts_with("W") ? at.from : at.to.starts_with("W") ? at.to : fleet.worker(0).name());
        return fate();
    };
    fail_each_hop(before, has_its_answer_or_was_lost);
    fail_each_hop(after, has_its_answer_or_was_lost);
}

BOOST_AUTO_TEST_CASE(a_front_that_dies_costs_the_other_one_nothing)
{
    const auto before = [](simulated_fleet& fleet, const hop& at) {
        fleet.kill(at.from.starts_with("F") ? at.from : at.to.starts_with("F") ? at.to : fleet.front(0).name());
        return lost();
    };
    const auto after = [](simulated_fleet& fleet, const hop& at) {
        fleet.kill(at.from.starts_with("F") ? at.from : at.to.starts_with("F") ? at.to : fleet.front(0).name());
        return fate();
    };
    fail_each_hop(before, has_its_answer);
    fail_each_hop(after, has_its_answer);
}

BOOST_AUTO_TEST_CASE(a_worker_that_stands_still_runs_nothing_twice_that_may_not)
{
    const auto pause = [](simulated_fleet& fleet, const hop& at) {
        for (std::size_t i = 0; i < fleet.workers(); ++i) {
            if (fleet.worker(i).name() == at.from || fleet.worker(i).name() == at.to)
                fleet.worker(i).pause(15s);
        }
        return fate();
    };
    fail_each_hop(pause, has_its_answer_or_was_lost);
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_costs_what_was_claimed_alone)
{
    const auto cut = [](simulated_fleet& fleet, const hop& at) {
        fleet.cut(at.from == "server" ? at.to : at.from, 4s);
        return lost();
    };
    fail_each_hop(cut, has_its_answer_or_was_lost);
}

BOOST_AUTO_TEST_CASE(a_new_leader_costs_no_call_its_answer)
{
    const auto lose = [](simulated_fleet& fleet, const hop&) {
        fleet.lose_leader(6500ms);
        return lost();
    };
    fail_each_hop(lose, has_its_answer_or_was_lost);
}

BOOST_AUTO_TEST_CASE(workers_that_are_replaced_in_turn_cost_nothing)
{
    simulated_fleet fleet(2, 3);
    for (std::size_t i = 0; i < 300; ++i)
        fleet.call(i % 2, i * 20ms, i % 10 == 0 ? 3000ms : 30ms, i % 3 != 0);
    for (std::size_t i = 0; i < 6; ++i)
        fleet.time.after(500ms + i * 900ms, [&fleet, i] { fleet.replace_worker(i % 3); });
    BOOST_TEST((fleet.run() < 11s)); // nothing waits for the ack wait
    BOOST_TEST(fleet.complaint() == "");
    for (const call_record& call : fleet.ledger) {
        has_its_answer(call);
        BOOST_TEST(call.runs == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
