// One call, one result.

#include "call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <partyline/config.hpp>

#include <boost/test/unit_test.hpp>

#include <utility>

using namespace call::test;
using partyline::test::contains;
using partyline::test::read_file;
using partyline::test::scratch_directory;

BOOST_AUTO_TEST_SUITE(single_call, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(params_go_out_and_results_come_in_as_exact_text)
{
    // A server whose result is the line that it was sent.
    const std::string mirror = R"(read -r line; printf '{"jsonrpc":"2.0","id":1,"result":%s}\n' "$line")";
    const std::pair<words, std::string> rows[] = {
        {{"x", "[1.0, 12345678901234567890123,1e400,\"\\u00fc\"]"}, "[1.0, 12345678901234567890123,1e400,\"\\u00fc\"]"},
        {{"x", "a=1.50", "b=word", "c=\"\\u0041\""}, R"({"a":1.50,"b":"word","c":"\u0041"})"},
    };
    for (const auto& [call, params] : rows)
        expect(run_call(with_shell(call, mirror)), 0,
               R"({"jsonrpc":"2.0","id":1,"method":"x","params":)" + params + "}\n", "");
    expect(run_call(with_shell({"x"}, mirror)), 0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n", "");
}

BOOST_AUTO_TEST_CASE(the_sample_server_answers)
{
    expect(run_call(with_echo({"echo", "a=1", "b=word"})), 0, "{\"a\":1,\"b\":\"word\"}\n", "");
    expect(run_call(with_echo({"echo"})), 0, "null\n", "");
    expect(run_call(with_echo({"add", "[1,2]"})), 0, "3\n", "");
}

BOOST_AUTO_TEST_CASE(an_error_reply_is_told_in_words_with_exit_code_1)
{
    expect(run_call(with_echo({"no_such"})), 1, "", "error -32601: Method not found: \"no_such\"\n");
    expect(run_call(with_echo({"fail", "code=7", "message=no", "data={\"a\":[1]}"})), 1, "",
           "error 7: no: {\"a\":[1]}\n");
}

BOOST_AUTO_TEST_CASE(a_notification_has_no_reply)
{
    expect(run_call(with_echo({"log", "message=hello", "--notify"})), 0, "", "hello\n");
    expect(run_call(with_echo({"no_such", "--notify"})), 0, "", "");
}

BOOST_AUTO_TEST_CASE(servers_are_called_over_sockets_too)
{
    const scratch_directory scratch;
    const listening_echo on_unix("--unix", (scratch / "socket").string());
    expect(run_call({"echo", "[1]", "--unix", on_unix.address()}), 0, "[1]\n", "");
    const listening_echo on_tcp("--tcp", "127.0.0.1:0");
    expect(run_call({"echo", "[1]", "--tcp", on_tcp.address()}), 0, "[1]\n", "");
    expect(run_call({"log", "message=x", "--notify", "--tcp", on_tcp.address()}), 0, "", "");
}

BOOST_AUTO_TEST_CASE(a_started_server_gets_its_directory_and_its_environment)
{
    const std::string script =
        R"(read line; printf '{"jsonrpc":"2.0","id":1,"result":["%s","%s","%s"]}\n' "$PWD" "$A" "$B")";
    const outcome run = run_call(with_shell({"x", "--cwd", "/", "--env", "A=one", "--env", "B=t=w=o"}, script));
    expect(run, 0, "[\"/\",\"one\",\"t=w=o\"]\n", "");
}

BOOST_AUTO_TEST_CASE(what_becomes_of_the_servers_standard_error)
{
    const std::string script = R"(printf 'one\ntwo' >&2; read line; echo '{"jsonrpc":"2.0","id":1,"result":1}')";
    expect(run_call(with_shell({"x"}, script)), 0, "1\n", "one\ntwo\n");
    expect(run_call(with_shell({"x", "--stderr", "show"}, script)), 0, "1\n", "one\ntwo\n");
    expect(run_call(with_shell({"x", "--stderr", "pass"}, script)), 0, "1\n", "one\ntwo");
    expect(run_call(with_shell({"x", "--stderr", "drop"}, script)), 0, "1\n", "");
}

BOOST_AUTO_TEST_CASE(notifications_are_shown_if_they_are_wanted)
{
    const words call{"parts", "count=2", "bytes=3"};
    expect(run_call(with_echo(call)), 0, "{\"parts\":2}\n", "");
    words shown = call;
    shown.push_back("--show-notifications");
    expect(run_call(with_echo(shown)), 0, "{\"parts\":2}\n",
           "notification part {\"id\":1,\"index\":0,\"text\":\"xxx\"}\n"
           "notification part {\"id\":1,\"index\":1,\"text\":\"xxx\"}\n");
}

BOOST_AUTO_TEST_CASE(what_the_server_asks_us_is_not_found_here)
{
    const std::string script = R"(read line; echo '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'; read answer
        printf '{"jsonrpc":"2.0","id":1,"result":[%s]}\n' "$answer")";
    expect(run_call(with_shell({"x"}, script)), 0,
           "[{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Method not "
           "found\",\"data\":{\"method\":\"roots/list\"}}}]\n",
           "");
}

BOOST_AUTO_TEST_CASE(a_trace_has_every_message)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    BOOST_TEST(run_call(with_echo({"echo", "[1]", "--trace", trace})).code == 0);
    const std::string text = read_file(trace);
    BOOST_TEST(partyline::test::count_of(text, "\n") == 2);
    BOOST_TEST(contains(text, R"(Z out id=1 method=echo {"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})"), text);
    BOOST_TEST(contains(text, "Z in  id=1 method=echo latency=0."), text);
}

BOOST_AUTO_TEST_CASE(limits_hold_for_calls_and_replies)
{
    const outcome too_long =
        run_call(with_echo({"echo", "[\"" + std::string(200, 'x') + "\"]", "--max-message-bytes", "100"}));
    expect(too_long, 3, "", "partyline-call: the call or its reply is larger than the limits allow\n");
}

BOOST_AUTO_TEST_CASE(help_and_version_go_to_standard_output)
{
    const outcome help = run_call({"--help"});
    BOOST_TEST(help.code == 0);
    BOOST_TEST(contains(help.out, "Usage: partyline-call METHOD"));
    BOOST_TEST(help.err == "");
    BOOST_TEST(contains(help.out, "Exit codes"));
    const outcome version = run_call({"--version"});
    BOOST_TEST(version.out.starts_with("partyline-call " PARTYLINE_VERSION_STRING " (Boost "), version.out);
    BOOST_TEST(contains(version.out, ", OpenSSL "), version.out);
}

BOOST_AUTO_TEST_SUITE_END()
