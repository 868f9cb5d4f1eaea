// Servers that are none, that go away, that are slow, and what users get wrong.

#include "mcp_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

using namespace call::test;
using namespace partyline::test;

namespace {

const std::string failed_handshake = "partyline-call: the handshake failed: ";

words over(words ours, const words& server)
{
    ours.insert(ours.end(), {"--profile", "mcp", "--"});
    ours.insert(ours.end(), server.begin(), server.end());
    return ours;
}

void expect_failure(const outcome& run, int code, std::string_view err)
{
    BOOST_TEST(run.code == code);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err == err);
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_trouble, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_server_that_does_not_speak_mcp_is_told_of)
{
    expect_failure(run_call(over({"x"}, {PARTYLINE_ECHO})), 3,
                   failed_handshake + "error -32601: Method not found: \"initialize\"\n");
    expect_failure(run_call(over({"x"}, {"/bin/true"})), 3, failed_handshake + "the server exited with status 0\n");
    expect_failure(run_call(over({"x"}, {"/bin/sh", "-c", "echo dying >&2; exit 7"})), 3,
                   "dying\n" + failed_handshake +
                       "the server exited with status 7\nthe last lines of its standard error:\n  dying\n");
    const outcome none = run_call(over({"x"}, {"/no/such/server"}));
    BOOST_TEST(none.code == 3);
    BOOST_TEST(contains(none.err, "/no/such/server"), none.err);
}

BOOST_AUTO_TEST_CASE(a_refused_connection_is_told_by_its_address_and_no_place_in_a_library)
{
    for (const char* const address : {"http://127.0.0.1:1/mcp", "ws://127.0.0.1:1/mcp"}) {
        const outcome run = run_call({address, "x", "--profile", "mcp"});
        BOOST_TEST_CONTEXT(run.err)
        {
            BOOST_TEST(run.code == 3);
            BOOST_TEST(contains(run.err, "127.0.0.1:1"));
            BOOST_TEST(contains(run.err, "Connection refused"));
            BOOST_TEST(!contains(run.err, "/boost/"));
            BOOST_TEST(!contains(run.err, "[system:"));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_era_that_is_wanted_must_be_there)
{
    const outcome run = run_call(over({"x", "--era", "modern"}, {PARTYLINE_ECHO}));
    expect_failure(run, 3, failed_handshake + "error -32601: Method not found: \"server/discover\"\n");
}

BOOST_AUTO_TEST_CASE(a_silent_server_has_the_time_of_timeout)
{
    expect_failure(run_call(over({"x", "--timeout", "200ms"}, {"/bin/sh", "-c", "while read -r line; do :; done"})), 3,
                   failed_handshake +
                       "no reply within the time that the call had\n  the server does not answer initialize\n");
    // Of the fixture's time its start and the handshake are a part, which takes long under a sanitizer on a busy
    // machine.
    const outcome slow = run_call(with_fixture({"slow", "steps=2", "ms=60000", "--timeout", "4s"}));
    expect_failure(slow, 3, "partyline-call: no reply within the time that the call had\n");
    const outcome idle = run_call(with_fixture({"slow", "steps=2", "ms=60000", "--idle-timeout", "300ms"}));
    BOOST_TEST(idle.code == 3);
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_leaves_the_call_without_an_answer)
{
    expect_failure(run_call(with_played({"x"}, "read -r line; echo dying >&2; exit 9")), 3,
                   "dying\npartyline-call: the server exited with status 9\n"
                   "the last lines of its standard error:\n  dying\n");
}

BOOST_AUTO_TEST_CASE(one_that_dies_while_more_calls_are_read_is_told_of)
{
    call_program program(with_played({"--calls", "-"}, "exit 9")); // its input is still open
    BOOST_TEST(program.child().wait_exit() == 3);
    BOOST_TEST(program.errors().read_rest() == "partyline-call: the server exited with status 9\n");
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_of_the_protocol_is_told_with_its_place)
{
    const outcome run = run_call(with_played({"x"}, R"(read -r line
        say '{"jsonrpc":"2.0","id":2,"result":{"content":7}}'; read -r line)"));
    BOOST_TEST(run.code == 3);
    BOOST_TEST(run.err.starts_with("partyline-call: the server's answer is not what the protocol has\n  tools/call: "),
               run.err);
}

BOOST_AUTO_TEST_CASE(users_are_told_what_is_wrong_with_a_call)
{
    expect_failure(run_call(with_fixture({"nosuch"})), 1, "error -32602: Unknown tool: nosuch\n");
    const outcome missing = run_call(with_fixture({"echo"}));
    BOOST_TEST(missing.code == 1);
    BOOST_TEST(contains(missing.err, "\"message\": expected string, got nothing"), missing.err);
    const outcome odd = run_call(with_fixture({"echo", "{\"message\":"}));
    BOOST_TEST(odd.code == 2);
    BOOST_TEST(contains(odd.err, "the params are not JSON"), odd.err);
}

BOOST_AUTO_TEST_CASE(a_signal_cancels_the_call_before_the_program_leaves)
{
    const scratch_directory scratch;
    const std::string trace = scratch / "trace";
    for (const char* const era : {"legacy", "modern"}) {
        call_program program(with_fixture({"slow", "steps=1000", "ms=20", "--era", era, "--trace", trace}));
        program.wait_error("progress ");
        program.child().signal(SIGINT);
        BOOST_TEST(program.child().wait_exit() == 130);
        BOOST_TEST(program.output().read_rest() == "");
        BOOST_TEST(contains(read_file(trace), "\"method\":\"notifications/cancelled\""));
    }
}

BOOST_AUTO_TEST_CASE(a_signal_ends_the_handshake)
{
    const std::string silent = "read -r line; echo asked >&2; while read -r line; do :; done";
    call_program program(over({"x"}, {"/bin/sh", "-c", silent}));
    program.wait_error("asked");
    program.child().signal(SIGINT);
    BOOST_TEST(program.child().wait_exit() == 130);
    BOOST_TEST(program.errors().read_rest() == "");
}

BOOST_AUTO_TEST_SUITE_END()
