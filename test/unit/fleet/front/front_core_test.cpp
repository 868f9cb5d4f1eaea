#include "fleet/front/front_core.hpp"
#include "fleet/front/refusal.hpp"

#include <boost/json/serialize.hpp>
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

constexpr std::string_view stored = R"({"stream":"PL_tools","seq":1})";
constexpr std::string_view duplicate = R"({"stream":"PL_tools","seq":1,"duplicate":true})";
constexpr std::string_view full =
    R"({"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"}})";
constexpr std::string_view elected = R"({"error":{"code":503,"err_code":10008,"description":"unavailable"}})";

std::string told(const publication& one)
{
    if (one.subject == "pl.c.tools")
        return "cancel " + std::string(one.text().substr(0, one.text().size() - 1));
    if (one.subject == "pl.q.tools")
        return "publish " + one.message_id + " for " + one.reply_to;
    return "confirm " + one.subject;
}

std::string told(const call_accepted& one)
{
    return "accepted " + std::to_string(one.number);
}

std::string told(const call_message& one)
{
    return "message " + std::to_string(one.number) + ' ' + one.message;
}

std::string told(const call_settled& one)
{
    static constexpr const char* outcomes[] = {"answered", "lost",      "cancelled", "deadline",  "full",
                                               "too many", "too large", "bad reply", "no stream", "unreachable",
                                               "replayed", "invalid",   "closed",    "opened",    "no room"};
    return "settled " + std::to_string(one.number) + ' ' + outcomes[static_cast<std::size_t>(one.outcome)] +
           (one.may_have_run ? " may have run" : "") + (one.message.empty() ? "" : ' ' + one.message) +
           (one.run.empty() ? "" : " by " + one.run);
}

std::string told(const session_answered& one)
{
    return "answered " + std::to_string(one.number) + " by " + one.run;
}

struct front {
    std::uint64_t enter(std::string message = "{}")
    {
        new_call call;
        call.message = std::move(message);
        return core.enter(std::move(call), now);
    }
    void ask_for_session()
    {
        new_call call;
        call.session = session_kind::session;
        call.deadline = 30s;
        core.enter(std::move(call), now);
        effects();
    }
    void ask_for_session(std::string client)
    {
        new_call call;
        call.session = session_kind::session;
        call.client = std::move(client);
        core.enter(std::move(call), now);
    }
    /// Lets time pass, in steps as a timer would.
    void pass(std::chrono::milliseconds time)
    {
        const auto end = now.steady + time;
        while (core.next_due() && *core.next_due() <= end) {
            move_to(*core.next_due());
            core.on_time(now);
        }
        move_to(end);
    }
    void stream_says(std::string_view what, int attempt = 1, int status = 0)
    {
        const std::string subject = "pl.r.F1.1." + std::to_string(attempt);
        core.on_message({subject, {}, status, what}, now);
    }
    void worker_says(std::string_view message, std::uint64_t number, call_end how = call_end::none,
                     std::string_view run = "W1.1", std::string_view confirm_at = "pl.w.W1.c.1")
    {
        reply one;
        one.id = {"F1", 1};
        one.run = run;
        one.number = number;
        one.end = how;
        one.message = message;
        const std::string payload = write_reply(one);
        core.on_message({"pl.r.F1.1", how == call_end::none ? std::string_view() : confirm_at, 0, payload}, now);
    }
    texts effects()
    {
        texts all;
        for (const front_effect& effect : core.take_effects())
            all.push_back(std::visit([](const auto& one) { return told(one); }, effect));
        return all;
    }
    void accepted_call()
    {
        enter();
        stream_says(stored);
        effects();
    }

    front_limits limits;
    front_core core{"F1", "tools", limits};
    moment now{std::chrono::steady_clock::time_point(1h), std::chrono::system_clock::time_point(24h * 365 * 50)};

private:
    void move_to(std::chrono::steady_clock::time_point to)
    {
        now.wall += to - now.steady;
        now.steady = to;
    }
};

