// --profile lsp: what is said before the calls and behind them, and servers that do not go along with it.

#include "call/call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <sstream>
#include <utility>

using namespace call::test;
using partyline::test::contains;
using partyline::test::count_of;
using partyline::test::scratch_directory;

namespace {

// A language server that is played by a shell: one line is one message. It answers what it gets in order, a word of
// `answers` each: "ok", "error", "-" for none (as to a notification), "silent" for nothing any more, "die".
outcome run_played(words ours, const std::string& answers)
{
    ours.insert(ours.end(), {"--profile", "lsp", "--framing", "lines"});
    const std::string script = R"(id=0
        for answer in )" + answers +
                               R"(; do
            read -r line || exit 9
            case $answer in
            ok) id=$((id + 1)); echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$id}";;
            error) id=$((id + 1)); echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-7,\"message\":\"no\"}}";;
            silent) while read -r line; do :; done; exit 0;;
            die) echo dying >&2; exit 7;;
            esac
        done)";
    return run_call(with_shell(std::move(ours), script));
}

words with_lsp_echo(words ours)
{
    ours.insert(ours.end(), {"--profile", "lsp"});
    return with_echo(std::move(ours), {"--profile", "lsp"});
}

// What was said, one line each: "out initialize", ...
std::string methods_in(const std::string& trace)
{
    std::string methods;
    std::istringstream lines(trace);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t name = line.find(" method=") + 8;
        methods += (contains(line, "Z out ") ? "out " : "in ") + line.substr(name, line.find(' ', name) - name) + "\n";
    }
    return methods;
}

} // namespace

BOOST_AUTO_TEST_SUITE(lsp_handshake, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_call_stands_between_initialize_and_exit)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    expect(run_call(with_lsp_echo({"add", "2", "40", "--trace", trace})), 0, "42\n", "");
    const std::string seen = partyline::test::read_file(trace);
    BOOST_TEST(methods_in(seen) == "out initialize\nin initialize\nout initialized\nout add\nin add\n"
                                   "out shutdown\nin shutdown\nout exit\n");
    BOOST_TEST(contains(seen, R"("method":"initialized","params":{}})"), seen);
    BOOST_TEST(contains(seen, R"("method":"initialize","params":{"processId":)"), seen);
    BOOST_TEST(contains(seen, R"(,"clientInfo":{"name":"partyline-call","version":")"), seen);
    BOOST_TEST(contains(seen, R"("},"rootUri":null,"capabilities":{}}})"), seen);
}

BOOST_AUTO_TEST_CASE(so_do_many_calls_repeated_ones_and_notifications)
{
    const outcome many = run_call(with_lsp_echo({"--calls", "-"}), "{\"method\":\"echo\",\"params\":[1.0]}\n");
    expect(many, 0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[1.0]}\n", "");
    const outcome repeated = run_call(with_lsp_echo({"add", "2", "40", "--repeat", "50", "--concurrency", "5"}));
    BOOST_TEST(repeated.code == 0);
    BOOST_TEST(repeated.err.starts_with("50 calls in "), repeated.err);
    expect(run_call(with_lsp_echo({"log", "message=hello", "--notify"})), 0, "", "hello\n");
}

BOOST_AUTO_TEST_CASE(the_example_server_goes_along_with_it)
{
    const outcome run =
        run_call({"textDocument/hover", R"({"textDocument":{"uri":"file:///x"},"position":{"line":0,"character":0}})",
                  "--profile", "lsp", "--", PARTYLINE_PLAIN_TEXT_SERVER});
    BOOST_TEST(run.code == 1);
    BOOST_TEST(run.err.starts_with("error -32803: "), run.err); // it is not open; before initialize it would be -32002
    BOOST_TEST(count_of(run.err, "\n") == 1, run.err);
    expect(run_call({"initialize", "{}", "--profile", "lsp", "--", PARTYLINE_PLAIN_TEXT_SERVER}), 1, "",
           "error -32600: Invalid Request: {\"reason\":\"initialize came a second time\"}\n");
}

BOOST_AUTO_TEST_CASE(a_server_on_a_socket_is_not_to_end_with_us)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    const listening_echo server("--unix", (scratch / "socket").string(), {"--profile", "lsp"});
    const words call{"add", "2", "40", "--profile", "lsp", "--trace", trace, "--unix", server.address()};
    expect(run_call(call), 0, "42\n", "");
    expect(run_call(call), 0, "42\n", "");
    BOOST_TEST(contains(partyline::test::read_file(trace), R"({"processId":null,)"));
}

BOOST_AUTO_TEST_CASE(a_handshake_that_fails_says_so_and_no_call_is_made)
{
    const std::string failed = "partyline-call: the handshake failed: initialize: ";
    expect(run_played({"x"}, "error silent"), 3, "", failed + "error -7: no\n");
    expect(run_played({"x"}, "die"), 3, "",
           "dying\n" + failed + "the server exited with status 7\nthe last lines of its standard error:\n  dying\n");
    for (const words& call : {words{"x"}, words{"x", "--repeat", "3"}, words{"x", "--notify"}})
        BOOST_TEST(run_played(call, "error silent").err == failed + "error -7: no\n");

    const outcome late = run_played({"x", "--timeout", "200ms"}, "silent");
    expect(late, 3, "", failed + "no reply within the time that the call had\n");
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_later_leaves_the_call_without_a_reply)
{
    expect(run_played({"x"}, "ok - die"), 3, "",
           "dying\npartyline-call: the server exited with status 7\n"
           "the last lines of its standard error:\n  dying\n");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_behind_the_calls_is_told_and_costs_no_result)
{
    expect(run_played({"x"}, "ok - ok ok -"), 0, "2\n", "");
    expect(run_played({"x"}, "ok - ok error -"), 0, "2\n", "partyline-call: shutdown: error -7: no\n");
    expect(run_played({"x"}, "ok - ok die"), 0, "2\n",
           "dying\npartyline-call: shutdown: the server exited with status 7\n"
           "the last lines of its standard error:\n  dying\n");
    expect(run_played({"x", "--timeout", "3s"}, "ok - ok silent"), 0, "2\n",
           "partyline-call: shutdown: no reply within the time that the call had\n");
}

BOOST_AUTO_TEST_CASE(leaving_has_a_time_of_its_own)
{
    const auto begun = std::chrono::steady_clock::now();
    expect(run_played({"x"}, "ok - ok silent"), 0, "2\n",
           "partyline-call: shutdown: no reply within the time that the call had\n");
    BOOST_TEST((std::chrono::steady_clock::now() - begun >= std::chrono::seconds(5)));
}

BOOST_AUTO_TEST_CASE(a_signal_ends_the_handshake)
{
    call_program program(with_shell({"x", "--profile", "lsp", "--framing", "lines"},
                                    "read -r line; echo asked >&2; while read -r line; do :; done"));
    program.wait_error("asked");
    program.child().signal(SIGINT);
    BOOST_TEST(program.child().wait_exit() == 130);
    BOOST_TEST(program.output().read_rest() == "");
    BOOST_TEST(program.errors().read_rest() == "");
}

BOOST_AUTO_TEST_SUITE_END()
