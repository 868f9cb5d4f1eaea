// The events of one stream on their way to an event store.

#include "http/sessions/event_recorder.hpp"
#include "http/wire/event_bracket.hpp"
#include "support/scripted_store.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

namespace asio = boost::asio;
using partyline::http::event_bracket;
using partyline::http::event_log;
using partyline::http::event_recorder;
using partyline::http::event_stream_key;
using partyline::http::store_calls;
using partyline::test::scripted_store;

namespace {

constexpr std::size_t kept_events = 4;
constexpr std::size_t kept_bytes = 100'000;
const event_stream_key recorded_stream{"of a session", 7};

struct recorder_fixture : event_recorder::user {
    using way = scripted_store::way;
    using names = std::vector<std::string>; // of calls

    void say(const std::string& message)
    {
        log.append(std::string(event_bracket::before) + message + std::string(event_bracket::behind));
        recorder->on_appended();
        log.trim(recorder->needed());
    }
    void say_so_many(int count)
    {
        for (int i = 0; i != count; ++i)
            say("{}");
    }
    void poll()
    {
        context.restart();
        context.poll();
    }
    void tick_late() { calls->on_tick(store_calls::clock::now() + store_calls::time_limit * 2); }
    void tick() { calls->on_tick(store_calls::clock::now()); }
    bool has_room() const { return recorder->has_room(kept_events, kept_bytes); }
    void on_recorded() noexcept override { ++recorded; }

