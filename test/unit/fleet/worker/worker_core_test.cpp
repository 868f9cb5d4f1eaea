#include "fleet/worker/worker_core.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace partyline::fleet;
using namespace std::chrono_literals;
using texts = std::vector<std::string>;

namespace {

constexpr std::string_view stored = R"({"stream":"KV_pl_claims","seq":1})";
constexpr std::string_view exists = R"({"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 1"}})";

std::string told(const publication& one)
{
    const std::string text(one.text());
    if (one.subject.starts_with("$JS.API."))
        return "pull " + text + " to " + one.reply_to;
    if (one.subject.starts_with("$JS.ACK."))
        return text + ' ' + one.subject.substr(8);
    if (one.is_create)
        return "claim " + one.subject + " as " + one.message_id + " for " + one.reply_to;
    const auto read = read_reply(text, 1'000);
    return "say " + std::to_string(read.value->number) + ' ' + (read.value->end == call_end::none ? "" : "last ") +
           (read.value->end == call_end::lost        ? "lost "
            : read.value->end == call_end::cancelled ? "cancelled "
            : read.value->end == call_end::too_large ? "too large "
            : read.value->end == call_end::opened    ? "opened "
            : read.value->end == call_end::full      ? "full "
                                                     : "") +
           read.value->message + (one.reply_to.empty() ? "" : " for " + one.reply_to);
}

std::string told(const run_started& one)
{
    return "run " + std::to_string(one.run) + ' ' + one.call.message;
}
std::string told(const session_wanted& one)
{
    return "open " + std::to_string(one.run) +
           (one.opening.session == session_kind::session ? " session" : " requests");
}
std::string told(const run_cancelled& one)
{
    return "cancel " + std::to_string(one.run);
}
std::string told(const item_refused& one)
{
    return "refused: " + std::string(one.why);
}
std::string told(const pulls_ended&)
{
    return "no pulls";
}
std::string told(const queue_missed&)
{
    return "pull in vain";
}
std::string told(const worker_drained&)
{
    return "drained";
}

struct worker {
    worker()
    {
        limits.slots = 2;
        begin();
    }
    void begin()
    {
        core.emplace("W1", "tools", [](const item& one) { return one.message == "idempotent"; }, limits);
        core->on_connected(now);
    }
    void deliver(int number, std::string message, std::string_view ack = "$JS.ACK.1",
                 std::chrono::milliseconds until = 60s)
    {
        item one;
        one.id = {"F1", static_cast<std::uint64_t>(number)};
        one.until = now.wall + until;
        one.message = std::move(message);
        raw(write_item(one), ack);
    }
    void asks_for_session(int number, std::string_view ack = "$JS.ACK.1", session_kind kind = session_kind::session)
    {
        item one;
        one.id = {"F1", static_cast<std::uint64_t>(number)};
        one.until = now.wall + 30s;
        one.session = kind;
        raw(write_item(one), ack);
    }
    void raw(std::string_view payload, std::string_view ack = "$JS.ACK.1")
    {
        core->on_message({"pl.q.tools", ack, 0, payload}, now);
    }
    void says(std::string_view subject, std::string_view payload, int status = 0)
    {
        core->on_message({subject, {}, status, payload}, now);
    }
    void cancels(int number) { says("pl.c.tools", write_cancel({"F1", static_cast<std::uint64_t>(number)})); }
    void pass(std::chrono::milliseconds time)
    {
        const auto end = now.steady + time;
        while (core->next_due() && *core->next_due() <= end) {
            move_to(*core->next_due());
            core->on_time(now);
        }
        move_to(end);
    }
    texts effects(bool with_pulls = false)
    {
        texts all;
        for (const worker_effect& effect : core->take_effects()) {
            std::string text = std::visit([](const auto& one) { return told(one); }, effect);
            if (with_pulls || !text.starts_with("pull "))
                all.push_back(std::move(text));
        }
        return all;
    }
    /// A run that has begun; what it took is forgotten.
    void running(int number = 1)
    {
        deliver(number, "idempotent");
        effects();
    }

    worker_limits limits;
    std::optional<worker_core> core;
    moment now{std::chrono::steady_clock::time_point(1h), std::chrono::system_clock::time_point(24h * 365 * 50)};

private:
    void move_to(std::chrono::steady_clock::time_point to)
    {
        now.wall += to - now.steady;
        now.steady = to;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_worker_core_suite, worker, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(one_that_is_not_ready_takes_nothing)
{
    bool is_ready = false;
    core->take_only_when([&] { return is_ready; });
    effects(true);
    deliver(1, "idempotent");
    BOOST_TEST(effects(true) == texts({"-NAK {\"delay\":1000000000} 1"}));
    pass(10s);
    BOOST_TEST(effects(true) == texts()); // the pull from before has ended, and there is no other one
    is_ready = true;
    pass(1s);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.2)"}));
    deliver(1, "idempotent");
    BOOST_TEST(effects() == texts({"run 1 idempotent"}));
}

BOOST_AUTO_TEST_CASE(a_worker_asks_for_as_many_items_as_it_has_free_slots)
{
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.1)"}));
    deliver(1, "idempotent");
    deliver(2, "idempotent");
    BOOST_TEST(effects(true) == texts({"run 1 idempotent", "run 2 idempotent"}));
    core->on_end(1, "r", now);
    BOOST_TEST(effects(true) ==
               texts({"say 1 last r for pl.w.W1.c.1", R"(pull {"batch":1,"expires":5000000000} to pl.w.W1.p.2)"}));
}

BOOST_AUTO_TEST_CASE(a_pull_that_has_ended_is_followed_by_another)
{
    effects(true);
    says("pl.w.W1.p.1", {}, 408);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.2)"}));
    pass(5'999ms);
    BOOST_TEST(effects(true) == texts());
    pass(1ms); // the server has said nothing
    BOOST_TEST(effects(true) == texts({"pull in vain"}));
    pass(1s);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.3)"}));
    says("pl.w.W1.p.3", {}, no_responders);
    pass(999ms);
    BOOST_TEST(effects(true) == texts());
    pass(1ms);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.4)"}));
    core->on_connected(now);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.5)"}));
}