std::string error_text(front_outcome outcome, bool may_have_run)
{
    call_settled how;
    how.outcome = outcome;
    how.may_have_run = may_have_run;
    const partyline::error_object error = refusal_of(how);
    return std::to_string(error.code) + ' ' + boost::json::serialize(*error.data);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_front_core_suite, front, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_call_is_published_accepted_and_answered)
{
    BOOST_TEST(enter() == 1u);
    BOOST_TEST(effects() == texts({"publish F1.1 for pl.r.F1.1.1"}));
    stream_says(stored);
    BOOST_TEST(effects() == texts({"accepted 1"}));
    worker_says("p", 1);
    worker_says("r", 2, call_end::answered);
    BOOST_TEST(effects() == texts({"message 1 p", "settled 1 answered r", "confirm pl.w.W1.c.1"}));
    BOOST_TEST(core.open_calls() == 0u);
    BOOST_TEST(core.kept_bytes() == 0u);
    BOOST_TEST(!core.next_due());
}

BOOST_AUTO_TEST_CASE(what_is_published_is_an_item_until_the_deadline)
{
    new_call call;
    call.message = "{}";
    call.deadline = 20s;
    call.peer = calling_peer{"alice", "token", {}};
    core.enter(std::move(call), now);
    const auto all = core.take_effects();
    const auto& item_text = std::get<publication>(all.at(0));
    const auto read = read_item(item_text.text(), 100);
    BOOST_TEST_REQUIRE(bool(read));
    BOOST_TEST((read.value->until == now.wall + 20s));
    BOOST_TEST(read.value->peer->principal == "alice");
}

BOOST_AUTO_TEST_CASE(a_call_is_published_again_with_its_id_until_the_stream_has_it)
{
    enter();
    pass(750ms);
    BOOST_TEST(effects() ==
               texts({"publish F1.1 for pl.r.F1.1.1", "publish F1.1 for pl.r.F1.1.2", "publish F1.1 for pl.r.F1.1.3"}));
    stream_says(duplicate, 3);
    pass(10s);
    BOOST_TEST(effects() == texts({"accepted 1"}));
}

BOOST_AUTO_TEST_CASE(the_pauses_between_attempts_grow_to_two_seconds)
{
    enter();
    for (const auto pause : {250ms, 500ms, 1'000ms, 2'000ms, 2'000ms, 2'000ms}) {
        BOOST_TEST(effects().size() == 1u);
        pass(pause - 1ms);
        BOOST_TEST(effects() == texts());
        pass(1ms);
    }
    BOOST_TEST(effects() == texts({"publish F1.1 for pl.r.F1.1.7"}));
}

