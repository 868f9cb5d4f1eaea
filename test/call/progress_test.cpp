#include "call_program.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/ioctl.h>

using namespace call::test;
using namespace partyline::test;

namespace {

// A server that sends two progress values about call 1, and then its result.
const std::string reporting_server = R"(read line
    echo '{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"percentage":40,"message":"linking"}}}'
    echo '{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":80}}'
    echo '{"jsonrpc":"2.0","id":1,"result":"done"}')";

} // namespace

BOOST_AUTO_TEST_SUITE(progress, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(progress_is_told_line_by_line)
{
    const outcome run = run_call(with_echo({"count", "to=3", "--progress"}));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "{\"counted\":3}\n");
    BOOST_TEST(run.err == "progress 1%\nprogress 2%\nprogress 3%\n");
}

BOOST_AUTO_TEST_CASE(without_being_asked_for_it_is_shown_when_it_comes_and_params_stay_as_they_are)
{
    const outcome counted = run_call(with_echo({"count", "to=2"}));
    BOOST_TEST(counted.out == "{\"counted\":2}\n");
    BOOST_TEST(counted.err == "progress 1%\nprogress 2%\n");
    BOOST_TEST(run_call(with_echo({"echo", "{}"})).out == "{}\n");
    BOOST_TEST(contains(run_call(with_echo({"echo", "{}", "--progress"})).out, "workDoneToken"));
}

BOOST_AUTO_TEST_CASE(of_several_calls_it_is_told_under_their_labels)
{
    const outcome run =
        run_call(with_echo({"--calls", "-", "--progress"}), R"({"method":"count","params":{"to":1},"id":"a"})"
                                                            "\n"
                                                            R"({"method":"count","params":[2]})");
    BOOST_TEST(run.code == 0);
    BOOST_TEST(contains(run.err, "\"a\": progress 1%\n"), run.err);
    BOOST_TEST(contains(run.err, "2: progress 1%\n2: progress 2%\n"), run.err);
}

BOOST_AUTO_TEST_CASE(on_a_terminal_a_bar_is_drawn_and_taken_away)
{
    fd_pair terminal = make_raw_terminal();
    call_program program(with_shell({"x", "--progress"}, reporting_server), terminal.theirs.get());
    terminal.theirs.reset();
    BOOST_TEST(program.output().read_rest() == "\"done\"\n");
    BOOST_TEST(program.child().wait_exit() == 0);
    BOOST_TEST(line_reader(std::move(terminal.ours)).read_rest() == "\r\x1b[K[========            ] 40% linking"
                                                                    "\r\x1b[K[================    ] 80%"
                                                                    "\r\x1b[K");
}

BOOST_AUTO_TEST_CASE(a_bar_is_no_wider_than_its_terminal)
{
    fd_pair terminal = make_raw_terminal();
    const winsize narrow{.ws_row = 24, .ws_col = 11, .ws_xpixel = 0, .ws_ypixel = 0};
    BOOST_REQUIRE(::ioctl(terminal.ours.get(), TIOCSWINSZ, &narrow) == 0);
    call_program program(with_shell({"x", "--progress"}, reporting_server), terminal.theirs.get());
    terminal.theirs.reset();
    BOOST_TEST(program.child().wait_exit() == 0);
    const std::string shown = line_reader(std::move(terminal.ours)).read_rest();
    const std::string erase = "\r\x1b[K";
    BOOST_TEST(contains(shown, erase + "[======== " + erase), shown); // ten columns of it
    BOOST_TEST(!contains(shown, "]"), shown);
}

BOOST_AUTO_TEST_SUITE_END()
