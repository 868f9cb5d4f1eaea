#include "support/child_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

#include <signal.h>
#include <sys/wait.h>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using partyline::child_exit;
using partyline::child_options;
using partyline::child_process;
using partyline::errc;
using partyline::error_code;
using partyline::test::ended;

namespace {

child_options patient(std::chrono::milliseconds exit_wait, std::chrono::milliseconds term_wait)
{
    child_options options;
    options.exit_wait = exit_wait;
    options.term_wait = term_wait;
    return options;
}

constexpr auto ever = std::chrono::hours(1);

struct fixture : partyline::test::child_fixture {
    asio::cancellation_signal cancel;
    std::optional<ended> end_;

    void start_end(child_process& child) { child.async_end(asio::bind_cancellation_slot(cancel.slot(), into(end_))); }
    // A shell that SIGTERM ends, in front of a server that neither that nor the end of its input does.
    child_process start_launcher(child_options options)
    {
        const std::string script = "(trap '' TERM; echo ready; exec sleep 61); :";
        child_process child(context.get_executor(), {"sh", "-c", script}, std::move(options));
        BOOST_TEST(read_line(child) == "ready");
        return child;
    }
    void run_to_end()
    {
        run_until([&] { return end_.has_value(); });
    }
    bool has_ended_with(child_exit how) const { return !end_->failed && end_->how == how; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_end_suite, fixture, *boost::unit_test::timeout(60))

// rule: mcp.end.close
BOOST_AUTO_TEST_CASE(first_it_is_left_to_end_by_itself)
{
    child_process child = start({"polite", "5"}, patient(ever, ever));
    BOOST_TEST(read_line(child) == "ready");
    start_end(child);
    poll();
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::with_status(5)));
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(for_as_long_as_ever_there_is)
{
    child_options options;
    options.exit_wait = options.term_wait = std::chrono::steady_clock::duration::max();
    child_process child = start({"polite", "5"}, options);
    BOOST_TEST(read_line(child) == "ready");
    start_end(child);
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::with_status(5)));
}

// rule: mcp.end.terminate
BOOST_AUTO_TEST_CASE(then_it_is_asked)
{
    child_process child = start({"deaf"}, patient(20ms, ever));
    BOOST_TEST(read_line(child) == "ready");
    const auto begun = std::chrono::steady_clock::now();
    start_end(child);
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGTERM)));
    BOOST_TEST((std::chrono::steady_clock::now() - begun >= 20ms));
}

// rule: mcp.end.kill
BOOST_AUTO_TEST_CASE(then_it_is_killed_with_all_of_its_group)
{
    child_process child = start({"have_child", "waiting", "stubborn"}, patient(0ms, 20ms));
    const pid_t grandchild = std::stoi(read_line(child));
    child_process stubborn = start({"stubborn"}, patient(0ms, 20ms));
    BOOST_TEST(read_line(stubborn) == "ready");
    const auto begun = std::chrono::steady_clock::now();
    start_end(stubborn);
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGKILL)));
    BOOST_TEST((std::chrono::steady_clock::now() - begun >= 20ms));
    child.kill();
    BOOST_TEST((end(child).how == child_exit::by_signal(SIGKILL)));
    BOOST_TEST(partyline::test::is_gone_soon(grandchild));
}

BOOST_AUTO_TEST_CASE(a_group_that_has_been_asked_is_not_asked_again)
{
    child_process child = start({"have_child", "waiting", "stubborn"}, patient(0ms, ever));
    const pid_t grandchild = std::stoi(read_line(child));
    start_end(child);
    BOOST_TEST((wait_exit(child) == child_exit::by_signal(SIGTERM)));
    BOOST_TEST(partyline::test::is_running(grandchild)); // the second SIGTERM would end it
    BOOST_TEST(!end_.has_value());
    // Again and again: a second one that comes before the first one was taken is none.
    run_until([&] { return ::kill(grandchild, SIGTERM) != 0 || end_.has_value(); });
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGTERM)));
}

// rule: security.descriptors.orphans
BOOST_AUTO_TEST_CASE(what_a_launcher_leaves_behind_is_killed_when_its_time_is_over)
{
    child_process child = start_launcher(patient(0ms, 20ms));
    const auto begun = std::chrono::steady_clock::now();
    start_end(child);
    run_to_end();
    BOOST_TEST((std::chrono::steady_clock::now() - begun >= 20ms));
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGTERM)));
    BOOST_TEST(partyline::test::is_group_gone_soon(child.report()->pid()));
}

BOOST_AUTO_TEST_CASE(also_when_the_launcher_ended_by_itself)
{
    for (const int signal : {SIGKILL, SIGTERM}) {
        child_process child = start_launcher(patient(ever, 20ms));
        ::kill(child.report()->pid(), signal); // it alone
        BOOST_TEST((wait_exit(child) == child_exit::by_signal(signal)));
        context.restart();
        context.run(); // until they have been sent SIGKILL
        BOOST_TEST(partyline::test::is_group_gone_soon(child.report()->pid()));
    }
}

