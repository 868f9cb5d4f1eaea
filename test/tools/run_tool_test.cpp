#include "folders.hpp"
#include "heard_progress.hpp"
#include "refusal.hpp"
#include "run_task.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <tools/run_tool.hpp>

using namespace std::chrono_literals;
using partyline::test::contains;
using tools::command_list;
using tools::root_set;
using tools::run_arguments;
using tools::run_result;
using tools::tool_limits;
using tools::test::folders;
using tools::test::heard_progress;
using tools::test::refusal_of;
using tools::test::run_task;

namespace {

struct fixture : folders {
    run_result run(run_arguments what, const tool_limits& limits = {})
    {
        const root_set roots({root, outside});
        return run_task(run_tool(roots, command_list({"sh", "cat"}), limits, std::move(what), progress));
    }
    std::string refusal(run_arguments what)
    {
        return refusal_of([&] { run(std::move(what)); });
    }

    heard_progress progress;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(commands_as_a_tool, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_command_runs_in_a_folder_of_the_roots)
{
    const run_result first = run({.command = "cat", .arguments = {"a.txt"}});
    BOOST_TEST(first.exit_code.value() == 0);
    BOOST_TEST(first.output == "within\n");
    BOOST_TEST(!first.truncated);
    BOOST_TEST(!first.timed_out);
    BOOST_TEST(run({.command = "cat", .arguments = {"b.txt"}, .root = "root/deep"}).output == "deep within\n");
    BOOST_TEST(run({.command = "cat", .arguments = {"secret.txt"}, .root = outside.string()}).output == "secret\n");
}

BOOST_AUTO_TEST_CASE(it_has_its_name_and_each_line_is_reported)
{
    const run_result got = run({.command = "sh", .arguments = {"-c", "echo $0; echo two; exit 3"}});
    BOOST_TEST(got.exit_code.value() == 3);
    BOOST_TEST(got.output == "sh\ntwo\n");
    BOOST_TEST_REQUIRE(progress.heard.size() == 2u);
    BOOST_TEST(progress.heard[0].message == "sh");
    BOOST_TEST(progress.heard[1].message == "two");
    BOOST_TEST(progress.heard[1].done == 2);
}

BOOST_AUTO_TEST_CASE(its_time_is_what_is_wanted_but_no_more_than_may_be)
{
    const run_arguments forever{.command = "sh", .arguments = {"-c", "sleep 1000"}, .timeout_seconds = 0.1};
    BOOST_TEST(run(forever).timed_out);
    tool_limits limits;
    limits.command.time = 100ms;
    BOOST_TEST(run({.command = "sh", .arguments = {"-c", "sleep 1000"}, .timeout_seconds = 1000}, limits).timed_out);
    BOOST_TEST(run({.command = "sh", .arguments = {"-c", "sleep 1000"}}, limits).timed_out);
    BOOST_TEST(contains(refusal({.command = "sh", .timeout_seconds = 0}), "timeout_seconds is 0"));
}

BOOST_AUTO_TEST_CASE(its_output_is_bounded)
{
    tool_limits limits;
    limits.text_bytes = 100;
    const run_result got = run({.command = "sh", .arguments = {"-c", "head -c 1000 /dev/zero | tr '\\0' x"}}, limits);
    BOOST_TEST(got.truncated);
    BOOST_TEST(contains(got.output, "[... 900 bytes are left out here ...]"));
}

BOOST_AUTO_TEST_CASE(what_may_not_be_is_refused)
{
    BOOST_TEST(contains(refusal({.command = "ls"}), "the command 'ls' may not be run, only cat, sh"));
    BOOST_TEST(contains(refusal({.command = "/bin/sh"}), "may not be run"));
    BOOST_TEST(contains(refusal({.command = "sh", .root = "/"}), "is outside of the roots"));
    BOOST_TEST(contains(refusal({.command = "sh", .root = "root/../outside"}), "leads out of the root"));
    BOOST_TEST(contains(refusal({.command = "sh", .root = "root/a.txt"}), "Not a directory"));
}

BOOST_AUTO_TEST_SUITE_END()
