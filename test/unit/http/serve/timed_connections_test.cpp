// Which connections are looked at when time has passed, and which of them end.

#include "http/serve/timed_connections.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using partyline::http::timed_connection;
using partyline::http::timed_connections;

namespace {

using namespace std::chrono_literals;

struct noted_connection final : timed_connection {
    noted_connection(timed_connections& in, clock::time_point began) : all(in), since(began) {}
    ~noted_connection() override { all.remove(*this); }

    void close_in_order() override {}
    void stop_at_once() noexcept override
    {
        all.remove(*this);
        events.emplace_back("stopped");
    }
    bool has_waited_too_long(clock::time_point now) const noexcept override
    {
        ++looks;
        return now - since > 1s;
    }
    void on_tick(clock::time_point) override
    {
        events.emplace_back("tick");
        if (leaves_at_tick)
            stop_at_once();
    }
    void give_up() noexcept override { events.emplace_back("given up"); }

    timed_connections& all;
    clock::time_point since;
    bool leaves_at_tick = false;
    mutable int looks = 0;
    std::vector<std::string> events;
};

using event_list = std::vector<std::string>;

struct timed_fixture {
    using state = timed_connections::state;
    static constexpr timed_connection::clock::time_point start{};

    timed_connections all;
    noted_connection first{all, start};
    noted_connection second{all, start + 1s};
    noted_connection third{all, start + 2s};

    void place_all(state in)
    {
        for (timed_connection* one : {&first, &second, &third})
            all.place(*one, in);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_timed_connections, timed_fixture)

BOOST_AUTO_TEST_CASE(those_that_have_waited_too_long_are_stopped_and_of_the_others_only_the_first_is_looked_at)
{
    place_all(state::waits_for_request);
    all.on_tick(start + 1500ms);
    BOOST_TEST(first.events == event_list{"stopped"});
    BOOST_TEST(second.events.empty());
    BOOST_TEST(second.looks == 1);
    BOOST_TEST(third.looks == 0);
}

BOOST_AUTO_TEST_CASE(each_kind_of_waiting_is_looked_at_by_itself)
{
    all.place(second, state::waits_for_first_bytes);
    all.place(first, state::waits_for_handshake);
    all.place(third, state::waits_for_request);
    all.on_tick(start + 1500ms);
    BOOST_TEST(first.events == event_list{"stopped"});
    BOOST_TEST(second.looks + third.looks == 2);
}

BOOST_AUTO_TEST_CASE(whoever_waits_again_stands_behind_the_others)
{
    place_all(state::waits_for_request);
    all.place(first, state::busy);
    first.since = start + 3s;
    all.place(first, state::waits_for_request);
    all.on_tick(start + 2500ms);
    BOOST_TEST(second.events == event_list{"stopped"});
    BOOST_TEST(first.events.empty());
    BOOST_TEST(first.looks == 0);
}

BOOST_AUTO_TEST_CASE(every_busy_one_has_its_tick_though_some_leave)
{
    place_all(state::busy);
    first.leaves_at_tick = third.leaves_at_tick = true;
    all.on_tick(start);
    BOOST_TEST(first.events == (event_list{"tick", "stopped"}));
    BOOST_TEST(second.events == event_list{"tick"});
    BOOST_TEST(third.events == (event_list{"tick", "stopped"}));
    BOOST_TEST(!all.empty());
    all.remove(second);
    all.remove(second);
    BOOST_TEST(all.empty());
}

BOOST_AUTO_TEST_CASE(at_the_end_those_that_wait_are_stopped_and_the_busy_ones_give_up)
{
    all.place(first, state::waits_for_first_bytes);
    all.place(second, state::waits_for_request);
    all.place(third, state::busy);
    all.give_up();
    BOOST_TEST(first.events == event_list{"stopped"});
    BOOST_TEST(second.events == event_list{"stopped"});
    BOOST_TEST(third.events == event_list{"given up"});
}

BOOST_AUTO_TEST_SUITE_END()
