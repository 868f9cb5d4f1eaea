// A supervised MCP client whose memory is short: each allocation behind the last end of its server fails in turn. Not
// those of a start: Asio 1.26 ends the process when there is no memory for a strand, which each client has.

#include "allocation_faults.hpp"

#include <partyline/mcp/supervised_client.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

using namespace partyline::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using partyline::error_code;
using partyline::memory_stream;
using partyline::supervisor_state;

namespace {

struct supervised_client_run {
    std::size_t ends = 0;
    std::size_t refusals = 0; // of those who wait for a client
    supervisor_state state = supervisor_state::idle;
    std::size_t failed_allocations = 0;
    bool is_over = false; // nothing is left to happen
};

// Without `on_change` the log is told of each end, which is when the allocations begin to be counted.
mcp::supervised_client_options options_armed_by_the_end(std::optional<armed_allocations>& armed, allocation_plan plan)
{
    mcp::supervised_client_options options;
    options.log = [&armed, plan](std::string_view line) {
        if (!armed && line.ends_with("; it is not started again"))
            armed.emplace(plan);
    };
    options.restart.first_delay = 1ms;
    options.restart.max_starts = 2;
    return options;
}

mcp::client make_deserted(asio::io_context& context)
{
    auto [ours, theirs] = memory_stream::make_pair(context.get_executor());
    ours.close();
    mcp::client_options how;
    how.session.executor_is_serial = true;
    how.session.close_timeout = 1ms;
    how.session.log = [](std::string_view) {};
    return mcp::client(std::move(theirs), how);
}

void run_all(asio::io_context& context)
{
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    while (!context.stopped() && std::chrono::steady_clock::now() < deadline) {
        try {
            context.run_one_until(deadline);
        } catch (const std::bad_alloc&) { // of what Asio had begun
        }
    }
}

supervised_client_run perform(allocation_plan plan)
{
    supervised_client_run record;
    asio::io_context context(1);
    std::optional<armed_allocations> armed;
    mcp::supervised_client one(
        context.get_executor(), [&context] { return make_deserted(context); }, options_armed_by_the_end(armed, plan));
    one.ready()([&](error_code failed, auto) { record.refusals += failed ? 1 : 0; });
    one.async_run([&](error_code) { ++record.ends; });
    run_all(context);
    if (armed)
        record.failed_allocations = armed->failed();
    armed.reset();
    record.is_over = context.stopped();
    record.state = one.status().state;
    return record;
}

} // namespace

BOOST_AUTO_TEST_SUITE(supervised_client_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(whichever_allocation_fails_one_that_gives_up_has_ended)
{
    std::size_t harmed = 0;
    for (std::size_t n = 1;; ++n) {
        const supervised_client_run faulty = perform({.fails_at = n});
        if (faulty.failed_allocations == 0)
            break;
        ++harmed;
        BOOST_TEST_CONTEXT("with allocation " << n << " failing")
        {
            BOOST_TEST(faulty.ends == 1u);
            BOOST_TEST(faulty.refusals == 1u);
            BOOST_TEST((faulty.state == supervisor_state::ended));
            BOOST_TEST_REQUIRE(faulty.is_over);
        }
    }
    BOOST_TEST_MESSAGE(harmed << " runs with a failed allocation");
    BOOST_TEST(harmed != 0u);
}

BOOST_AUTO_TEST_SUITE_END()