BOOST_AUTO_TEST_CASE(a_pull_without_any_answer_is_told_once)
{
    effects(true);
    pass(6s);
    BOOST_TEST(effects(true) == texts({"pull in vain"})); // and no other before there is a queue again
    pass(1s);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.2)"}));
    pass(5s);
    says("pl.w.W1.p.2", {}, 408);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.3)"}));
}

// nats-server 2.9 does not say of each pull that its time is over.
BOOST_AUTO_TEST_CASE(a_pull_that_ends_unsaid_is_not_in_vain_where_others_are_heard)
{
    running();
    core->on_end(1, "r", now);
    BOOST_TEST(effects(true).back() == R"(pull {"batch":1,"expires":5000000000} to pl.w.W1.p.2)");
    says("pl.w.W1.c.1", {});
    says("pl.w.W1.p.1", {}, 408);
    pass(5s);
    says("pl.w.W1.p.3", {}, 408);
    effects(true);
    pass(1s);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":1,"expires":5000000000} to pl.w.W1.p.5)"}));
}

// As newer servers say at once.
BOOST_AUTO_TEST_CASE(that_nobody_hears_pulls_is_told_every_5_seconds)
{
    effects(true);
    std::vector<bool> is_told;
    for (int number = 1; number <= 7; ++number) {
        says("pl.w.W1.p." + std::to_string(number), {}, no_responders);
        is_told.push_back(effects(true) == texts({"pull in vain"}));
        pass(1s);
        BOOST_TEST(effects(true).size() == 1u); // the next pull
    }
    BOOST_TEST((is_told == std::vector<bool>{true, false, false, false, false, true, false}));
}

BOOST_AUTO_TEST_CASE(what_is_said_of_a_pull_of_an_earlier_connection_holds_no_pull_back)
{
    core->on_connected(now);
    effects(true);
    says("pl.w.W1.p.1", {}, no_responders);
    says("pl.w.W1.p.2", {}, 408);
    BOOST_TEST(effects(true) == texts({R"(pull {"batch":2,"expires":5000000000} to pl.w.W1.p.3)"}));
}

BOOST_AUTO_TEST_CASE(what_may_run_twice_runs_at_once)
{
    deliver(1, "idempotent");
    BOOST_TEST(effects() == texts({"run 1 idempotent"}));
}

BOOST_AUTO_TEST_CASE(the_front_may_know_that_it_may_run_twice)
{
    item one;
    one.id = {"F1", 1};
    one.until = now.wall + 1s;
    one.is_idempotent = true;
    one.message = "x";
    raw(write_item(one));
    BOOST_TEST(effects() == texts({"run 1 x"}));
}

