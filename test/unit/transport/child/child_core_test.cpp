#include "support/child_fixture.hpp"
#include "transport/child/child_core.hpp"
#include "transport/child/child_operations.hpp"

#include <boost/asio/compose.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>

#include <signal.h>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using partyline::child_core;
using partyline::child_exit;
using partyline::child_options;
using partyline::error_code;
using partyline::started_child;
using partyline::test::ended;

namespace {

struct fixture : partyline::test::child_fixture {
    // As on a system that has no descriptors for processes.
    std::shared_ptr<child_core> make_without_event(const char* mode, child_options options)
    {
        started_child child = partyline::start_child({partyline::test::odd_child(), mode}, options);
        child.end = partyline::owned_descriptor();
        return std::make_shared<child_core>(context.get_executor(), std::move(child), std::move(options));
    }
    std::shared_ptr<child_core> start_without_event(const char* mode, child_options options)
    {
        auto core = make_without_event(mode, std::move(options));
        core->start();
        return core;
    }

    ended end_by_ladder(const std::shared_ptr<child_core>& core)
    {
        std::optional<ended> result;
        BOOST_TEST(core->begin_end());
        auto handler = into(result);
        asio::async_compose<decltype(handler), void(error_code, child_exit)>(partyline::child_end(core), handler,
                                                                             context.get_executor());
        run_until([&] { return result.has_value(); });
        return *result;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_core_suite, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(an_end_that_nothing_tells_of_is_looked_for)
{
    const auto exits = start_without_event("exit", {});
    run_until([&] { return exits->has_exited(); });
    BOOST_TEST((*exits->report()->exit() == child_exit::with_status(0)));
    const auto polite = start_without_event("polite", {});
    BOOST_TEST((end_by_ladder(polite).how == child_exit::with_status(0)));
    exits->close();
    polite->close();
}

BOOST_AUTO_TEST_CASE(what_the_kernel_does_not_let_go_is_not_waited_for)
{
    child_options options;
    options.exit_wait = 0ms;
    options.term_wait = 0ms;
    const auto core = make_without_event("stubborn", options);
    BOOST_TEST(end_by_ladder(core).failed == error_code(asio::error::timed_out));
    core->start(); // only now its end is looked for
    run_until([&] { return core->has_exited(); });
    BOOST_TEST(core->report()->exit().has_value());
    core->close();
}

BOOST_AUTO_TEST_CASE(who_waits_at_the_end_of_output_is_told_of_the_exit)
{
    const auto core = start_without_event("close_output", {});
    std::optional<error_code> told;
    core->wait_exit_at_eof(1h, [&](error_code woken) { told = woken; });
    poll();
    BOOST_TEST(!told.has_value());
    core->signal(SIGKILL);
    run_until([&] { return told.has_value(); });
    BOOST_TEST(core->has_exited());
    core->close();
}

BOOST_AUTO_TEST_CASE(a_process_that_nobody_takes_on_is_ended)
{
    {
        const started_child child = partyline::start_child({partyline::test::odd_child(), "deaf"}, {});
    }
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(the_wait_for_its_exit_counts_from_the_end_of_its_input)
{
    const auto core = start_without_event("stubborn", {});
    BOOST_TEST((core->exit_wait_left() == 2s));
    core->close_send();
    run_until([&] { return core->exit_wait_left() < 1950ms; });
    const auto left = core->exit_wait_left();
    core->close_send();
    BOOST_TEST((core->exit_wait_left() <= left));
    core->close();
}

BOOST_AUTO_TEST_SUITE_END()
