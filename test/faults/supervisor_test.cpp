// A supervisor whose memory is short: each allocation behind the last end of its server fails in turn. Not those of a
// start: Asio 1.26 ends the process when there is no memory for a strand, which each child has.

#include "allocation_faults.hpp"

#include <partyline/supervisor.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <string_view>

using namespace partyline::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using partyline::error_code;
using partyline::supervisor_state;

namespace {

struct supervised_run {
    std::size_t ends = 0;
    supervisor_state state = supervisor_state::idle;
    std::size_t failed_allocations = 0;
    bool is_over = false; // nothing is left to happen
};

// Without `on_change` the log is told of each end, which is when the allocations begin to be counted.
partyline::supervisor_options short_lived(std::optional<armed_allocations>& armed, allocation_plan plan,
                                          std::string_view at)
{
    partyline::supervisor_options options;
    options.session.executor_is_serial = true;
    options.session.log = [&armed, plan, at](std::string_view line) {
        if (!armed && line.ends_with(at))
            armed.emplace(plan);
    };
    options.child.errors = partyline::child_stderr::capture;
    options.child.exit_wait = options.child.term_wait = options.session.close_timeout = 20ms;
    options.restart.first_delay = 1ms;
    options.restart.max_starts = 2;
    return options;
}

void run_to_end(asio::io_context& context)
{
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    while (!context.stopped() && std::chrono::steady_clock::now() < deadline) {
        try {
            context.run_one_until(deadline);
        } catch (const std::bad_alloc&) { // of what Asio had begun
        }
    }
}

supervised_run perform(allocation_plan plan, std::string_view at)
{
    supervised_run record;
    asio::io_context context(1);
    std::optional<armed_allocations> armed;
    const std::string script = "echo words that are too long to be kept within a string >&2; exit 3";
    partyline::supervisor one(context.get_executor(), {"sh", "-c", script}, short_lived(armed, plan, at));
    one.async_run([&](error_code) { ++record.ends; });
    run_to_end(context);
    if (armed)
        record.failed_allocations = armed->failed();
    armed.reset();
    record.is_over = context.stopped();
    record.state = one.status().state;
    return record;
}

void for_each_allocation_failing(std::string_view behind)
{
    std::size_t harmed = 0;
    for (std::size_t n = 1;; ++n) {
        const supervised_run faulty = perform({.fails_at = n}, behind);
        if (faulty.failed_allocations == 0)
            break;
        ++harmed;
        BOOST_TEST_CONTEXT("with allocation " << n << " failing")
        {
            BOOST_TEST(faulty.ends == 1u);
            BOOST_TEST((faulty.state == supervisor_state::ended));
            BOOST_TEST_REQUIRE(faulty.is_over);
        }
    }
    BOOST_TEST_MESSAGE(harmed << " runs with a failed allocation");
    BOOST_TEST(harmed != 0u);
}

} // namespace

BOOST_AUTO_TEST_SUITE(supervisor_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(whichever_allocation_fails_a_supervisor_that_gives_up_has_ended)
{
    for_each_allocation_failing("; it is not started again");
}

BOOST_AUTO_TEST_SUITE_END()
