// What idle connections keep for their next request.

#include "http/serve/kept_state.hpp"
#include "http/serve/rpc_endpoint.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <vector>

using partyline::http::connection_state;
using partyline::http::idle_states;
using partyline::http::kept_state;

namespace {

struct noted_state : connection_state {
    explicit noted_state(int& counted) : dropped(counted) {}
    void let_go() noexcept override { ++dropped; }

    int& dropped;
};

struct crowd {
    explicit crowd(std::size_t count) : counts(count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(std::make_unique<kept_state>());
            all[i]->keep(by, std::make_shared<noted_state>(counts[i]));
            idle.add(*all[i]);
        }
    }

    const partyline::http::rpc_endpoint by{nullptr, {}};
    std::vector<int> counts; // how often each was let go of
    idle_states idle;
    std::vector<std::unique_ptr<kept_state>> all;
};

} // namespace

BOOST_AUTO_TEST_SUITE(http_kept_state)

BOOST_AUTO_TEST_CASE(a_connection_has_again_what_it_kept)
{
    crowd one(1);
    BOOST_TEST(one.all[0]->find(one.by).get());
    const partyline::http::rpc_endpoint other{nullptr, {}};
    BOOST_TEST(!one.all[0]->find(other).get());
    BOOST_TEST(one.counts[0] == 0);
    one.all[0]->drop();
    BOOST_TEST(!one.all[0]->find(one.by).get());
    BOOST_TEST(one.counts[0] == 1);
}

BOOST_AUTO_TEST_CASE(those_that_have_been_idle_longest_keep_nothing)
{
    crowd many(idle_states::most + 3);
    for (std::size_t i = 0; i < many.all.size(); ++i)
        BOOST_TEST(many.counts[i] == (i < 3 ? 1 : 0));
}

BOOST_AUTO_TEST_CASE(who_is_in_use_again_is_not_among_them)
{
    crowd many(idle_states::most);
    BOOST_TEST(many.all[0]->find(many.by).get());
    kept_state next;
    int dropped = 0;
    next.keep(many.by, std::make_shared<noted_state>(dropped));
    many.idle.add(next); // in the place of the one that is in use
    BOOST_TEST(many.counts[1] == 0);
    many.idle.add(*many.all[0]);
    BOOST_TEST(many.counts[0] == 0);
    BOOST_TEST(many.counts[1] == 1); // idle longest
    BOOST_TEST(dropped == 0);
}

BOOST_AUTO_TEST_CASE(who_ends_leaves_its_place)
{
    crowd many(idle_states::most);
    many.all.erase(many.all.begin());
    BOOST_TEST(many.counts[0] == 1);
    kept_state next;
    int dropped = 0;
    next.keep(many.by, std::make_shared<noted_state>(dropped));
    many.idle.add(next);
    BOOST_TEST(many.counts[1] == 0);
}

BOOST_AUTO_TEST_CASE(who_keeps_nothing_takes_no_place)
{
    crowd many(idle_states::most);
    kept_state nothing;
    many.idle.add(nothing);
    BOOST_TEST(many.counts[0] == 0);
}

BOOST_AUTO_TEST_SUITE_END()
