// Calls of an event store that fails, is slow, or never completes.

#include "http/sessions/store_calls.hpp"
#include "support/scripted_store.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
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
    using state = store_calls::append_state;
    using names = std::vector<std::string>; // of calls

    void read(const event_stream_key& of = called_stream)
    {
        handles.push_back(calls->read(of, 1, 1000, [this](const store_calls::result& got) {
            ++told;
            has_failed = !got;
        }));
    }
    void append() { append_to(called_stream); }
    void append_to(const event_stream_key& to)
    {
        calls->append(to, stored_events{{{1, "{}"}}, 0}, 2, [this](store_calls::append_state is) {
            ++(is == state::late ? late : told);
            has_failed = is != state::stored;
        });
    }
    // What is left of that stream.
    void append_last(std::size_t bytes = 2) { calls->append_last(called_stream, {{{2, "{}"}}, 3}, bytes); }
    std::size_t losses() const
    {
        return static_cast<std::size_t>(std::count_if(
            logged.begin(), logged.end(), [](const auto& line) { return line.find("dropped") != line.npos; }));
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
    std::vector<store_calls::read_handle> handles;
    int told = 0;
    int late = 0;
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
    }
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST_REQUIRE(logged.size() == 2u); // clients who read hide no failure of what appends
    for (const std::string& line : logged)
        BOOST_TEST(line.find("no store today") != std::string::npos);
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
    store->appends = store->reads = way::stay;
    append();
    read();
    poll();
    BOOST_TEST(calls->is_appending(called_stream));
    tick_late();
    poll();
    BOOST_TEST(told == 1); // the read
    BOOST_TEST(late == 1);
    BOOST_TEST(has_failed);
    BOOST_TEST(!calls->is_appending(called_stream));
    BOOST_TEST(calls->under_way() == 2u);
    BOOST_TEST(budget->used() != 0u);
    store->release();
    poll();
    BOOST_TEST(told == 2); // the append is told again
    BOOST_TEST(!has_failed);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_CASE(there_is_room_for_so_many_calls)
{
    store->appends = way::stay;
    for (std::size_t i = 0; i != store_calls::max_calls; ++i) {
        BOOST_TEST_REQUIRE(calls->has_room());
        append();
    }
    BOOST_TEST(!calls->has_room());
    counting_waiter one;
    calls->wait_for_room(one);
    poll();
    tick_late(); // they are given up, and are still there
    BOOST_TEST(late == static_cast<int>(store_calls::max_calls));
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

BOOST_AUTO_TEST_CASE(who_waits_for_a_tick_is_asked_with_it_and_not_before)
{
    counting_waiter one;
    calls->wait_for_tick(one);
    append();
    poll();
    BOOST_TEST(one.tries == 0);
    {
        counting_waiter gone;
        calls->wait_for_tick(gone);
    }
    calls->on_tick(store_calls::clock::now());
    BOOST_TEST(one.tries == 1);
}

BOOST_AUTO_TEST_CASE(so_many_try_again_with_one_tick_and_the_others_first_with_the_next)
{
    std::vector<counting_waiter> all(store_calls::max_retries + 1);
    for (counting_waiter& one : all)
        calls->wait_for_tick(one);
    calls->on_tick(store_calls::clock::now());
    BOOST_TEST(std::count_if(all.begin(), all.end(), [](const auto& one) { return one.tries == 1; }) ==
               static_cast<std::ptrdiff_t>(store_calls::max_retries));
    BOOST_TEST(all.back().tries == 0);
    for (std::size_t i = 0; i != store_calls::max_retries; ++i)
        calls->wait_for_tick(all[i]);
    calls->on_tick(store_calls::clock::now());
    BOOST_TEST(all.back().tries == 1);
    BOOST_TEST(all.front().tries == 2);
    BOOST_TEST(all[store_calls::max_retries - 1].tries == 1);
}

BOOST_AUTO_TEST_CASE(reads_leave_half_of_the_room_to_what_appends)
{
    store->reads = way::stay;
    for (std::size_t i = 0; i != store_calls::max_reads; ++i) {
        BOOST_TEST_REQUIRE(calls->has_room_to_read(std::to_string(i)));
        read({std::to_string(i), 1});
    }
    poll();
    BOOST_TEST(!calls->has_room_to_read("another"));
    BOOST_TEST(calls->has_room());
    handles.clear(); // clients who go away give no room back before the store does
    poll();
    BOOST_TEST(!calls->has_room_to_read("another"));
    store->release();
    poll();
    BOOST_TEST(calls->has_room_to_read("another"));
}

BOOST_AUTO_TEST_CASE(one_session_has_so_many_reads)
{
    store->reads = way::stay;
    for (std::size_t i = 0; i != store_calls::max_reads_of_session; ++i) {
        BOOST_TEST_REQUIRE(calls->has_room_to_read(called_stream.session));
        read();
    }
    poll();
    handles.clear();
    poll();
    BOOST_TEST(!calls->has_room_to_read(called_stream.session));
    BOOST_TEST(calls->has_room_to_read("another"));
    BOOST_TEST(!calls->is_appending(called_stream)); // they are no appends
    store->release();
    poll();
    BOOST_TEST(calls->has_room_to_read(called_stream.session));
}

BOOST_AUTO_TEST_CASE(who_waits_for_room_has_it_before_whoever_is_told)
{
    store->reads = store->appends = way::wait;
    counting_waiter one;
    int tries_before = -1;
    handles.push_back(
        calls->read(called_stream, 1, 1000, [&](const store_calls::result&) { tries_before = one.tries; }));
    while (calls->has_room())
        append();
    calls->wait_for_room(one);
    poll();
    store->release(); // the read first
    poll();
    BOOST_TEST(tries_before == 1);
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_stream_is_appended_behind_the_call_under_way)
{
    store->appends = way::wait;
    append();
    poll();
    append_last();
    poll();
    BOOST_TEST(calls->under_way() == 1u);
    store->appends = way::complete;
    store->release();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append 2-2 end"}), boost::test_tools::per_element());
    append_last(); // behind nothing
    poll();
    BOOST_TEST(store->calls.back() == "append 2-2 end");
    BOOST_TEST(store->calls.size() == 3u);
    BOOST_TEST(budget->used() == 0u);
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_rest_that_the_store_does_not_take_is_lost_and_logged)
{
    store->appends = way::fail;
    append_last();
    poll();
    BOOST_TEST(losses() == 1u);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_rest_is_lost_with_the_call_before_it)
{
    store->appends = way::wait;
    append();
    append_last();
    poll();
    tick_late();
    poll();
    BOOST_TEST(losses() == 1u);
    BOOST_TEST(calls->under_way() == 0u);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_rest_that_has_no_room_is_lost)
{
    append_last(budget->limit() + 1);
    BOOST_TEST(losses() == 1u);
    BOOST_TEST(calls->under_way() == 0u);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_session_drops_what_is_left_of_its_streams)
{
    store->appends = way::wait;
    append();
    append_last();
    poll();
    calls->end_session(called_stream.session);
    store->release();
    poll();
    BOOST_TEST(store->calls == names{"append 1-1"}, boost::test_tools::per_element());
    BOOST_TEST(store->ended == names{called_stream.session}, boost::test_tools::per_element());
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_read_that_nobody_wants_any_more_is_cancelled)
{
    store->reads = way::wait;
    read();
    poll();
    handles.clear();
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
    BOOST_TEST(calls->needs_ticks());
    calls->stop();
    BOOST_TEST(told == 1);
    BOOST_TEST(late == 1);
    BOOST_TEST(has_failed);
    BOOST_TEST(!calls->has_room());
    BOOST_TEST(!calls->needs_ticks());
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
    handles.clear();
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
        its->append(called_stream, {}, 0, [this](store_calls::append_state) { ++told; });
        other.poll();
        BOOST_TEST(own->waiting() == 1u);
    }
    BOOST_TEST(watched.expired());
    BOOST_TEST(told == 0);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