BOOST_AUTO_TEST_CASE(after_30_seconds_it_is_given_up_and_a_late_reply_is_confirmed_and_dropped)
{
    enter();
    pass(29'999ms);
    BOOST_TEST(effects().size() == 18u);
    pass(1ms);
    BOOST_TEST(effects() == texts({R"(cancel {"v":1,"id":"F1.1"})", "settled 1 unreachable may have run"}));
    stream_says(stored, 3);
    worker_says("p", 1);
    worker_says("r", 2, call_end::answered);
    BOOST_TEST(effects() == texts({"confirm pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_reply_says_that_the_call_was_accepted)
{
    enter();
    effects();
    worker_says("p", 1);
    pass(1s);
    BOOST_TEST(effects() == texts({"accepted 1", "message 1 p"}));
}

BOOST_AUTO_TEST_CASE(what_a_stream_that_is_full_says_is_final)
{
    enter();
    effects();
    stream_says(full);
    BOOST_TEST(effects() == texts({"settled 1 full"}));
    enter();
    pass(250ms);
    effects();
    core.on_message({"pl.r.F1.2.2", {}, 0, full}, now); // what the first attempt has done is not known
    BOOST_TEST(effects() == texts({"settled 2 full may have run"}));
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_leader_is_asked_again)
{
    enter();
    stream_says({}, 1, no_responders);
    for (int attempt = 2; attempt <= 8; ++attempt) {
        pass(attempt == 2 ? 250ms : attempt == 3 ? 500ms : attempt == 4 ? 1'000ms : 2'000ms);
        stream_says({}, attempt, no_responders);
    }
    BOOST_TEST(core.open_calls() == 1u); // 9.75 s
    effects();
    pass(2'000ms);
    stream_says({}, 9, no_responders);
    BOOST_TEST(effects() == texts({"publish F1.1 for pl.r.F1.1.9", "settled 1 no stream"}));
}

BOOST_AUTO_TEST_CASE(one_that_elects_a_leader_is_there)
{
    enter();
    stream_says({}, 1, no_responders);
    stream_says(elected, 1);
    pass(9s);
    stream_says({}, 30, no_responders);
    pass(9s);
    stream_says({}, 60, no_responders);
    BOOST_TEST(core.open_calls() == 1u);
    stream_says(stored, 61);
    BOOST_TEST(effects().back() == "accepted 1");
}

BOOST_AUTO_TEST_CASE(a_proof_is_good_once_on_all_fronts)
{
    new_call call;
    call.message = "{}";
    call.proof_id = "agent.nonce";
    core.enter(call, now);
    BOOST_TEST(effects() == texts({"publish agent.nonce for pl.r.F1.1.1"}));
    stream_says(duplicate);
    BOOST_TEST(effects() == texts({"settled 1 replayed"}));
    core.enter(call, now);
    pass(250ms);
    core.on_message({"pl.r.F1.2.2", {}, 0, duplicate}, now); // of its own first attempt
    BOOST_TEST(effects().back() == "accepted 2");
}

BOOST_AUTO_TEST_CASE(messages_come_once_and_in_order)
{
    accepted_call();
    worker_says("a", 1);
    worker_says("a", 1);
    worker_says("c", 3); // the second one was lost
    worker_says("b", 2);
    worker_says("d", 4);
    BOOST_TEST(effects() == texts({"message 1 a", "message 1 c", "message 1 d"}));
}

BOOST_AUTO_TEST_CASE(the_newest_run_is_followed_and_the_first_end_counts)
{
    accepted_call();
    worker_says("a", 1);
    worker_says("x", 1, call_end::none, "W2.1");
    worker_says("b", 2);
    worker_says("y", 2, call_end::none, "W2.1");
    BOOST_TEST(effects() == texts({"message 1 a", "message 1 x", "message 1 y"}));
    worker_says("r", 3, call_end::answered);
    worker_says("s", 3, call_end::answered, "W2.1", "pl.w.W2.c.1");
    BOOST_TEST(effects() == texts({"settled 1 answered r", "confirm pl.w.W1.c.1", "confirm pl.w.W2.c.1"}));
}

BOOST_AUTO_TEST_CASE(a_worker_that_has_cancelled_an_open_call_has_found_it_late)
{
    accepted_call();
    worker_says({}, 1, call_end::cancelled);
    BOOST_TEST(effects() == texts({"settled 1 deadline", "confirm pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(what_was_never_sent_has_not_run)
{
    enter();
    for (int second = 0; second < 30; ++second) {
        for (const front_effect& effect : core.take_effects()) {
            if (const auto* const item = std::get_if<publication>(&effect))
                core.on_unsent(*item);
        }
        pass(second < 29 ? 1s : 999ms);
    }
    for (const front_effect& effect : core.take_effects()) {
        if (const auto* const item = std::get_if<publication>(&effect))
            core.on_unsent(*item);
    }
    pass(1ms);
    const texts last = effects();
    BOOST_TEST(last.back() == "settled 1 unreachable");
}

BOOST_AUTO_TEST_CASE(a_call_keeps_few_runs)
{
    accepted_call();
    for (int run = 1; run <= 20; ++run)
        worker_says("a", 1, call_end::none, "W1." + std::to_string(run));
    BOOST_TEST(effects().size() == 16u);
    worker_says("r", 2, call_end::answered, "W1.20");
    BOOST_TEST(effects().front() == "settled 1 answered r");
}

BOOST_AUTO_TEST_CASE(ends_without_an_answer_are_told_as_they_are)
{
    accepted_call();
    worker_says({}, 1, call_end::lost);
    BOOST_TEST(effects() == texts({"settled 1 lost may have run", "confirm pl.w.W1.c.1"}));
    BOOST_TEST(error_text(front_outcome::lost, true) == R"(-31004 {"executed":"unknown"})");
    BOOST_TEST(error_text(front_outcome::unreachable, true) == R"(-31004 {"executed":"unknown"})");
    BOOST_TEST(error_text(front_outcome::unreachable, false) == R"(-31001 {"reason":"bus unreachable"})");
    BOOST_TEST(error_text(front_outcome::full, false) == R"(-31001 {"reason":"queue full"})");
    BOOST_TEST(error_text(front_outcome::client_full, false) == R"(-31001 {"reason":"too many calls"})");
    BOOST_TEST(error_text(front_outcome::no_stream, false) == R"(-31001 {"reason":"no worker"})");
    BOOST_TEST(error_text(front_outcome::closed, false) == R"(-31001 {"reason":"closing"})");
    BOOST_TEST(error_text(front_outcome::deadline, true) == R"(-32800 {"reason":"deadline"})");
    BOOST_TEST(error_text(front_outcome::cancelled, true) == R"(-32800 {"reason":"cancelled"})");
    BOOST_TEST(error_text(front_outcome::replayed, false) == R"(-31006 {"reason":"replayed"})");
    BOOST_TEST(error_text(front_outcome::too_large, false) == R"(-32600 {"reason":"size"})");
    BOOST_TEST(error_text(front_outcome::bad_reply, true) == R"(-32603 {"reason":"size"})");
    BOOST_TEST(error_text(front_outcome::invalid, false) == R"(-32600 {"reason":"names"})");
}

BOOST_AUTO_TEST_CASE(confirmations_go_nowhere_but_to_workers)
{
    accepted_call();
    worker_says("r", 1, call_end::answered, "W1.1", "$JS.API.STREAM.DELETE.PL_tools");
    BOOST_TEST(effects() == texts({"settled 1 answered r"}));
}

BOOST_AUTO_TEST_CASE(a_deadline_ends_a_call_and_cancels_it)
{
    new_call call;
    call.message = "{}";
    call.deadline = 1s;
    core.enter(std::move(call), now);
    stream_says(stored);
    effects();
    pass(999ms);
    BOOST_TEST(effects() == texts());
    pass(1ms);
    BOOST_TEST(effects() == texts({R"(cancel {"v":1,"id":"F1.1"})", "settled 1 deadline may have run"}));
}

BOOST_AUTO_TEST_CASE(the_longest_deadline_is_that_of_all)
{
    new_call call;
    call.message = "{}";
    call.deadline = 24h;
    core.enter(std::move(call), now);
    stream_says(stored);
    pass(299'999ms);
    BOOST_TEST(core.open_calls() == 1u);
    pass(1ms);
    BOOST_TEST(core.open_calls() == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_a_call_at_once)
{
    accepted_call();
    core.cancel(1);
    core.cancel(1);
    core.cancel(2);
    worker_says("r", 1, call_end::answered);
    BOOST_TEST(effects() ==
               texts({R"(cancel {"v":1,"id":"F1.1"})", "settled 1 cancelled may have run", "confirm pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_dropped_and_counted)
{
    accepted_call();
    core.on_message({"pl.r.F2.1", {}, 0, "x"}, now);
    core.on_message({"pl.r.F1.1", "pl.w.W1.c.1", 0, "x"}, now);
    core.on_message({"pl.r.F1.1", {}, 408, {}}, now);
    const std::string other = write_reply({{"F1", 2}, "W1.1", 1, call_end::answered, "r"});
    core.on_message({"pl.r.F1.1", "pl.w.W1.c.1", 0, other}, now); // of another call than its subject says
    BOOST_TEST(effects() == texts());
    BOOST_TEST(core.totals().dropped == 4u);
    BOOST_TEST(core.open_calls() == 1u);
}

BOOST_AUTO_TEST_CASE(calls_and_their_bytes_are_bounded)
{
    limits.max_calls = 2;
    limits.max_bytes = 1'000;
    limits.max_message_bytes = 900;
    core = front_core("F1", "tools", limits);
    enter(std::string(700, 'x'));
    enter(std::string(300, 'x'));
    enter(std::string(901, 'x'));
    enter("");
    BOOST_TEST(effects() ==
               texts({"publish F1.1 for pl.r.F1.1.1", "settled 2 full", "settled 3 too large", "settled 4 invalid"}));
    stream_says(stored); // whose item is not kept any more
    enter(std::string(700, 'x'));
    enter("x");
    BOOST_TEST(effects() == texts({"accepted 1", "publish F1.5 for pl.r.F1.5.1", "settled 6 full"}));
    core.close();
    BOOST_TEST(core.open_calls() == 0u);
    BOOST_TEST(core.kept_bytes() == 0u);
    BOOST_TEST(effects().size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_session_is_that_of_the_first_run_that_has_opened_it)
{
    ask_for_session();
    worker_says("", 1, call_end::opened);
    BOOST_TEST(effects() == texts({"accepted 1", "settled 1 opened by W1.1", "confirm pl.w.W1.c.1"}));
    worker_says("", 1, call_end::opened); // the confirmation was lost
    BOOST_TEST(effects() == texts({"answered 1 by W1.1", "confirm pl.w.W1.c.1"}));
    worker_says("", 1, call_end::opened, "W2.7", "pl.w.W2.c.7"); // one too many
    BOOST_TEST(effects() == texts({"answered 1 by W2.7", "confirm pl.w.W2.c.7"}));
}

BOOST_AUTO_TEST_CASE(a_session_that_nobody_opens_is_refused_with_the_reason)
{
    ask_for_session();
    worker_says("", 1, call_end::full);
    BOOST_TEST(effects() == texts({"accepted 1", "settled 1 no room", "confirm pl.w.W1.c.1"}));
    const auto refused = [](front_outcome why) {
        const partyline::error_object error = refusal_of_opening(why);
        return std::to_string(error.code) + ' ' + boost::json::serialize(*error.data);
    };
    BOOST_TEST(refused(front_outcome::no_room) == R"(-31001 {"reason":"too many sessions"})");
    BOOST_TEST(refused(front_outcome::deadline) == R"(-31001 {"reason":"no worker"})");
    BOOST_TEST(refused(front_outcome::lost) == R"(-31001 {"reason":"no worker"})");
    BOOST_TEST(refused(front_outcome::full) == R"(-31001 {"reason":"queue full"})");
    BOOST_TEST(refused(front_outcome::unreachable) == R"(-31001 {"reason":"bus unreachable"})");
    BOOST_TEST(refused(front_outcome::closed) == R"(-31001 {"reason":"closing"})");
    BOOST_TEST(refused(front_outcome::invalid) == R"(-32600 {"reason":"names"})");
}

BOOST_AUTO_TEST_CASE(calls_open_no_sessions_and_sessions_answer_no_calls)
{
    accepted_call();
    worker_says("", 1, call_end::opened);
    BOOST_TEST(effects() == texts({"settled 1 lost may have run", "confirm pl.w.W1.c.1"}));
    core = front_core("F1", "tools", limits);
    ask_for_session();
    worker_says("{}", 1, call_end::answered);
    BOOST_TEST(effects() == texts({"accepted 1", "settled 1 lost may have run {}", "confirm pl.w.W1.c.1"}));
}

BOOST_AUTO_TEST_CASE(calls_are_counted_by_how_they_end)
{
    limits.max_calls_per_client = 1;
    core = front_core("F1", "tools", limits);
    enter();
    worker_says("", 1, call_end::lost);
    enter();
    core.on_message({"pl.r.F1.2.1", {}, 0, full}, now);
    enter();
    pass(250ms);
    core.on_message({"pl.r.F1.3.2", {}, 0, full}, now); // it may have run
    new_call deadline;
    deadline.message = "{}";
    deadline.deadline = 100ms;
    core.enter(std::move(deadline), now);
    pass(100ms);
    enter();
    enter();
    const front_totals now_there = core.totals();
    core.close();
    core.count(front_outcome::closed);
    const front_totals after = core.totals();
    BOOST_TEST(now_there.open_calls == 2u);
    BOOST_TEST(now_there.published == 6u);
    BOOST_TEST(now_there.published_again == 1u);
    BOOST_TEST(now_there.queue_full == 1u);
    BOOST_TEST(now_there.lost == 2u);
    BOOST_TEST(now_there.late == 1u);
    BOOST_TEST(after.lost == 4u); // published, and nobody has said what became of it
    BOOST_TEST(after.closing == 1u);
    BOOST_TEST(after.open_calls == 0u);
}

BOOST_AUTO_TEST_CASE(openings_are_counted_by_what_their_clients_are_told)
{
    for (const call_end how : {call_end::full, call_end::lost, call_end::opened}) {
        core = front_core("F1", "tools", limits); // its numbers begin anew
        ask_for_session();
        worker_says("", 1, how);
        const front_totals now_there = core.totals();
        BOOST_TEST(now_there.too_many_sessions == (how == call_end::full ? 1u : 0u));
        BOOST_TEST(now_there.no_worker == (how == call_end::lost ? 1u : 0u));
        BOOST_TEST(now_there.lost == 0u);
    }
}

BOOST_AUTO_TEST_CASE(an_open_session_counts_for_its_client_until_it_is_over)
{
    limits.max_sessions_per_client = 1;
    core = front_core("F1", "tools", limits);
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"publish F1.1 for pl.r.F1.1.1"}));
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"settled 2 no room"}));
    worker_says("", 1, call_end::opened);
    effects();
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"settled 3 no room"}));
    BOOST_TEST(core.totals().too_many_sessions == 2u);
    ask_for_session("other");
    BOOST_TEST(effects() == texts({"publish F1.4 for pl.r.F1.4.1"}));
    core.cancel(1);
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"publish F1.5 for pl.r.F1.5.1"}));
    core.cancel(5); // before it is open
    effects();
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"publish F1.6 for pl.r.F1.6.1"}));
}

BOOST_AUTO_TEST_CASE(sessions_leave_their_client_its_calls)
{
    limits.max_sessions_per_client = 1;
    limits.max_calls_per_client = 1;
    core = front_core("F1", "tools", limits);
    const auto enter = [this] {
        new_call call;
        call.message = "{}";
        call.client = "c";
        core.enter(std::move(call), now);
    };
    enter();
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"publish F1.1 for pl.r.F1.1.1", "publish F1.2 for pl.r.F1.2.1"}));
    enter();
    ask_for_session("c");
    BOOST_TEST(effects() == texts({"settled 3 too many", "settled 4 no room"}));
}

BOOST_AUTO_TEST_CASE(one_client_leaves_room_for_the_others)
{
    limits.max_calls_per_client = 2;
    core = front_core("F1", "tools", limits);
    const auto enter_of = [this](std::string client) {
        new_call call;
        call.message = "{}";
        call.client = std::move(client);
        core.enter(std::move(call), now);
    };
    for (int i = 0; i < 3; ++i)
        enter_of("greedy");
    BOOST_TEST(effects() ==
               texts({"publish F1.1 for pl.r.F1.1.1", "publish F1.2 for pl.r.F1.2.1", "settled 3 too many"}));
    enter_of("other");
    for (int i = 0; i < 3; ++i)
        enter_of("");
    BOOST_TEST(effects().size() == 4u);
    core.cancel(1);
    effects();
    enter_of("greedy");
    enter_of("greedy");
    BOOST_TEST(effects() == texts({"publish F1.8 for pl.r.F1.8.1", "settled 9 too many"}));
}

BOOST_AUTO_TEST_SUITE_END()
