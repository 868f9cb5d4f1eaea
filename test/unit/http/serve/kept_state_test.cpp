// What idle connections keep for their next request.

#include "http/serve/kept_state.hpp"
#include "http/serve/rpc_endpoint.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <vector>

using partyline::http::connection_state;
using partyline::http::idle_states;
using partyline::http::kept_state;

namespace {

constexpr idle_states::clock::time_point now{};

struct noted_state : connection_state {
    explicit noted_state(int& counted) : dropped(counted) {}
    void let_go() noexcept override { ++dropped; }

    int& dropped;
};

struct state_set {
    explicit state_set(std::size_t count) : counts(count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(std::make_unique<kept_state>());
            all[i]->keep(by, std::make_shared<noted_state>(counts[i]));
            idle.add(*all[i], now);
        }
    }

    const partyline::http::rpc_endpoint by{nullptr, partyline::method_table()};
    std::vector<int> counts; // how often each was let go of
    idle_states idle;
    std::vector<std::unique_ptr<kept_state>> all;
};

} // namespace

BOOST_AUTO_TEST_SUITE(http_kept_state)

BOOST_AUTO_TEST_CASE(a_connection_has_again_what_it_kept)
{
    state_set one(1);
    BOOST_TEST(one.all[0]->find(one.by).get());
    const partyline::http::rpc_endpoint other{nullptr, partyline::method_table()};
    BOOST_TEST(!one.all[0]->find(other).get());
    BOOST_TEST(one.counts[0] == 0);
    one.all[0]->drop();
    BOOST_TEST(!one.all[0]->find(one.by).get());
    BOOST_TEST(one.counts[0] == 1);
}

BOOST_AUTO_TEST_CASE(where_there_is_no_room_who_comes_later_keeps_nothing)
{
    state_set many(idle_states::most + 3);
    for (std::size_t i = 0; i < many.all.size(); ++i)
        BOOST_TEST(many.counts[i] == (i < idle_states::most ? 0 : 1));
}

BOOST_AUTO_TEST_CASE(who_is_in_use_again_makes_room)
{
    state_set many(idle_states::most);
    BOOST_TEST(many.all[0]->find(many.by).get());
    int dropped = 0;
    kept_state next;
    next.keep(many.by, std::make_shared<noted_state>(dropped));
    many.idle.add(next, now);
    BOOST_TEST(dropped == 0);
    many.idle.add(*many.all[0], now);
    BOOST_TEST(many.counts[0] == 1);
}

BOOST_AUTO_TEST_CASE(who_ends_makes_room)
{
    state_set many(idle_states::most);
    many.all.pop_back();
    BOOST_TEST(many.counts.back() == 1);
    int dropped = 0;
    kept_state next;
    next.keep(many.by, std::make_shared<noted_state>(dropped));
    many.idle.add(next, now);
    BOOST_TEST(dropped == 0);
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_kept_for_a_moment)
{
    state_set three(3);
    three.all[1]->find(three.by);
    three.idle.add(*three.all[1], now + std::chrono::milliseconds(1)); // it was used once more
    three.idle.on_tick(now + idle_states::longest);
    BOOST_TEST(three.counts[0] == 0);
    three.idle.on_tick(now + idle_states::longest + std::chrono::milliseconds(1));
    BOOST_TEST(three.counts[0] == 1);
    BOOST_TEST(three.counts[1] == 0);
    BOOST_TEST(three.counts[2] == 1);
}

BOOST_AUTO_TEST_CASE(who_keeps_nothing_takes_no_room)
{
    state_set many(idle_states::most - 1);
    kept_state nothing;
    many.idle.add(nothing, now);
    int dropped = 0;
    kept_state next;
    next.keep(many.by, std::make_shared<noted_state>(dropped));
    many.idle.add(next, now);
    BOOST_TEST(dropped == 0);
}

BOOST_AUTO_TEST_SUITE_END()
