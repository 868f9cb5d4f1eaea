#include "refusal.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

#include <call/options.hpp>

using namespace std::chrono_literals;
using call::options;
using call::read_command_line;
using call::server_profile;
using partyline::child_stderr;
using partyline::test::contains;
using action = options::action;
using words = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(options_of_call)

BOOST_AUTO_TEST_CASE(a_call_to_a_server_that_is_started)
{
    const options read = read_command_line({"add", "a=1", "b=2", "--", "server", "--flag", "x=1", "--", "--unix"});
    BOOST_TEST((read.what == action::call));
    BOOST_TEST(read.only.method == "add");
    BOOST_TEST(read.only.params.text() == R"({"a":1,"b":2})");
    BOOST_TEST(read.only.label == "");
    BOOST_TEST(read.server.command == (words{"server", "--flag", "x=1", "--", "--unix"}),
               boost::test_tools::per_element());
    BOOST_TEST((read.server.child.errors == child_stderr::capture));
    BOOST_TEST((read.timeout == 0s));
    BOOST_TEST(read.concurrency == 1u);
    BOOST_TEST(read.bounds.message_bytes == partyline::limits().message_bytes);
}

BOOST_AUTO_TEST_CASE(a_server_on_the_network_whose_scheme_may_be_written_in_any_case)
{
    for (const char* url : {"http://a/x", "HTTP://a/x", "ws://a/x", "Ws://a/x"}) {
        const options read = read_command_line({url, "add"});
        BOOST_TEST(read.server.url == url);
        BOOST_TEST(!read.server.network.tls);
    }
    for (const char* url : {"https://a/x", "HTTPS://a/x", "wss://a/x", "wSS://a/x"})
        BOOST_TEST(bool(read_command_line({url, "add"}).server.network.tls), url);
}

BOOST_AUTO_TEST_CASE(options_may_stand_before_between_and_behind_the_words)
{
    const options read = read_command_line({"--timeout", "5s", "echo", "--idle-timeout=200ms", "[1]", "--unix", "/a/b",
                                            "--show-notifications", "--progress", "--trace", "t", "--max-depth", "9"});
    BOOST_TEST(read.only.method == "echo");
    BOOST_TEST(read.only.params.text() == "[1]");
    BOOST_TEST(read.server.unix_path == "/a/b");
    BOOST_TEST((read.timeout == 5s));
    BOOST_TEST((read.idle_timeout == 200ms));
    BOOST_TEST(read.asks_progress);
    BOOST_TEST(read.shows_notifications);
    BOOST_TEST(read.trace_file == "t");
    BOOST_TEST(read.bounds.depth == 9u);
}

BOOST_AUTO_TEST_CASE(a_language_server_has_its_framing_unless_another_is_wanted)
{
    using partyline::framing_kind;
    const options plain = read_command_line({"x", "--profile", "plain", "--", "s"});
    BOOST_TEST((plain.profile == server_profile::plain && !plain.framing));
    const options lsp = read_command_line({"x", "--profile", "lsp", "--", "s"});
    BOOST_TEST((lsp.profile == server_profile::lsp && lsp.framing == framing_kind::content_length));
    const options lines = read_command_line({"x", "--profile", "lsp", "--framing", "lines", "--", "s"});
    BOOST_TEST((lines.profile == server_profile::lsp && lines.framing == framing_kind::lines));
}

BOOST_AUTO_TEST_CASE(colours_are_for_terminals_unless_told_otherwise)
{
    using call::color_choice;
    BOOST_TEST((read_command_line({"x", "--", "s"}).color == color_choice::automatic));
    BOOST_TEST((read_command_line({"x", "--color", "auto", "--", "s"}).color == color_choice::automatic));
    BOOST_TEST((read_command_line({"x", "--color=always", "--", "s"}).color == color_choice::always));
    BOOST_TEST((read_command_line({"x", "--color", "never", "--", "s"}).color == color_choice::never));
}