    asio::io_context context{1};
    names logged;
    std::shared_ptr<scripted_store> store = std::make_shared<scripted_store>();
    std::shared_ptr<store_calls> calls = std::make_shared<store_calls>(
        context.get_executor(), store, nullptr, [this](std::string_view line) { logged.emplace_back(line); });
    event_log log{7, {kept_events, kept_bytes}};
    std::shared_ptr<event_recorder> recorder =
        std::make_shared<event_recorder>(calls, recorded_stream, log, static_cast<event_recorder::user&>(*this));
    int recorded = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_event_recorder, recorder_fixture)

BOOST_AUTO_TEST_CASE(events_are_appended_in_order_by_one_call_at_a_time)
{
    for (const char* message : {R"({"a":1})", R"({"b":2})", R"({"c":3})"})
        say(message);
    BOOST_TEST(calls->under_way() == 1u);
    recorder->complete();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append 2-3 end"}), boost::test_tools::per_element());
    const auto& stored = store->streams.at(recorded_stream);
    BOOST_TEST_REQUIRE(stored.events.size() == 3u);
    BOOST_TEST(stored.events[0].message == R"({"a":1})");
    BOOST_TEST(stored.events[2].message == R"({"c":3})");
    BOOST_TEST(stored.end == 4u);
    BOOST_TEST(recorded == 2);
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(an_end_behind_stored_events_is_appended_alone_and_once)
{
    say("{}");
    poll();
    recorder->complete();
    recorder->complete();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append end"}), boost::test_tools::per_element());
    BOOST_TEST(store->streams.at(recorded_stream).end == 2u);
}

BOOST_AUTO_TEST_CASE(long_events_go_by_calls_of_their_own)
{
    store->appends = way::wait;
    say("{}");
    poll();
    say('"' + std::string(70'000, 'x') + '"');
    say("{}");
    store->appends = way::complete;
    store->release();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append 2-2", "append 3-3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_has_failed_is_appended_again_with_a_tick)
{
    for (const way how : {way::fail, way::throw_at_once, way::no_coroutine}) {
        store->appends = how;
        say("{}");
        poll();
        tick();
        poll();
    }
    BOOST_TEST(store->calls.empty());
    store->appends = way::complete;
    say("{}"); // a store that fails is not asked for each event
    poll();
    BOOST_TEST(store->calls.empty());
    tick();
    poll();
    BOOST_TEST(store->calls == names{"append 1-4"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_slow_store_has_events_wait_in_the_log_and_a_failed_one_does_not)
{
    store->appends = way::wait;
    say_so_many(1);
    poll();
    BOOST_TEST(has_room());
    say_so_many(3);
    BOOST_TEST(!has_room());
    BOOST_TEST(log.first() == 1u);
    store->release();
    poll();
    BOOST_TEST(has_room());
    BOOST_TEST(recorder->is_waited_for()); // with the next three
    say_so_many(1);
    BOOST_TEST(!has_room());
    tick_late();
    BOOST_TEST(has_room());
    BOOST_TEST(recorded == 2);
    poll(); // it is cancelled
    BOOST_TEST(recorded == 3);
    tick(); // tries again, and nobody waits for that
    BOOST_TEST(calls->under_way() == 1u);
    BOOST_TEST(has_room());
    say_so_many(4);
    BOOST_TEST(log.first() == 6u);
    store->appends = way::complete;
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append 2-5", "append 6-9"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(behind_a_late_call_nothing_begins_until_it_has_ended)
{
    store->appends = way::stay;
    say_so_many(1);
    poll();
    tick_late();
    say_so_many(1);
    for (int i = 0; i != 3; ++i) {
        tick();
        poll();
    }
    BOOST_TEST(calls->under_way() == 1u);
    BOOST_TEST(store->waiting() == 1u);
    BOOST_TEST(has_room());
    BOOST_TEST(!recorder->is_waited_for());
    store->appends = way::complete;
    store->release();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append 2-2"}), boost::test_tools::per_element());
    BOOST_TEST(recorder->needed() == 3u);
}

BOOST_AUTO_TEST_CASE(what_begins_when_there_is_room_is_told)
{
    store->appends = way::stay;
    const event_stream_key other{"of another session", 1};
    while (calls->has_room())
        calls->append(other, {}, 0, [](store_calls::append_state) {});
    poll();
    say_so_many(1);
    BOOST_TEST(!recorder->is_waited_for());
    store->release(); // there is room, and what waits for it stays under way
    poll();
    BOOST_TEST(recorder->is_waited_for());
    BOOST_TEST(recorded == 1);
    store->release();
    poll();
    BOOST_TEST(store->streams.at(recorded_stream).events.size() == 1u);
    BOOST_TEST(recorded == 2);
}

BOOST_AUTO_TEST_CASE(a_read_that_fails_does_not_change_who_is_waited_for)
{
    store->appends = way::wait;
    say_so_many(4);
    store->reads = way::throw_at_once;
    const store_calls::read_handle one = calls->read(recorded_stream, 1, 1000, [](const store_calls::result&) {});
    poll();
    BOOST_TEST(calls->under_way() == 1u);
    BOOST_TEST(recorder->is_waited_for());
    BOOST_TEST(!has_room());
    BOOST_TEST(recorder->needed() == 1u);
    BOOST_TEST(recorder->needed_bytes() == log.bytes());
}

BOOST_AUTO_TEST_CASE(a_log_that_goes_is_stored_to_its_end)
{
    store->appends = way::wait;
    say_so_many(3);
    recorder->complete();
    poll();
    recorder->hand_over();
    recorder.reset();
    store->appends = way::complete;
    store->release();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append 2-3 end"}), boost::test_tools::per_element());
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_log_that_goes_while_its_end_is_appended_has_nothing_left)
{
    say_so_many(1);
    poll();
    store->appends = way::wait;
    recorder->complete();
    recorder->hand_over();
    recorder.reset();
    poll();
    store->appends = way::complete;
    store->release();
    poll();
    BOOST_TEST(store->calls == (names{"append 1-1", "append end"}), boost::test_tools::per_element());
    BOOST_TEST(calls->under_way() == 0u);
}

BOOST_AUTO_TEST_CASE(a_log_that_goes_while_the_store_has_failed_is_tried_once_more)
{
    store->appends = way::fail;
    say_so_many(1);
    recorder->complete();
    poll();
    store->appends = way::complete;
    recorder->hand_over();
    recorder.reset();
    poll();
    BOOST_TEST(store->calls == names{"append 1-1 end"}, boost::test_tools::per_element());
    BOOST_TEST(logged.size() == 1u); // the failure
}

BOOST_AUTO_TEST_CASE(a_log_that_goes_while_a_call_is_late_is_lost_and_logged)
{
    store->appends = way::stay;
    say_so_many(2);
    poll();
    tick_late();
    BOOST_TEST(logged.size() == 1u); // the failure
    recorder->hand_over();
    recorder.reset();
    BOOST_TEST(logged.size() == 2u);
    store->release();
    poll();
    BOOST_TEST(store->calls == names{"append 1-1"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_log_that_goes_without_room_is_lost_and_logged)
{
    store->appends = way::stay;
    const event_stream_key other{"of another session", 1};
    while (calls->has_room())
        calls->append(other, {}, 0, [](store_calls::append_state) {});
    poll();
    say_so_many(1);
    recorder->hand_over();
    recorder.reset();
    BOOST_TEST(logged.size() == 1u);
    store->release();
    poll();
    BOOST_TEST(!store->streams.contains(recorded_stream));
}

BOOST_AUTO_TEST_CASE(long_events_wait_only_within_their_bytes)
{
    store->appends = way::wait;
    say("{}");
    poll();
    say('"' + std::string(kept_bytes, 'x') + '"');
    BOOST_TEST(!has_room());
}

BOOST_AUTO_TEST_CASE(what_the_log_has_dropped_before_is_lost_and_logged_once)
{
    store->appends = way::fail;
    say_so_many(1);
    poll();
    say_so_many(9); // the log has four of them
    store->appends = way::complete;
    tick();
    poll();
    BOOST_TEST(store->calls == names{"append 7-10"}, boost::test_tools::per_element());
    BOOST_TEST(logged.size() == 2u); // the failure, and the loss
    recorder->complete();
    poll();
    BOOST_TEST(store->streams.at(recorded_stream).end == 11u);
    BOOST_TEST(has_room());
}

BOOST_AUTO_TEST_CASE(a_call_may_end_after_its_stream_has_gone)
{
    store->appends = way::stay;
    say_so_many(2);
    poll();
    recorder.reset();
    store->release();
    poll();
    BOOST_TEST(recorded == 0);
    BOOST_TEST(store->calls == names{"append 1-1"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_stream_that_waits_for_a_tick_may_go)
{
    store->appends = way::fail;
    say_so_many(1);
    poll();
    recorder.reset();
    tick();
    poll();
    BOOST_TEST(calls->under_way() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
