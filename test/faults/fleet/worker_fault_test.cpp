// The rules of a worker while one allocation fails, each in turn: each item is answered, and nothing of it is kept.

#include "faults/allocation_faults.hpp"
#include "faults/fleet/each_allocation.hpp"
#include "fleet/worker/worker_core.hpp"
#include "session/persistent_post.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace std::chrono_literals;

namespace partyline::test {
namespace {

using namespace fleet;

/// The rules of a worker, with three items: a call that may run twice, one that may not, and a session.
class tried_worker {
public:
    tried_worker() { core.on_connected(now_); }

    void run(std::chrono::seconds time)
    {
        for (std::chrono::milliseconds passed{}; passed < time; passed += 100ms) {
            now_ = after(beginning, passed);
            if (passed % 10s == 0s)
                deliver();
            attempt([&] { core.on_time(now_); });
            carry_out();
        }
    }

    // As the service does it.
    void drain()
    {
        attempt([&] { try_twice([&] { core.drain(now_); }); });
        carry_out();
    }

    worker_core core{"W1", "tools", {}};
    std::map<std::string, call_end> ends; // by the calls
    std::size_t unacknowledged = 3;
    std::size_t times_drained = 0;

private:
    void deliver()
    {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (!items_[i].empty())
                attempt([&] { core.on_message({"pl.q.tools", acks_[i], 0, items_[i]}, now_); });
            carry_out();
        }
    }
    static std::string item_of(std::uint64_t number)
    {
        item made;
        made.id = {"F1", number};
        made.until = beginning.wall + 35s;
        made.is_idempotent = number == 1;
        made.session = number == 3 ? session_kind::session : session_kind::none;
        made.message = number == 3 ? "" : "{}";
        return write_item(made);
    }
    void carry_out()
    {
        for (auto effects = core.take_effects(); !effects.empty(); effects = core.take_effects()) {
            for (const worker_effect& one : effects)
                std::visit([this](const auto& which) { carry_out(which); }, one);
        }
    }
    void carry_out(const publication& one)
    {
        if (one.is_create)
            return attempt([&] { core.on_message({one.reply_to, {}, 0, R"({"stream":"KV","seq":1})"}, now_); });
        if (one.subject.starts_with("$JS.ACK."))
            return note(one);
        const unharmed ours;
        const auto read = read_reply(one.text(), 100'000);
        if (!read || read.value->end == call_end::none)
            return;
        ends[read.value->id.text()] = read.value->end;
        core.on_message({one.reply_to, {}, 0, {}}, now_);
    }
    void note(const publication& one)
    {
        if (one.text() != ack_done && one.text() != ack_term)
            return;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (acks_[i] == one.subject && !std::exchange(items_[i], {}).empty())
                --unacknowledged;
        }
    }
    void carry_out(const run_started& one)
    {
        std::string reply;
        {
            const unharmed ours;
            reply.assign(20'000, 'x');
        }
        core.on_end(one.run, std::move(reply), now_); // a lack of memory does not leave this
    }
    void carry_out(const session_wanted& one)
    {
        attempt([&] { core.on_opened(one.run, true, now_); });
        attempt([&] { core.on_session_end(one.run, now_); });
    }
    void carry_out(const worker_drained&) { ++times_drained; }
    template <class Other>
    void carry_out(const Other&)
    {
    }

    moment now_ = beginning;
    std::vector<std::string> items_{item_of(1), item_of(2), item_of(3)};
    const std::vector<std::string> acks_{"$JS.ACK.PL_tools.workers.1.1.1.1.0", "$JS.ACK.PL_tools.workers.1.2.2.1.0",
                                         "$JS.ACK.PL_tools.workers.1.3.3.1.0"};
};

bool try_worker(allocation_plan plan, std::map<std::string, call_end>& ends)
{
    tried_worker one;
    const armed_allocations armed(plan);
    one.run(60s);
    one.drain();
    const bool has_failed = armed.failed() != 0;
    const unharmed ours;
    BOOST_TEST(one.core.held_items() == 0u);
    BOOST_TEST(one.unacknowledged == 0u);
    BOOST_TEST(one.ends.size() == 3u);
    BOOST_TEST(one.core.totals().running == 0u);
    BOOST_TEST(one.core.totals().sessions == 0u);
    BOOST_TEST(one.times_drained == 1u);
    ends = one.ends;
    return has_failed;
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_worker_fault_suite, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_worker_without_memory_keeps_no_item)
{
    std::map<std::string, call_end> ends;
    const std::size_t count = fail_each([&](std::size_t n) { return try_worker({.fails_at = n}, ends); });
    BOOST_TEST(count > 50u);
}

BOOST_AUTO_TEST_CASE(a_reply_for_which_there_is_no_memory_is_too_large)
{
    std::map<std::string, call_end> ends;
    BOOST_TEST(try_worker({.large_fail_at = 1}, ends));
    BOOST_TEST((ends["F1.1"] == call_end::too_large));
    BOOST_TEST((ends["F1.2"] == call_end::too_large));
    BOOST_TEST((ends["F1.3"] == call_end::opened));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
