#include "command_fixture.hpp"
#include "support/descriptor_limit.hpp"
#include "support/text_search.hpp"
#include "tools/refusal.hpp"
#include "transport/raised_descriptor_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>

#include <unistd.h>

using namespace std::chrono_literals;
using partyline::test::contains;
using tools::command_limits;
using tools::command_result;
using tools::run_command;
using tools::test::command_fixture;
using tools::test::refusal_of;
using tools::test::run_task;

BOOST_FIXTURE_TEST_SUITE(commands, command_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_command_ends_with_its_exit_code_and_output)
{
    const command_result ended = run("echo one; echo two >&2; echo three; exit 7");
    BOOST_TEST(ended.end.exit_code.value() == 7);
    BOOST_TEST(!ended.end.signal);
    BOOST_TEST(ended.output == "one\ntwo\nthree\n");
    BOOST_TEST(lines == "one|two|three|");
    BOOST_TEST(!ended.has_timed_out);
    BOOST_TEST(ended.bytes_left_out == 0u);
}

BOOST_AUTO_TEST_CASE(the_signal_that_ends_it_is_told)
{
    const command_result ended = run("kill -KILL $$");
    BOOST_TEST(ended.end.signal.value() == SIGKILL);
    BOOST_TEST(!ended.end.exit_code);
}

BOOST_AUTO_TEST_CASE(it_runs_in_the_folder_that_it_is_given)
{
    BOOST_TEST(run("cat a.txt").output == "within\n");
    BOOST_TEST(run("pwd").output == root.string() + "\n");
}

BOOST_AUTO_TEST_CASE(words_are_passed_on_as_they_are)
{
    tools::command what{
        "/bin/sh", {"sh", "-c", R"(printf '[%s]' "$0" "$@")", "a b", "$HOME", "*", "", "'; exit 1"}, folder.get()};
    BOOST_TEST(run_task(run_command(std::move(what), {}, {})).output == "[a b][$HOME][*][]['; exit 1]");
}

BOOST_AUTO_TEST_CASE(it_reads_nothing_and_has_no_descriptor_of_ours)
{
    const partyline::test::unique_fd null = partyline::test::open_file("/dev/null", O_RDONLY);
    const partyline::test::unique_fd inheritable(::fcntl(null.get(), F_DUPFD, 100)); // not close-on-exec
    const command_result ended = run("cat; cd /proc/$$/fd; readlink 0; [ -e " + std::to_string(inheritable.get()) +
                                     " ] && echo inherited; [ 1 -ef 2 ] && echo one for both");
    BOOST_TEST(ended.output == "/dev/null\none for both\n");
}

BOOST_AUTO_TEST_CASE(its_signals_are_as_in_a_shell)
{
    ::signal(SIGPIPE, SIG_IGN);
    const command_result ended = run("exec grep -E 'Sig(Blk|Ign)' /proc/self/status");
    ::signal(SIGPIPE, SIG_DFL);
    BOOST_TEST(contains(ended.output, "SigBlk:\t0000000000000000\n"), ended.output);
    BOOST_TEST(ended.output.ends_with("0000000\n"), ended.output); // the C library has two of its own, 32 and 33
}

BOOST_AUTO_TEST_CASE(its_limit_of_descriptors_is_the_one_from_before,
                     *boost::unit_test::precondition(partyline::test::can_set_descriptor_limit))
{
    const partyline::test::descriptor_limit ours;
    ours.set(200);
    const partyline::raised_descriptor_limit raised;
    const command_result ended =
        run("until [ $(ulimit -S -n) = 200 ]; do :; done; ulimit -S -n"); // or a minute is over
    BOOST_TEST(ended.output == "200\n");
}

BOOST_AUTO_TEST_CASE(much_output_is_kept_in_part)
{
    const command_result ended =
        run("echo begin; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end", {.output_bytes = 1000});
    BOOST_TEST(ended.end.exit_code.value() == 0);
    BOOST_TEST(ended.output.starts_with("begin\nxxx"));
    BOOST_TEST(ended.output.ends_with("xxx\nend\n"));
    BOOST_TEST(ended.output.size() < 1100u);
    BOOST_TEST(ended.bytes_left_out == 3'000'000u + 11 - 1000);
    BOOST_TEST(lines.size() < 1100u);
}

BOOST_AUTO_TEST_CASE(many_lines_are_all_told)
{
    const command_result ended = run("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i + 1)); done");
    BOOST_TEST(partyline::test::count_of(lines, "|") == 20000);
    BOOST_TEST(lines.ends_with("19998|19999|"));
}

BOOST_AUTO_TEST_CASE(lines_come_while_it_runs)
{
    const partyline::test::pipe_ends gate = partyline::test::make_fifo(root / "gate");
    tools::test::running_task<command_result> running(
        run_command(shell("echo begun; read line <gate; echo $line"), {}, told()));
    running.run_until([&] { return lines == "begun|"; });
    BOOST_TEST(!running.has_ended());
    BOOST_TEST(::write(gate.write.get(), "go\n", 3) == 3);
    BOOST_TEST(running.result().output == "begun\ngo\n");
}

BOOST_AUTO_TEST_CASE(a_command_without_output_is_waited_for)
{
    const partyline::test::pipe_ends gate = partyline::test::make_fifo(root / "gate");
    tools::test::running_task<command_result> running(
        run_command(shell("echo begun; exec >&- 2>&-; read line <gate; exit 3"), {}, told()));
    running.run_until([&] { return lines == "begun|"; });
    BOOST_TEST(::write(gate.write.get(), "go\n", 3) == 3);
    BOOST_TEST(running.result().end.exit_code.value() == 3);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_started_is_refused_by_name)
{
    const auto refusal = [&](std::string program, std::vector<std::string> words) {
        return refusal_of([&] { run_task(run_command({program, words, folder.get()}, {}, {})); });
    };
    BOOST_TEST(contains(refusal("/no/such/program", {"it"}), "cannot start 'it': No such file or directory"));
    BOOST_TEST(contains(refusal((root / "a.txt").string(), {"it"}), "cannot start 'it': Permission denied"));
    BOOST_TEST(
        contains(refusal("/bin/sh", {"sh", std::string("a\0b", 3)}), "no argument of a command has a zero byte"));
}

BOOST_AUTO_TEST_SUITE_END()