BOOST_AUTO_TEST_CASE(anything_else_is_claimed_first)
{
    deliver(1, "x");
    BOOST_TEST(effects() == texts({"claim $KV.pl_claims.F1.1 as W1.1 for pl.w.W1.k.1"}));
    pass(500ms); // the answer was lost: the same claim again
    BOOST_TEST(effects() == texts({"claim $KV.pl_claims.F1.1 as W1.1 for pl.w.W1.k.1"}));
    says("pl.w.W1.k.1", stored);
    says("pl.w.W1.k.1", stored);
    BOOST_TEST(effects() == texts({"run 1 x"}));
}

BOOST_AUTO_TEST_CASE(what_another_has_claimed_is_lost)
{
    deliver(1, "x");
    effects();
    says("pl.w.W1.k.1", exists);
    BOOST_TEST(effects() == texts({"say 1 last lost  for pl.w.W1.c.1"}));
    says("pl.w.W1.c.1", {});
    BOOST_TEST(effects() == texts({"+ACK 1"}));
}

// The leader of a consumer may die before the others know of a delivery.
BOOST_AUTO_TEST_CASE(what_another_has_claimed_and_comes_for_the_first_time_waits_whether_that_one_lives)
{
    deliver(1, "x", "$JS.ACK.PL_tools.workers.1.7.9.17.0");
    effects();
    says("pl.w.W1.k.1", exists);
    BOOST_TEST(effects() == texts({"-NAK {\"delay\":10000000000} PL_tools.workers.1.7.9.17.0"}));
    BOOST_TEST(core->held_items() == 0u);
    deliver(1, "x", "$JS.ACK.PL_tools.workers.2.7.9.17.0");
    effects();
    says("pl.w.W1.k.2", exists);
    BOOST_TEST(effects() == texts({"say 1 last lost  for pl.w.W1.c.2"}));
}

BOOST_AUTO_TEST_CASE(what_a_worker_does_is_counted)
{
    running();
    core->on_end(1, "r", now);
    running(2);
    deliver(3, "x");
    says("pl.w.W1.k.3", exists);
    raw("rubbish");
    const worker_totals totals = core->totals();
    BOOST_TEST(totals.running == 1u);
    BOOST_TEST(totals.unconfirmed == 2u);
    BOOST_TEST(totals.begun == 2u);
    BOOST_TEST(totals.claims_lost == 1u);
    BOOST_TEST(totals.refused == 1u);
    BOOST_TEST(totals.pulls >= 1u);
}

BOOST_AUTO_TEST_CASE(an_item_that_has_come_a_hundred_times_in_vain_does_not_run)
{
    deliver(1, "idempotent", "$JS.ACK.PL_tools.workers.100.7.9.17.0");
    BOOST_TEST(effects() == texts({"run 1 idempotent"}));
    deliver(2, "idempotent", "$JS.ACK.PL_tools.workers.101.8.9.17.0");
    BOOST_TEST(effects() == texts({"say 1 last lost  for pl.w.W1.c.2"}));
    deliver(1, "idempotent", "$JS.ACK.PL_tools.workers.101.7.9.17.0"); // which runs here
    BOOST_TEST(effects() == texts({"+WPI PL_tools.workers.101.7.9.17.0"}));
}

BOOST_AUTO_TEST_CASE(a_claim_that_nobody_can_make_now_is_made_later)
{
    deliver(1, "x");
    effects();
    says("pl.w.W1.k.1", {}, no_responders);
    says("pl.w.W1.k.1", "not understood");
    BOOST_TEST(effects() == texts());
    pass(500ms);
    BOOST_TEST(effects().size() == 1u);
    pass(70s); // until the item is past
    BOOST_TEST(effects().back() == "+TERM 1");
    BOOST_TEST(core->held_items() == 0u);
}

BOOST_AUTO_TEST_CASE(the_stream_is_told_of_what_is_worked_on)
{
    running();
    pass(9s);
    BOOST_TEST(effects() == texts({"+WPI 1", "+WPI 1", "+WPI 1"}));
}