BOOST_AUTO_TEST_CASE(negative_numbers_are_words)
{
    const options read = read_command_line({"add", "-5", "--timeout", "5s", "-1.5e3", "--", "s", "-5"});
    BOOST_TEST(read.only.params.text() == "[-5,-1.5e3]");
    BOOST_TEST((read.timeout == 5s));
    BOOST_TEST(read.server.command == (words{"s", "-5"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_started_server_is_given)
{
    const options read = read_command_line(
        {"x", "--env", "A=1", "--env", "B=c=d", "--env", "C=", "--cwd", "/tmp", "--stderr", "drop", "--", "server"});
    const std::map<std::string, std::string> expected{{"A", "1"}, {"B", "c=d"}, {"C", ""}};
    BOOST_TEST((read.server.child.variables == expected));
    BOOST_TEST(!read.server.child.inherited_variables); // all of ours
    BOOST_TEST(read.server.child.working_directory == "/tmp");
    BOOST_TEST((read.server.child.errors == child_stderr::drop));
    const auto errors_of = [](const char* word) {
        return read_command_line({"x", "--stderr", word, "--", "s"}).server.child.errors;
    };
    BOOST_TEST((errors_of("pass") == child_stderr::pass_on));
    BOOST_TEST((errors_of("show") == child_stderr::capture));
}

BOOST_AUTO_TEST_CASE(each_way_to_call_has_its_defaults)
{
    const options file = read_command_line({"--calls", "-", "--tcp", "localhost:1"});
    BOOST_TEST((file.what == action::call_file));
    BOOST_TEST(file.calls_file == "-");
    BOOST_TEST((file.server.tcp == partyline::tcp_address{"localhost", 1}));
    BOOST_TEST(file.concurrency == 64u);
    BOOST_TEST((read_command_line({"--calls", "f", "--batch", "--", "s"}).what == action::batch));
    BOOST_TEST((read_command_line({"x", "--notify", "--", "s"}).what == action::notify));
    BOOST_TEST((read_command_line({"x", "--notify", "--timeout", "2s", "--", "s"}).timeout == 2s));
    const options repeated = read_command_line({"x", "--repeat", "1000", "--concurrency", "8", "--", "s"});
    BOOST_TEST((repeated.what == action::repeat));
    BOOST_TEST(repeated.repeat == 1000u);
    BOOST_TEST(repeated.concurrency == 8u);
    BOOST_TEST(read_command_line({"x", "--repeat", "9", "--", "s"}).concurrency == 1u);
    BOOST_TEST((read_command_line({"--help"}).what == action::help));
    BOOST_TEST((read_command_line({"-h"}).what == action::help));
    BOOST_TEST((read_command_line({"--version", "whatever"}).what == action::version));
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_in_words_that_name_it)
{
    const std::pair<words, const char*> rows[] = {
        {{}, "name one server"},
        {{"x"}, "name one server"},
        {{"x", "--"}, "name one server"},
        {{"x", "--unix", "u", "--tcp", "1"}, "name one server"},
        {{"x", "--unix", "u", "--", "s"}, "name one server"},
        {{"x", "--tcp", "1", "--", "s"}, "name one server"},
        {{"x", "--unix", ""}, "name one server"},
        {{"x", "--tcp", "host:port"}, "host:port"},
        {{"--", "s"}, "name a method"},
        {{"", "--", "s"}, "expected a method"},
        {{"{}", "--", "s"}, "expected a method, and then its params: '{}'"},
        {{"a\xff", "--", "s"}, "the method 'a\ufffd' is not UTF-8"},
        {{"x", "word", "a=1", "--", "s"}, "'a=1' and 'word' do not go together"},
        {{"x", "-word", "--", "s"}, "'-word'"},
        {{"x", "@/no/such/file", "--", "s"}, "cannot read /no/such/file: No such file or directory"},
        {{"x", "{", "--", "s"}, "not JSON (at byte 1)"},
        {{"x", "--calls", "f", "--", "s"}, "unexpected argument 'x' beside --calls"},
        {{"x", "--colour", "--", "s"}, "colour"},
        {{"x", "--timeout", "5", "--", "s"}, "'--timeout': '5' is no time"},
        {{"x", "--idle-timeout", "0s", "--", "s"}, "'--idle-timeout': '0s' is out of range"},
        {{"x", "--timeout"}, "timeout"},
        {{"x", "--repeat", "0", "--", "s"}, "'--repeat' is 0, expected 1 to 10000000"},
        {{"x", "--repeat", "many", "--", "s"}, "many"},
        {{"x", "--repeat", "5", "--concurrency", "-1", "--", "s"}, "'--concurrency' is -1"},
        {{"x", "--concurrency", "5", "--", "s"}, "--concurrency goes with --calls or --repeat"},
        {{"x", "--batch", "--", "s"}, "--batch takes the calls that --calls names"},
        {{"--calls", "f", "--batch", "--concurrency", "2", "--", "s"}, "--batch and --concurrency exclude"},
        {{"--calls", "f", "--repeat", "2", "--", "s"}, "--repeat and --calls exclude"},
        {{"x", "--batch", "--repeat", "2", "--", "s"}, "--repeat and --batch exclude"},
        {{"--calls", "f", "--notify", "--", "s"}, "--notify and --calls exclude"},
        {{"x", "--notify", "--repeat", "2", "--", "s"}, "--notify and --repeat exclude"},
        {{"x", "--notify", "--batch", "--", "s"}, "--notify and --batch exclude"},
        {{"x", "--notify", "--idle-timeout", "2s", "--", "s"}, "--notify and --idle-timeout exclude"},
        {{"x", "--notify", "--concurrency", "2", "--", "s"}, "--notify and --concurrency exclude"},
        {{"x", "--notify", "--progress", "--", "s"}, "--notify and --progress exclude"},
        {{"x", "--repeat", "2", "--progress", "--", "s"}, "--repeat and --progress exclude"},
        {{"x", "--stderr", "keep", "--", "s"}, "'--stderr' is 'keep', expected show, pass or drop"},
        {{"x", "--stderr", "drop", "--unix", "u"}, "--stderr goes with a server that is started"},
        {{"x", "--env", "A=1", "--unix", "u"}, "--env goes with a server that is started"},
        {{"x", "--cwd", "/", "--tcp", "1"}, "--cwd goes with a server that is started"},
        {{"x", "--env", "A", "--", "s"}, "'--env' is 'A', expected NAME=VALUE"},
        {{"x", "--env", "=1", "--", "s"}, "'--env' is '=1'"},
        {{"x", "--profile", "http", "--", "s"}, "'--profile' is 'http', expected plain, lsp or mcp"},
        {{"--calls", "f", "--batch", "--profile", "lsp", "--", "s"}, "--batch and --profile lsp exclude each other"},
        {{"x", "--color", "sometimes", "--", "s"}, "'--color' is 'sometimes', expected auto, always or never"},
        {{"x", "--max-depth", "0", "--", "s"}, "max-depth"},
        {{"x", "--tcp", "1", "--tls", "1"}, "name one server"},
        {{"x", "--token-file", "f", "--", "s"}, "--token-file goes with a server on the network"},
        {{"x", "--token-file", "f", "--tls", "1"}, "--token-file goes with a server on the network"},
        {{"x", "--client-key", "f", "--tcp", "1"}, "--client-key goes with a server on the network"},
        {{"http://127.0.0.1/x", "x", "--allow-plain-token"}, "--allow-plain-token goes with --token-file"},
        {{"https://a/x", "x", "--token-file", "f", "--header", "authorization: Basic x"},
         "--token-file and --header Authorization exclude each other"},
    };
    for (const auto& [given, said] : rows) {
        const std::string refused = call::test::refusal_of([&] { read_command_line(given); });
        BOOST_TEST(contains(refused, said), "'" << refused << "' instead of '" << said << "'");
    }
}

BOOST_AUTO_TEST_CASE(help_names_every_option)
{
    std::ostringstream out;
    call::print_help(out);
    for (const char* const option : {"--color",        "--profile",
                                     "--help",         "--version",
                                     "--unix",         "--tcp",
                                     "--calls",        "--batch",
                                     "--notify",       "--repeat",
                                     "--concurrency",  "--timeout",
                                     "--idle-timeout", "--show-notifications",
                                     "--progress",     "--stderr",
                                     "--env",          "--cwd",
                                     "--trace",        "--max-message-bytes",
                                     "--max-depth",    "--max-calls",
                                     "--read",         "--prompt",
                                     "--request",      "--info",
                                     "--json",         "--era",
                                     "--root",         "--answer",
                                     "--log-level",    "--list",
                                     "--tls",          "--token-file",
                                     "METHOD",         "@FILE",
                                     "name=value",     "Exit codes"})
        BOOST_TEST(contains(out.str(), option), option);
}

BOOST_AUTO_TEST_SUITE_END()
