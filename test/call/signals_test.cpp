// Ctrl-C, and SIGTERM.

#include "call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>

using namespace call::test;
using partyline::test::contains;
using partyline::test::count_of;
using partyline::test::scratch_directory;

namespace {

// Tells on its standard error when its input has ended, and goes on for ever.
const std::string stubborn_server = R"(trap '' TERM; echo ready >&2
    while read line; do :; done; echo 'input ended' >&2; while :; do sleep 1000; done)";

} // namespace

BOOST_AUTO_TEST_SUITE(signals, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_signal_cancels_the_call_before_the_program_leaves)
{
    for (const int number : {SIGINT, SIGTERM}) {
        const scratch_directory scratch;
        const std::string trace = (scratch / "trace").string();
        call_program program(with_echo({"count", "to=1000", "ms=20", "--progress"}, {"--trace", trace}));
        program.wait_error("progress 1%");
        program.child().signal(number);
        BOOST_TEST(program.child().wait_exit() == 128 + number);
        BOOST_TEST(program.output().read_rest() == "");
        const std::string seen = partyline::test::read_file(trace);
        BOOST_TEST(contains(seen, R"("method":"$/cancelRequest","params":{"id":1}})"), seen);
        BOOST_TEST(contains(seen, R"("id":1,"error":{"code":-32800)"), seen);
    }
}

BOOST_AUTO_TEST_CASE(it_cancels_all_calls_that_are_out_and_makes_no_more)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    call_program program(with_echo({"--calls", "-", "--concurrency", "3", "--progress"}, {"--trace", trace}));
    for (int i = 1; i <= 5; ++i)
        program.send(R"({"method":"count","params":{"to":1000,"ms":20}})"
                     "\n");
    for (const char* const label : {"1: ", "2: ", "3: "})
        program.wait_error(label);
    program.child().signal(SIGINT); // its input is still open
    BOOST_TEST(program.child().wait_exit() == 130);
    const std::string seen = partyline::test::read_file(trace);
    BOOST_TEST(count_of(seen, "\"method\":\"$/cancelRequest\"") == 3);
    BOOST_TEST(count_of(seen, "\"method\":\"count\"") == 3);
}

BOOST_AUTO_TEST_CASE(it_cancels_a_batch)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    call_program program(with_echo({"--calls", "-", "--batch", "--progress"}, {"--trace", trace}));
    program.send("{\"method\":\"count\",\"params\":[1000,20]}\n{\"method\":\"delay\",\"params\":[600000]}\n");
    program.close_input();
    program.wait_error("progress 1%");
    program.child().signal(SIGINT);
    BOOST_TEST(program.child().wait_exit() == 130);
    BOOST_TEST(count_of(partyline::test::read_file(trace), "\"method\":\"$/cancelRequest\"") == 2);
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_not_whole_yet_is_not_sent)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    call_program program(with_echo({"--calls", "-", "--batch"}, {"--trace", trace}));
    program.send("{\"method\":\"echo\"}\nrubbish\n");
    program.wait_error("line 2"); // so line 1 has been read
    program.child().signal(SIGINT);
    BOOST_TEST(program.child().wait_exit() == 130);
    BOOST_TEST(program.output().read_rest() == "");
    BOOST_TEST(partyline::test::read_file(trace) == "");
}

BOOST_AUTO_TEST_CASE(a_second_signal_does_not_wait_for_the_server)
{
    call_program program(with_shell({"x"}, stubborn_server));
    program.wait_error("ready");
    program.child().signal(SIGINT);
    program.wait_error("input ended");
    program.child().signal(SIGTERM);
    BOOST_TEST(program.child().wait_exit() == 128 + SIGTERM);
    BOOST_TEST(program.errors().read_rest() == ""); // its time was not over
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_end_is_not_waited_for_for_long)
{
    call_program program(with_shell({"x"}, "echo $$ >&2; " + stubborn_server));
    const pid_t server = std::stoi(program.errors().read_line().value_or("0"));
    BOOST_REQUIRE(server > 1);
    program.wait_error("ready");
    program.child().signal(SIGINT);
    program.wait_error("partyline-call: the server takes too long to end");
    BOOST_TEST(program.child().wait_exit() == 130);
    BOOST_TEST((::kill(server, 0) < 0 && errno == ESRCH)); // nor left behind
}

BOOST_AUTO_TEST_CASE(a_signal_ends_waiting_for_input)
{
    call_program program(with_echo({"--calls", "-"}));
    program.send("{\"method\":\"echo\"}\n");
    program.output().read_line();
    program.child().signal(SIGINT);
    BOOST_TEST(program.child().wait_exit() == 130);
    BOOST_TEST(program.errors().read_rest() == "");
}

// Its output is a pipe that is full.
struct unread_program : call_program {
    unread_program() : call_program(with_echo({"--calls", "-"}))
    {
        partyline::test::shrink_pipe(output().fd());
        send("{\"method\":\"echo\",\"params\":[\"" + std::string(100'000, 'x') + "\"]}\n");
        output().wait_readable();
    }
};

BOOST_AUTO_TEST_CASE(a_signal_ends_a_program_whose_output_nobody_reads)
{
    unread_program once;
    unread_program twice;
    once.child().signal(SIGTERM);
    twice.child().signal(SIGTERM);
    twice.child().signal(SIGINT);
    const int code = twice.child().wait_exit();
    BOOST_TEST((code == 128 + SIGTERM || code == 128 + SIGINT), "exit code " << code);
    BOOST_TEST(once.child().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(a_standard_error_that_nobody_reads_does_not_stop_the_calls)
{
    const partyline::test::pipe_ends errors = partyline::test::make_pipe();
    partyline::test::shrink_pipe(errors.write.get());
    const std::string talkative =
        "head -c 60000 /dev/zero | tr '\\0' x | fold -w 100 >&2; exec " + std::string(PARTYLINE_ECHO);
    call_program program(with_shell({"--calls", "-"}, talkative), errors.write.get());
    for (int i = 0; i < 10; ++i)
        program.send("{\"method\":\"echo\",\"params\":[1]}\n");
    program.close_input();
    BOOST_TEST(count_of(program.output().read_rest(), "[1]") == 10);
    BOOST_TEST(program.child().wait_exit() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
