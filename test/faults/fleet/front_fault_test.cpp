// The rules of a front while one allocation fails, each in turn: each call ends, once, and nothing of it is kept.

#include "faults/allocation_faults.hpp"
#include "faults/fleet/each_allocation.hpp"
#include "fleet/front/front_core.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

using namespace std::chrono_literals;

namespace partyline::test {
namespace {

using namespace fleet;

/// The rules of a front, with a call and a session of one client, who may have one of each.
class tried_front {
public:
    void run()
    {
        attempt([&] { enter(session_kind::none); });
        attempt([&] { enter(session_kind::session); });
        for (std::chrono::milliseconds passed{}; passed < 60s; passed += 500ms) {
            now_ = after(beginning, passed);
            attempt([&] { core.on_time(now_); });
            carry_out();
            for (const auto& [number, end] : unconfirmed_)
                attempt([&, of = number, how = end] { answer(of, how); });
            carry_out();
        }
    }
    void enter(session_kind kind)
    {
        new_call call;
        {
            const unharmed ours;
            call.message = kind == session_kind::none ? "{}" : "";
            call.client = "the one client of this front";
        }
        call.session = kind;
        const std::uint64_t number = core.enter(std::move(call), now_);
        const unharmed ours;
        entered[number] = 0;
        carry_out();
    }

    front_core core{"F1", "tools", limits()};
    std::map<std::uint64_t, int> entered; // and how often each was settled
    std::size_t refused = 0;

private:
    static front_limits limits()
    {
        front_limits made;
        made.max_calls_per_client = made.max_sessions_per_client = 1;
        return made;
    }
    void answer(std::uint64_t number, call_end end)
    {
        std::string subject;
        std::string payload;
        {
            const unharmed ours;
            const call_id id{"F1", number};
            subject = reply_subject(id.text());
            payload = write_reply({id, "W1.1", 1, end, end == call_end::answered ? "{}" : ""});
        }
        core.on_message({subject, "pl.w.W1.c.1", 0, payload}, now_);
        core.cancel(number); // a session that is open is over
    }
    void carry_out()
    {
        const unharmed ours;
        for (const front_effect& one : core.take_effects()) {
            if (const auto* const settled = std::get_if<call_settled>(&one)) {
                ++entered[settled->number];
                refused += settled->outcome == front_outcome::client_full || settled->outcome == front_outcome::no_room
                               ? 1
                               : 0;
            }
            const auto* const said = std::get_if<publication>(&one);
            if (said && said->subject == "pl.q.tools") {
                const auto read = read_item(said->text(), 1'000);
                unconfirmed_[read.value->id.number] =
                    read.value->session == session_kind::none ? call_end::answered : call_end::opened;
            }
        }
    }

    moment now_ = beginning;
    std::map<std::uint64_t, call_end> unconfirmed_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_front_fault_suite, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_front_without_memory_settles_each_call_once)
{
    const std::size_t count = fail_each([](std::size_t n) {
        tried_front one;
        bool has_failed = false;
        {
            const armed_allocations armed({.fails_at = n});
            one.run();
            has_failed = armed.failed() != 0;
        }
        for (const auto& [number, settled] : one.entered)
            BOOST_TEST(settled == 1);
        BOOST_TEST(one.core.open_calls() == 0u);
        BOOST_TEST(one.core.kept_bytes() == 0u);
        one.enter(session_kind::none); // it has room for both again
        one.enter(session_kind::session);
        BOOST_TEST(one.refused == 0u);
        return has_failed;
    });
    BOOST_TEST(count > 30u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
