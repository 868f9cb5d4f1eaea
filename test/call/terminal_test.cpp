// Standard output as a terminal, and as none.

#include "call_program.hpp"
#include "support/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

using namespace call::test;
using namespace partyline::test;

namespace {

// What a terminal is shown, under these variables.
std::string shown(const words& variables, const words& call)
{
    fd_pair terminal = make_raw_terminal();
    const unique_fd nothing = open_file("/dev/null", O_RDWR);
    words line{"-u", "NO_COLOR", "-u", "TERM"};
    line.insert(line.end(), variables.begin(), variables.end());
    line.push_back(PARTYLINE_CALL);
    line.insert(line.end(), call.begin(), call.end());
    child_process program("/usr/bin/env", line, {nothing.get(), terminal.theirs.get(), nothing.get()});
    terminal.theirs.reset();
    std::string text = line_reader(std::move(terminal.ours)).read_rest();
    BOOST_TEST(program.wait_exit() == 0);
    return text;
}

const words asked = with_echo({"echo", "a=1.0", "b=[\"x\"]"});
const std::string exact = "{\"a\":1.0,\"b\":[\"x\"]}\n";
const std::string indented = "{\n  \"a\": 1.0,\n  \"b\": [\n    \"x\"\n  ]\n}\n";
const std::string colored = "{\n  \x1b[1;34m\"a\"\x1b[0m: \x1b[36m1.0\x1b[0m,\n"
                            "  \x1b[1;34m\"b\"\x1b[0m: [\n    \x1b[32m\"x\"\x1b[0m\n  ]\n}\n";

words with(words call, const words& options)
{
    call.insert(call.begin(), options.begin(), options.end());
    return call;
}

} // namespace

BOOST_AUTO_TEST_SUITE(terminal, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_result_is_indented_and_in_colour)
{
    BOOST_TEST(shown({"TERM=xterm"}, asked) == colored);
    BOOST_TEST(shown({"TERM=xterm", "NO_COLOR="}, asked) == colored);
}

BOOST_AUTO_TEST_CASE(who_wants_no_colour_has_none)
{
    BOOST_TEST(shown({"TERM=xterm", "NO_COLOR=1"}, asked) == indented);
    BOOST_TEST(shown({"TERM=dumb"}, asked) == indented);
    BOOST_TEST(shown({"TERM=xterm"}, with(asked, {"--color", "never"})) == indented);
    BOOST_TEST(shown({"TERM=dumb", "NO_COLOR=1"}, with(asked, {"--color=always"})) == colored);
}

BOOST_AUTO_TEST_CASE(elsewhere_it_is_exact_unless_colour_is_wanted)
{
    BOOST_TEST(run_call(asked).out == exact);
    BOOST_TEST(run_call(with(asked, {"--color", "never"})).out == exact);
    BOOST_TEST(run_call(with(asked, {"--color", "always"})).out == colored);
}

BOOST_AUTO_TEST_CASE(whole_replies_are_shown_in_the_same_way)
{
    const scratch_directory scratch;
    const std::string calls = (scratch / "calls").string();
    write_file(calls, "{\"method\":\"echo\"}\n");
    BOOST_TEST(shown({"TERM=dumb"}, with_echo({"--calls", calls})) ==
               "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": null\n}\n");
}

BOOST_AUTO_TEST_CASE(a_result_commands_no_terminal_and_is_exact_elsewhere)
{
    // A server that answers an override, an eight-bit control sequence and DEL as they are.
    const words call = with_shell(
        {"x"}, R"(read line; printf '{"jsonrpc":"2.0","id":1,"result":["\342\200\256","\302\2332J\177"]}\n')");
    BOOST_TEST(run_call(call).out == "[\"\u202e\",\"\u009b2J\x7f\"]\n");
    BOOST_TEST(shown({"TERM=dumb"}, call) == "[\n  \"\\u202e\",\n  \"\\u009b2J\\u007f\"\n]\n");
    BOOST_TEST(shown({"TERM=xterm"}, call) ==
               "[\n  \x1b[32m\"\\u202e\"\x1b[0m,\n  \x1b[32m\"\\u009b2J\\u007f\"\x1b[0m\n]\n");
}

BOOST_AUTO_TEST_SUITE_END()