BOOST_AUTO_TEST_CASE(messages_are_numbered_and_the_last_one_asks_for_a_confirmation)
{
    running();
    core->on_output(1, "a");
    core->on_output(1, "b");
    core->on_end(1, "r", now);
    core->on_output(1, "late");
    core->on_end(1, "late", now);
    BOOST_TEST(effects() == texts({"say 1 a", "say 2 b", "say 3 last r for pl.w.W1.c.1"}));
    says("pl.w.W1.s.1", {}); // is no confirmation
    BOOST_TEST(effects() == texts());
    says("pl.w.W1.c.1", {});
    says("pl.w.W1.c.1", {});
    BOOST_TEST(effects() == texts({"+ACK 1"}));
    BOOST_TEST(core->held_items() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_not_confirmed_is_said_again)
{
    running();
    core->on_end(1, "r", now);
    effects();
    pass(1s);
    BOOST_TEST(effects() ==
               texts({"+WPI 1", "say 1 last r for pl.w.W1.c.1", "+WPI 1", "say 1 last r for pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_front_that_is_not_there_for_10_seconds_is_dead)
{
    running();
    core->on_end(1, "r", now);
    for (int i = 0; i < 20; ++i) {
        says("pl.w.W1.c.1", {}, no_responders);
        pass(500ms);
    }
    BOOST_TEST(core->held_items() == 1u);
    effects();
    says("pl.w.W1.c.1", {}, no_responders);
    BOOST_TEST(effects() == texts({"+TERM 1"}));
    BOOST_TEST(core->held_items() == 0u);
}

BOOST_AUTO_TEST_CASE(a_front_that_is_missed_twice_may_have_been_there_between)
{
    running();
    core->on_end(1, "r", now);
    says("pl.w.W1.c.1", {}, no_responders);
    pass(1s); // without a word, as while there is no connection
    pass(10s);
    effects();
    says("pl.w.W1.c.1", {}, no_responders);
    BOOST_TEST(effects() == texts());
    BOOST_TEST(core->held_items() == 1u);
}

BOOST_AUTO_TEST_CASE(a_front_that_says_nothing_is_waited_for_until_it_has_given_up)
{
    deliver(1, "idempotent", "$JS.ACK.1", 20s);
    core->on_end(1, "r", now);
    pass(29s);
    BOOST_TEST(core->held_items() == 1u);
    pass(2s);
    BOOST_TEST(effects().back() == "+TERM 1");
}

BOOST_AUTO_TEST_CASE(an_item_that_is_past_is_not_run)
{
    deliver(1, "idempotent", "$JS.ACK.1", 0ms);
    BOOST_TEST(effects() == texts({"+TERM 1"}));
    deliver(2, "x", "$JS.ACK.2", 400ms);
    effects();
    pass(450ms);
    says("pl.w.W1.k.1", stored);
    BOOST_TEST(effects() == texts({"+TERM 2"}));
}

BOOST_AUTO_TEST_CASE(an_item_that_would_outlive_its_claim_is_refused)
{
    deliver(1, "x", "$JS.ACK.1", 541s);
    BOOST_TEST(effects() == texts({"+TERM 1", "refused: a time until when that is too far ahead"}));
    deliver(2, "x", "$JS.ACK.2", 540s);
    BOOST_TEST(effects().front().starts_with("claim"));
}

BOOST_AUTO_TEST_CASE(what_is_no_item_is_terminated_and_never_comes_again)
{
    raw("x");
    BOOST_TEST(effects() == texts({"+TERM 1", "refused: no line before the message"}));
    raw("{}\n{}", "$JS.ACK.2");
    BOOST_TEST(effects() == texts({"+TERM 2", "refused: another version"}));
    raw("x", "pl.q.tools");
    BOOST_TEST(effects() == texts({"refused: an item that no consumer has delivered"}));
    says("pl.c.tools", "x");
    BOOST_TEST(effects() == texts({"refused: no line, or something behind it"}));
    says("pl.c.other", write_cancel({"F1", 1}));
    says("pl.w.W1.x.1", "x");
    BOOST_TEST(effects() == texts());
}

BOOST_AUTO_TEST_CASE(an_item_that_comes_again_runs_once)
{
    running();
    deliver(1, "idempotent", "$JS.ACK.2");
    BOOST_TEST(effects() == texts({"+WPI 2"}));
    pass(3s);
    BOOST_TEST(effects() == texts({"+WPI 2"}));
    core->on_end(1, "r", now);
    deliver(1, "idempotent", "$JS.ACK.3");
    effects();
    says("pl.w.W1.c.1", {});
    BOOST_TEST(effects() == texts({"+ACK 3"}));
}

BOOST_AUTO_TEST_CASE(an_item_without_a_slot_is_given_back)
{
    running(1);
    deliver(2, "idempotent");
    deliver(3, "idempotent", "$JS.ACK.3");
    BOOST_TEST(effects() == texts({"run 2 idempotent", "-NAK {\"delay\":1000000000} 3"}));
}

BOOST_AUTO_TEST_CASE(too_many_unconfirmed_replies_end_the_pulls)
{
    limits.max_unconfirmed = 2;
    begin();
    effects(true);
    for (const int number : {1, 2}) {
        deliver(number, "idempotent");
        core->on_end(static_cast<std::uint64_t>(number), "r", now);
    }
    effects(true);
    deliver(3, "idempotent", "$JS.ACK.3");
    BOOST_TEST(effects(true) == texts({"-NAK {\"delay\":1000000000} 3"}));
    says("pl.w.W1.c.1", {});
    BOOST_TEST(effects(true).front() == "+ACK 1");
    deliver(4, "idempotent", "$JS.ACK.4");
    BOOST_TEST(effects().front() == "run 3 idempotent");
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_what_runs_once)
{
    running();
    cancels(1);
    cancels(1);
    BOOST_TEST(effects() == texts({"cancel 1"}));
    core->on_end(1, "r", now);
    BOOST_TEST(effects() == texts({"say 1 last r for pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_cancel_that_comes_before_its_item_or_its_claim_lets_nothing_run)
{
    cancels(1);
    deliver(1, "idempotent");
    BOOST_TEST(effects() == texts({"say 1 last cancelled  for pl.w.W1.c.1"}));
    deliver(2, "x", "$JS.ACK.2");
    cancels(2);
    effects();
    says("pl.w.W1.k.2", stored);
    BOOST_TEST(effects() == texts({"say 1 last cancelled  for pl.w.W1.c.2"}));
}

BOOST_AUTO_TEST_CASE(few_cancels_are_remembered)
{
    for (int number = 1; number <= 4'097; ++number)
        cancels(number);
    deliver(1, "idempotent");
    BOOST_TEST(effects() == texts({"run 1 idempotent"}));
    deliver(4'097, "idempotent");
    BOOST_TEST(effects().front() == "say 1 last cancelled  for pl.w.W1.c.2");
}

BOOST_AUTO_TEST_CASE(a_cancelled_run_with_nothing_to_say_has_ended_as_cancelled)
{
    running();
    cancels(1);
    effects();
    core->on_end(1, {}, now);
    BOOST_TEST(effects() == texts({"say 1 last cancelled  for pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_run_is_cancelled_when_its_front_has_given_up)
{
    deliver(1, "idempotent", "$JS.ACK.1", 2s);
    effects();
    pass(2s);
    BOOST_TEST(effects() == texts({"cancel 1"}));
    pass(3s);
    BOOST_TEST(effects() == texts({"+WPI 1"}));
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_too_large_is_told_as_that)
{
    limits.max_message_bytes = 100;
    begin();
    running();
    core->on_output(1, std::string(101, 'x'));
    core->on_end(1, std::string(101, 'x'), now);
    BOOST_TEST(effects() == texts({"say 1 last too large  for pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_worker_that_drains_gives_back_what_has_not_begun_and_ends_the_rest)
{
    running(1);
    deliver(2, "x", "$JS.ACK.2");
    effects();
    core->drain(now);
    core->drain(now);
    BOOST_TEST(effects(true) == texts({"no pulls"}));
    deliver(3, "idempotent", "$JS.ACK.3");
    BOOST_TEST(effects(true) == texts({"-NAK 3"}));
    says("pl.w.W1.k.2", stored); // it has begun
    core->on_end(1, "r", now);
    BOOST_TEST(effects(true) == texts({"run 2 x", "say 1 last r for pl.w.W1.c.1"}));
    says("pl.w.W1.c.1", {});
    core->on_end(2, "r", now);
    effects(true);
    says("pl.w.W1.c.2", {});
    BOOST_TEST(effects(true) == texts({"+ACK 2", "drained"}));
    pass(1min);
    BOOST_TEST(effects(true) == texts());
}

BOOST_AUTO_TEST_CASE(an_idle_worker_drains_at_once)
{
    effects(true);
    core->drain(now);
    BOOST_TEST(effects(true) == texts({"no pulls", "drained"}));
}

BOOST_AUTO_TEST_CASE(a_session_is_opened_without_a_claim_and_its_item_is_done_when_that_is_confirmed)
{
    asks_for_session(1);
    BOOST_TEST(effects() == texts({"open 1 session"}));
    core->on_opened(1, true, now);
    BOOST_TEST(effects() == texts({"say 1 last opened  for pl.w.W1.c.1"}));
    pass(500ms);
    BOOST_TEST(effects() == texts({"+WPI 1", "say 1 last opened  for pl.w.W1.c.1"}));
    says("pl.w.W1.c.1", "");
    BOOST_TEST(effects() == texts({"+ACK 1"}));
    BOOST_TEST(core->held_items() == 0u);
    asks_for_session(1, "$JS.ACK.2"); // the acknowledgement was lost
    BOOST_TEST(effects() == texts({"+ACK 2"}));
    core->on_session_end(1, now);
    asks_for_session(1, "$JS.ACK.3", session_kind::requests); // and more than that: its front ends it
    BOOST_TEST(effects() == texts({"open 2 requests"}));
}

BOOST_AUTO_TEST_CASE(an_opening_that_comes_again_is_not_opened_twice)
{
    asks_for_session(1);
    core->on_opened(1, true, now);
    effects();
    asks_for_session(1, "$JS.ACK.2");
    BOOST_TEST(effects() == texts({"+WPI 2"}));
    says("pl.w.W1.c.1", "");
    BOOST_TEST(effects() == texts({"+ACK 2"}));
}

BOOST_AUTO_TEST_CASE(sessions_need_no_slots)
{
    running(1);
    running(2);
    asks_for_session(3);
    BOOST_TEST(effects() == texts({"open 3 session"}));
    core->on_opened(3, true, now);
    BOOST_TEST(core->totals().running == 2u);
    says("pl.w.W1.c.3", "");
    BOOST_TEST(core->totals().running == 2u);
    effects();
    deliver(4, "idempotent", "$JS.ACK.4");
    BOOST_TEST(effects() == texts({"-NAK {\"delay\":1000000000} 4"}));
}

BOOST_AUTO_TEST_CASE(beyond_the_bound_a_session_is_for_another_worker_and_then_for_none)
{
    limits.max_sessions = 1;
    begin();
    asks_for_session(1);
    core->on_opened(1, true, now);
    says("pl.w.W1.c.1", "");
    effects();
    asks_for_session(2, "$JS.ACK.PL_tools.workers.1.1.1.1.0");

    asks_for_session(2, "$JS.ACK.PL_tools.workers.3.1.1.1.0");
    BOOST_TEST(effects() == texts({"-NAK {\"delay\":2000000000} PL_tools.workers.1.1.1.1.0",
                                   "-NAK {\"delay\":2000000000} PL_tools.workers.3.1.1.1.0"}));
    asks_for_session(2, "$JS.ACK.PL_tools.workers.4.1.1.1.0");
    BOOST_TEST(effects() == texts({"say 1 last full  for pl.w.W1.c.2"}));
    says("pl.w.W1.c.2", "");
    effects();
    core->on_session_end(1, now);
    asks_for_session(3);
    BOOST_TEST(effects() == texts({"open 3 session"}));
}

BOOST_AUTO_TEST_CASE(without_room_for_sessions_items_are_asked_for_one_by_one)
{
    limits.max_sessions = 1;
    begin();
    asks_for_session(1);
    core->on_opened(1, true, now);
    effects(true);
    pass(6s); // the pull from before has ended
    BOOST_TEST(effects(true).back() == "pull {\"batch\":1,\"expires\":5000000000} to pl.w.W1.p.2");
    core->on_session_end(1, now);
    BOOST_TEST(effects(true) == texts({"pull {\"batch\":1,\"expires\":5000000000} to pl.w.W1.p.3"}));
}

BOOST_AUTO_TEST_CASE(one_that_could_not_be_opened_leaves_its_room)
{
    limits.max_sessions = 1;
    begin();
    asks_for_session(1);
    core->on_opened(1, false, now);
    effects();
    asks_for_session(2);
    BOOST_TEST(effects() == texts({"open 2 session"}));
    pass(31s); // nobody has said whether it is open, and its front does not wait any more
    BOOST_TEST(core->held_items() == 1u);
}

BOOST_AUTO_TEST_CASE(an_opening_that_was_cancelled_before_it_came_is_none)
{
    cancels(1);
    asks_for_session(1);
    BOOST_TEST(effects() == texts({"say 1 last cancelled  for pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_worker_that_drains_waits_for_its_sessions)
{
    asks_for_session(1);
    core->on_opened(1, true, now);
    says("pl.w.W1.c.1", "");
    effects();
    core->drain(now);
    BOOST_TEST(effects() == texts({"no pulls"}));
    asks_for_session(2, "$JS.ACK.2");
    BOOST_TEST(effects() == texts({"-NAK 2"}));
    core->on_session_end(1, now);
    BOOST_TEST(effects() == texts({"drained"}));
}

BOOST_AUTO_TEST_SUITE_END()
