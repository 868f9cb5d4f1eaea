// Fleets in which much goes wrong at random, from seeds that a failure names.

#include "unit/fleet/simulation/simulated_fleet.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <random>

using partyline::fleet::front_outcome;
using partyline::test::call_record;
using partyline::test::fate;
using partyline::test::hop;
using partyline::test::simulated_fleet;
using namespace std::chrono_literals;

namespace {

/// How much goes wrong, in percent of messages and in events of a minute.
struct trouble {
    int lost = 0;
    int doubled = 0;
    int late = 0;
    int deaths = 0;
    int pauses = 0;
    int cuts = 0;
    int leaders = 0;
    int fronts = 0;
};

class random_fleet {
public:
    random_fleet(unsigned seed, const trouble& much) : random_(seed), much_(much)
    {
        fleet.network.decide = [this](const hop&) { return fate_of_one(); };
        for (std::size_t i = 0; i < 60; ++i)
            plan_call();
        plan(much.deaths, [this] { fleet.kill_worker(below(fleet.workers())); });
        plan(much.pauses, [this] { fleet.worker(below(fleet.workers())).pause(1ms * (1 + below(20'000))); });
        plan(much.leaders, [this] { fleet.lose_leader(1ms * below(7'000)); });
        plan(much.fronts, [this] { fleet.kill_front(0); });
        plan(much.cuts, [this] {
            const std::size_t which = below(fleet.workers() + 1);
            fleet.cut(which == 0 ? fleet.front(1).name() : fleet.worker(which - 1).name(), 1ms * below(12'000));
        });
    }

    simulated_fleet fleet{3, 3};

private:
    std::size_t below(std::size_t count) { return random_() % count; }
    bool happens(int percent) { return below(100) < static_cast<std::size_t>(percent); }

    // Not `std::uniform_int_distribution`, which other libraries implement in other ways.
    fate fate_of_one()
    {
        fate is;
        is.is_lost = happens(much_.lost);
        is.is_doubled = happens(much_.doubled);
        is.delay = 1us * (100 + below(2'000));
        if (happens(much_.late))
            is.delay = 1ms * below(15'000);
        return is;
    }

    void plan_call()
    {
        const auto work = happens(10) ? 1ms * below(12'000) : 1ms * below(100);
        const auto delay = 1ms * below(60'000);
        const std::size_t call = fleet.call(below(3), delay, work, happens(50));
        if (happens(10))
            fleet.cancel(call, delay + 1ms * below(5'000));
    }

    void plan(int count, const std::function<void()>& what)
    {
        for (int i = 0; i < count; ++i)
            fleet.time.after(1ms * below(60'000), what);
    }

    std::mt19937 random_;
    trouble much_;
};

void check(unsigned seeds, const trouble& much)
{
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        random_fleet one(seed, much);
        one.fleet.run();
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            BOOST_TEST(one.fleet.complaint() == "");
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_schedules_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(any_order_of_messages_is_good)
{
    trouble much;
    much.late = 20;
    check(20, much);
}

BOOST_AUTO_TEST_CASE(any_messages_may_be_lost_or_come_twice)
{
    trouble much;
    much.lost = 10;
    much.doubled = 10;
    much.late = 5;
    check(15, much);
    much.lost = 40;
    check(5, much);
}

BOOST_AUTO_TEST_CASE(any_members_may_die_stand_still_or_be_cut_off)
{
    trouble much;
    much.deaths = 6;
    much.pauses = 4;
    much.cuts = 4;
    much.leaders = 2;
    much.fronts = 1;
    check(40, much);
}

BOOST_AUTO_TEST_CASE(all_of_it_may_happen_at_once)
{
    trouble much;
    much.lost = 5;
    much.doubled = 5;
    much.late = 5;
    much.deaths = 6;
    much.pauses = 4;
    much.cuts = 4;
    much.leaders = 2;
    much.fronts = 1;
    check(40, much);
}

BOOST_AUTO_TEST_SUITE_END()
