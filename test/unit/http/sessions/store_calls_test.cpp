// Calls of an event store that fails, is slow, or never completes.

#include "http/sessions/store_calls.hpp"
#include "support/scripted_store.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using partyline::memory_budget;
using partyline::http::event_stream_key;
using partyline::http::store_calls;
using partyline::http::stored_events;
using partyline::test::scripted_store;

namespace {

const event_stream_key called_stream{"of a session", 1};

struct calls_fixture {
    using way = scripted_store::way;

    void read()
    {
        tickets.push_back(calls->read(called_stream, 1, 1000, [this](const store_calls::result& got) {
            ++told;
            has_failed = !got;
        }));
    }
    void append()
    {
        calls->append(called_stream, stored_events{{{1, "{}"}}, 0}, 2, [this](const store_calls::result& got) {
            ++told;
            has_failed = !got;
        });
    }
    void poll()
    {
        context.restart();
        context.poll();
    }
    void tick_late() { calls->on_tick(store_calls::clock::now() + store_calls::time_limit * 2); }

    asio::io_context context{1};
    std::vector<std::string> logged;
    std::shared_ptr<scripted_store> store = std::make_shared<scripted_store>();
    std::shared_ptr<memory_budget> budget = std::make_shared<memory_budget>(std::size_t(1) << 20);
    std::shared_ptr<store_calls> calls = std::make_shared<store_calls>(
        context.get_executor(), store, budget, [this](std::string_view line) { logged.emplace_back(line); });
    std::vector<store_calls::ticket> tickets;
    int told = 0;
    bool has_failed = false;
};

// Waits for room, or for the next tick.
struct counting_waiter final : store_calls::waiter {
    void try_again() noexcept override { ++tries; }
    int tries = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_store_calls, calls_fixture)

BOOST_AUTO_TEST_CASE(the_store_is_called_behind_whoever_calls)
{
    append();
    BOOST_TEST(store->calls.empty());
    BOOST_TEST(calls->under_way() == 1u);
    BOOST_TEST(budget->used() != 0u);
    poll();
    BOOST_TEST(store->calls == std::vector<std::string>{"append 1-1"}, boost::test_tools::per_element());
    read();
    poll();
    BOOST_TEST(told == 2);
    BOOST_TEST(!has_failed);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(budget->used() == 0u);
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(whichever_way_a_call_fails_its_caller_is_told_and_the_log_once)
{
    for (const way how : {way::fail, way::throw_at_once, way::no_coroutine}) {
        store->appends = store->reads = how;
        told = 0;
        append();
        read();
        poll();
        BOOST_TEST(told == 2);
        BOOST_TEST(has_failed);
        BOOST_TEST(calls->is_failing());
    }
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged.front().find("no store today") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_call_that_takes_too_long_is_cancelled_and_has_failed)
{
    store->reads = way::wait;
    read();
    poll();
    calls->on_tick(store_calls::clock::now());
    BOOST_TEST(told == 0);
    tick_late();
    BOOST_TEST(told == 1);
    BOOST_TEST(has_failed);
    poll();
    BOOST_TEST(store->cancelled == 1);
    BOOST_TEST(told == 1);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(logged.size() == 1u);
}

BOOST_AUTO_TEST_CASE(one_that_can_not_be_cancelled_counts_until_it_ends)
{
    store->appends = way::stay;
    append();
    poll();
    tick_late();
    poll();
    BOOST_TEST(told == 1);
    BOOST_TEST(calls->under_way() == 1u);
    BOOST_TEST(budget->used() != 0u);
    store->release();
    poll();
    BOOST_TEST(told == 1); // what it has done nobody waits for any more
    BOOST_TEST(has_failed);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_CASE(there_is_room_for_so_many_calls)
{
    store->appends = way::stay;
    for (std::size_t i = 0; i != store_calls::most; ++i) {
        BOOST_TEST_REQUIRE(calls->has_room());
        append();
    }
    BOOST_TEST(!calls->has_room());
    counting_waiter one;
    calls->wait(one);
    poll();
    tick_late(); // they are given up, and are still there
    BOOST_TEST(told == static_cast<int>(store_calls::most));
    BOOST_TEST(!calls->has_room());
    calls->end_session("of nobody");
    poll();
    BOOST_TEST(store->ended.empty());
    BOOST_TEST(one.tries == 0);
    store->release();
    poll();
    BOOST_TEST(calls->has_room());
    BOOST_TEST(one.tries == 1);
}

BOOST_AUTO_TEST_CASE(there_is_no_room_without_memory)
{
    budget->add(budget->limit());
    BOOST_TEST(!calls->has_room());
    budget->sub(budget->limit());
    BOOST_TEST(calls->has_room());
}

BOOST_AUTO_TEST_CASE(who_waits_is_asked_with_the_next_success_or_the_next_tick)
{
    counting_waiter one;
    calls->wait(one);
    calls->on_tick(store_calls::clock::now());
    BOOST_TEST(one.tries == 1);
    calls->wait(one);
    append();
    poll();
    BOOST_TEST(one.tries == 2);
    store->appends = way::fail;
    calls->wait(one);
    append();
    poll();
    BOOST_TEST(one.tries == 2); // a store that fails is not asked more often than by ticks
    {
        counting_waiter gone;
        calls->wait(gone);
    }
    calls->on_tick(store_calls::clock::now());
    BOOST_TEST(one.tries == 3);
}

BOOST_AUTO_TEST_CASE(a_read_that_nobody_wants_any_more_is_cancelled)
{
    store->reads = way::wait;
    read();
    poll();
    tickets.clear();
    poll();
    BOOST_TEST(store->cancelled == 1);
    BOOST_TEST(told == 0);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(at_the_end_all_are_cancelled_and_told)
{
    store->reads = store->appends = way::wait;
    read();
    append();
    poll();
    calls->stop();
    BOOST_TEST(told == 2);
    BOOST_TEST(has_failed);
    BOOST_TEST(!calls->has_room());
    poll();
    BOOST_TEST(store->cancelled == 2);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_call_may_end_after_everything_else_has)
{
    store->appends = store->reads = way::stay;
    append();
    read();
    poll();
    calls.reset();
    tickets.clear();
    store->release();
    poll();
    BOOST_TEST(told == 0);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_context_that_is_destroyed_releases_calls_under_way)
{
    std::weak_ptr<scripted_store> watched;
    {
        asio::io_context other(1);
        const auto own = std::make_shared<scripted_store>();
        own->reads = own->appends = way::stay;
        watched = own;
        const auto its = std::make_shared<store_calls>(other.get_executor(), own, budget, nullptr);
        its->append(called_stream, {}, 0, [this](const store_calls::result&) { ++told; });
        other.poll();
        BOOST_TEST(own->waiting() == 1u);
    }
    BOOST_TEST(watched.expired());
    BOOST_TEST(told == 0);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
