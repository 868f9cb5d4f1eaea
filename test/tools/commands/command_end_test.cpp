#include "command_fixture.hpp"
#include "support/text_search.hpp"
#include "tools/refusal.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>

#include <poll.h>
#include <sys/stat.h>

using namespace std::chrono_literals;
using partyline::test::contains;
using tools::command_result;
using tools::run_command;
using tools::test::command_fixture;
using tools::test::refusal_of;
using tools::test::running_task;

namespace {

// Every process that a script starts after `exec 9>alive` holds a pipe, of which we see when nobody does any more.
struct fixture : command_fixture {
    fixture()
    {
        partyline::test::checked(::mkfifo((root / "alive").c_str(), 0600), "mkfifo");
        alive = partyline::test::open_file(root / "alive", O_RDONLY | O_NONBLOCK);
    }

    void expect_all_gone() const
    {
        pollfd end{alive.get(), POLLIN, 0};
        constexpr int patience = 20'000; // milliseconds
        BOOST_TEST(::poll(&end, 1, patience) == 1);
        BOOST_TEST((end.revents & POLLHUP));
    }
    void expect_cancelled(running_task<command_result>& running) const
    {
        const auto is_abort = [](const boost::system::system_error& failed) {
            return failed.code() == boost::asio::error::operation_aborted;
        };
        BOOST_CHECK_EXCEPTION(running.result(), boost::system::system_error, is_abort);
        expect_all_gone();
    }

    partyline::test::unique_fd alive;
};

constexpr const char* family = "exec 9>alive; sleep 1000 & sh -c 'sleep 1000; true' & echo begun; wait";
constexpr const char* stubborn = "exec 9>alive; trap '' TERM; sh -c 'while :; do sleep 1000; done' & echo begun; "
                                 "while :; do sleep 1000; done";
// The one that we know goes at once, the other does not.
constexpr const char* stubborn_child =
    "exec 9>alive; sh -c 'trap \"\" TERM; echo begun; while :; do sleep 1000; done' & wait";

} // namespace

BOOST_FIXTURE_TEST_SUITE(ends_of_commands, fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(when_its_time_is_over_its_whole_group_is_ended)
{
    const command_result ended = run(family, {.time = 1s});
    BOOST_TEST(ended.has_timed_out);
    BOOST_TEST(ended.end.signal.value() == SIGTERM);
    BOOST_TEST(ended.output == "begun\n");
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(who_ignores_that_is_killed)
{
    const command_result ended = run(stubborn, {.time = 1s, .grace = 100ms});
    BOOST_TEST(ended.has_timed_out);
    BOOST_TEST(ended.end.signal.value() == SIGKILL);
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(also_when_only_a_child_of_it_does)
{
    const command_result ended = run(stubborn_child, {.time = 1s, .grace = 10s});
    BOOST_TEST(ended.has_timed_out);
    BOOST_TEST(ended.end.signal.value() == SIGTERM);
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(who_cleans_up_has_the_grace_for_it)
{
    const command_result ended =
        run("exec 9>alive; trap 'echo cleaned; exit 5' TERM; echo begun; while :; do sleep 0.01; done",
            {.time = 1s, .grace = 10s});
    BOOST_TEST(ended.has_timed_out);
    BOOST_TEST(ended.end.exit_code.value() == 5);
    BOOST_TEST(contains(ended.output, "cleaned"));
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_its_whole_group)
{
    for (const char* const script : {family, stubborn, stubborn_child}) {
        lines.clear();
        running_task<command_result> running(run_command(shell(script), {.grace = 100ms}, told()));
        running.run_until([&] { return lines == "begun|"; });
        running.cancel();
        expect_cancelled(running);
        alive = partyline::test::open_file(root / "alive", O_RDONLY | O_NONBLOCK);
    }
}

BOOST_AUTO_TEST_CASE(a_cancel_before_it_has_begun_starts_nothing)
{
    running_task<command_result> running(run_command(shell("echo begun >file"), {}, told()));
    running.cancel();
    BOOST_CHECK_THROW(running.result(), boost::system::system_error);
    BOOST_TEST(!std::filesystem::exists(root / "file"));
}

BOOST_AUTO_TEST_CASE(lines_are_told_no_more_after_a_cancel)
{
    running_task<command_result> running(run_command(
        shell("exec 9>alive; trap 'echo late; exit' TERM; echo begun; while :; do sleep 0.01; done"), {}, told()));
    running.run_until([&] { return lines == "begun|"; });
    running.cancel();
    expect_cancelled(running);
    BOOST_TEST(lines == "begun|");
}

BOOST_AUTO_TEST_CASE(what_it_leaves_behind_is_not_waited_for_and_killed)
{
    const command_result ended = run("exec 9>alive; sleep 1000 & trap '' TERM; sleep 1000 & echo done");
    BOOST_TEST(ended.end.exit_code.value() == 0);
    BOOST_TEST(!ended.has_timed_out);
    BOOST_TEST(ended.output == "done\n");
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(who_writes_without_end_is_ended_too)
{
    const command_result ended = run("exec 9>alive; yes", {.time = 500ms, .output_bytes = 1000});
    BOOST_TEST(ended.has_timed_out);
    BOOST_TEST(ended.output.size() < 1100u);
    BOOST_TEST(ended.bytes_left_out > 0u);
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(what_the_hook_throws_ends_it)
{
    const auto refuse = [](std::string_view) { throw std::runtime_error("no more lines"); };
    const std::string thrown = refusal_of(
        [&] { tools::test::run_task(run_command(shell("exec 9>alive; echo begun; sleep 1000"), {}, refuse)); });
    BOOST_TEST(thrown == "no more lines");
    expect_all_gone();
}

BOOST_AUTO_TEST_CASE(it_is_killed_where_the_io_context_goes_away)
{
    {
        running_task<command_result> running(run_command(shell(stubborn), {}, told()));
        running.run_until([&] { return lines == "begun|"; });
    }
    expect_all_gone();
}

BOOST_AUTO_TEST_SUITE_END()