BOOST_AUTO_TEST_CASE(also_by_a_cancel)
{
    child_process child = start_launcher(patient(0ms, ever));
    start_end(child);
    wait_exit(child);
    BOOST_TEST(!end_.has_value());
    cancel.emit(asio::cancellation_type::total);
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGTERM)));
    BOOST_TEST(partyline::test::is_group_gone_soon(child.report()->pid()));
}

BOOST_AUTO_TEST_CASE(also_by_closing_or_killing)
{
    for (const auto end_it : {&child_process::close, &child_process::kill}) {
        child_process child = start_launcher(patient(ever, ever));
        ::kill(child.report()->pid(), SIGKILL);
        wait_exit(child);
        BOOST_TEST(!partyline::test::has_children());
        (child.*end_it)();
        BOOST_TEST(partyline::test::is_group_gone_soon(child.report()->pid()));
    }
}

BOOST_AUTO_TEST_CASE(what_leaves_when_it_is_asked_is_not_waited_for)
{
    child_process child = start({"have_child"}, patient(ever, ever));
    read_line(child);
    BOOST_TEST((end(child).how == child_exit::with_status(7)));
    BOOST_TEST(partyline::test::is_group_gone_soon(child.report()->pid()));
}

BOOST_AUTO_TEST_CASE(a_cancel_while_it_is_left_to_itself_kills_it)
{
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        child_process child = start({"stubborn"}, patient(ever, ever));
        BOOST_TEST(read_line(child) == "ready");
        end_.reset();
        start_end(child);
        poll();
        BOOST_TEST(!end_.has_value());
        cancel.emit(type);
        run_to_end();
        BOOST_TEST(has_ended_with(child_exit::by_signal(SIGKILL)));
    }
}

BOOST_AUTO_TEST_CASE(a_cancel_after_it_was_asked_kills_it)
{
    child_process child = start({"stubborn"}, patient(0ms, ever));
    BOOST_TEST(read_line(child) == "ready");
    start_end(child);
    BOOST_TEST(read_line(child) == "no");
    BOOST_TEST(!end_.has_value());
    cancel.emit(asio::cancellation_type::total);
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGKILL)));
}

BOOST_AUTO_TEST_CASE(a_second_cancel_does_not_wait_for_the_kill)
{
    child_process child = start({"stubborn"}, patient(ever, ever));
    BOOST_TEST(read_line(child) == "ready");
    start_end(child);
    cancel.emit(asio::cancellation_type::total);
    context.restart();
    BOOST_TEST(context.run_one() == 1u); // it is killed, and that has not been seen yet
    cancel.emit(asio::cancellation_type::total);
    run_to_end();
    BOOST_TEST(end_->failed == error_code(asio::error::operation_aborted));
    BOOST_TEST((wait_exit(child) == child_exit::by_signal(SIGKILL)));
}

BOOST_AUTO_TEST_CASE(one_end_at_a_time)
{
    child_process child = start({"stubborn"}, patient(ever, ever));
    start_end(child);
    BOOST_TEST(end(child).failed == make_error_code(errc::already_started));
    BOOST_TEST(!end_.has_value());
    child.kill();
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGKILL)));
    BOOST_TEST((end(child).how == child_exit::by_signal(SIGKILL))); // it may be asked again
}

BOOST_AUTO_TEST_CASE(what_it_wrote_before_it_was_killed_can_be_read)
{
    child_process child = start({"deaf"});
    std::string first(1, ' ');
    read_some(child, first);
    BOOST_TEST(first == "r");
    child.kill();
    BOOST_TEST(read_all(child) == "eady\n");
}

BOOST_AUTO_TEST_CASE(closing_kills_and_ends_everything_under_way)
{
    child_process child = start({"stubborn"}, patient(ever, ever));
    BOOST_TEST(read_line(child) == "ready");
    const auto report = child.report();
    std::string room(16, ' ');
    std::optional<partyline::test::transferred> read;
    child.async_read_some(asio::buffer(room), into(read));
    start_end(child);
    poll();
    child.close();
    BOOST_TEST(!partyline::test::has_children());
    BOOST_TEST((*report->exit() == child_exit::by_signal(SIGKILL)));
    BOOST_TEST(!read.has_value()); // never from within the call
    run_to_end();
    BOOST_TEST(has_ended_with(child_exit::by_signal(SIGKILL)));
    run_until([&] { return read.has_value(); });
    BOOST_TEST(read->failed == error_code(asio::error::operation_aborted));
    BOOST_TEST(read_some(child, room).failed == error_code(asio::error::operation_aborted));
    BOOST_TEST(write_some(child, "x").failed == error_code(asio::error::operation_aborted));
    child.close();
    child.close_send();
    child.kill();
    BOOST_TEST((end(child).how == child_exit::by_signal(SIGKILL)));
}

BOOST_AUTO_TEST_CASE(a_status_that_somebody_else_took_is_missing_and_no_more)
{
    child_process child = start({"exit", "3"});
    siginfo_t info{};
    BOOST_REQUIRE(::waitid(P_PID, static_cast<id_t>(child.report()->pid()), &info, WEXITED) == 0);
    child.kill(); // nobody is hit
    BOOST_TEST(read_all(child) == "");
    BOOST_TEST(child.why_ended().code.message() == "the server has ended, nobody knows how");
    BOOST_TEST(!end(child).failed);
}

BOOST_AUTO_TEST_SUITE_END()
