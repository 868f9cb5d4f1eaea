// What a server tells of its methods, and what the shell makes of it.

#include "call/call_program.hpp"
#include "call/methods/method_list.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

using namespace call::test;
using namespace partyline::test;

namespace {

std::string listed(const char* method)
{
    return call::list_methods(boost::json::parse(R"({"methods":[)" + std::string(method) + "]}"));
}

// What bash proposes for a word of this line: one a line.
std::string completed(const std::string& line, const std::string& program = PARTYLINE_CALL, int word = 1)
{
    const std::string script = "PATH=$(dirname \"$0\"):$PATH; eval \"$(partyline-call --completion)\"; COMP_LINE=$1; "
                               "read -ra COMP_WORDS <<<\"$1\"; COMP_CWORD=$2; _partyline_call; "
                               "printf '%s\\n' \"${COMPREPLY[@]}\"";
    pipe_ends out = make_pipe();
    line_reader said(std::move(out.read));
    const unique_fd nothing = open_file("/dev/null", O_RDONLY);
    child_process bash("/bin/bash", {"-c", script, program, line, std::to_string(word)},
                       {nothing.get(), out.write.get(), STDERR_FILENO});
    out.write.reset();
    std::string text = said.read_rest();
    bash.wait_exit();
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(method_list, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_method_is_a_line)
{
    const std::pair<const char*, std::string> rows[] = {
        {R"({"name":"m","params":[]})", "m() (notification)\n"},
        {R"({"name":"m","params":[],"result":{"schema":{"type":"null"}}})", "m()\n"},
        {R"({"name":"m","description":"Does it","params":[],"result":{"schema":{}}})", "m()  Does it\n"},
        {R"({"name":"m","params":[{"name":"a","required":true,"schema":{"type":"integer"}},)"
         R"({"name":"b","schema":{"type":"array","items":{"type":"string"}}}],"result":{"schema":{"type":"number"}}})",
         "m(a: integer, b?: string[]) -> number\n"},
        {R"({"name":"m","params":[{"name":"a","schema":{"enum":["x","y"],"type":"string","default":"x"}}],"result":{}})",
         "m(a?: \"x\"|\"y\" = \"x\")\n"},
        {R"({"name":"m","params":[{"name":"a","schema":{"enum":[1.5,2.0,"x"],"default":1.5}}],"result":{}})",
         "m(a?: 1.5|2.0|\"x\" = 1.5)\n"},
        {R"({"name":"m","params":[{"name":"a","required":true,"schema":{"anyOf":[{"type":"integer"},{"type":"string"}]}}],)"
         R"("result":{}})",
         "m(a: integer|string)\n"},
        {R"({"name":"m","params":[],"result":{"schema":{"anyOf":[{"type":"array","items":{"type":"string"}},)"
         R"({"type":"null"}]}}})",
         "m() -> string[]|null\n"},
        {R"({"name":"m","params":[],"x-params":{"type":"array","items":{"type":"number"}},"result":{}})",
         "m(...number[])\n"},
    };
    for (const auto& [method, line] : rows)
        BOOST_TEST(listed(method) == line);
}

BOOST_AUTO_TEST_CASE(texts_stand_below_each_other)
{
    BOOST_TEST(listed(R"({"name":"a","description":"A","params":[],"result":{}},)"
                      R"({"name":"long","description":"B","params":[],"result":{}})") == "a()     A\nlong()  B\n");
}

BOOST_AUTO_TEST_CASE(what_is_no_document_has_no_lines_and_what_is_odd_harms_nobody)
{
    for (const char* text : {"1", "{}", R"({"methods":{}})", "[]"})
        BOOST_TEST(call::list_methods(boost::json::parse(text)) == "");
    for (const char* text : {"1", "{}", R"({"methods":{}})", "[]"})
        BOOST_TEST(!call::lists_methods(boost::json::parse(text)));
    BOOST_TEST(call::lists_methods(boost::json::parse(R"({"methods":[]})")));
    BOOST_TEST(listed(R"(1,null,{"name":7,"params":{"a":1}})") ==
               "() (notification)\n() (notification)\n() (notification)\n");
    BOOST_TEST(!contains(listed(R"({"name":"\u001b[31m","description":"\u0007","params":[]})"), "\x1b"));
}

BOOST_AUTO_TEST_CASE(the_sample_server_is_listed)
{
    const outcome run = run_call(with_echo({"--list"}));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.err == "");
    BOOST_TEST(contains(run.out, "\nsum(...(integer|number)[]) -> "), run.out);
    BOOST_TEST(contains(run.out, "\nlog(message: string) (notification)"), run.out);
    BOOST_TEST(contains(run.out, "Adds two numbers\n"), run.out);
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_tell_is_named_as_such)
{
    const outcome run = run_call(with_shell({"--list"}, R"(read -r line; printf '{"jsonrpc":"2.0","id":1,"error":)"
                                                        R"({"code":-32601,"message":"Method not found"}}\n')"));
    BOOST_TEST(run.code == 1);
    BOOST_TEST(contains(run.err, "rpc.discover"), run.err);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_no_document_is_said_to_be_none)
{
    const outcome run =
        run_call(with_shell({"--list"}, R"(read -r line; printf '{"jsonrpc":"2.0","id":1,"result":{"a":1}}\n')"));
    BOOST_TEST(run.code == 1);
    BOOST_TEST(run.out == "");
    BOOST_TEST(contains(run.err, "no OpenRPC document"), run.err);
    const outcome empty = run_call(
        with_shell({"--list"}, R"(read -r line; printf '{"jsonrpc":"2.0","id":1,"result":{"methods":[]}}\n')"));
    BOOST_TEST(empty.code == 0);
    BOOST_TEST(empty.err == "");
}

// The second line that the server gets is the end in order of --profile lsp.
BOOST_AUTO_TEST_CASE(an_answer_that_is_no_value_is_said_to_be_none_and_the_end_is_in_order)
{
    const outcome run = run_call(with_shell({"--list", "--profile", "lsp", "--framing", "lines"}, R"(
        read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read -r line
        read -r line; echo '{"jsonrpc":"2.0","id":2,"result":{"methods":[],"n":1e999}}'
        read -r line; echo "$line" >&2; echo '{"jsonrpc":"2.0","id":3,"result":null}')"));
    BOOST_TEST(run.code == 1);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err.starts_with("partyline-call: rpc.discover: what is answered can't be read: "), run.err);
    BOOST_TEST(contains(run.err, "1e999"), run.err);
    BOOST_TEST(contains(run.err, "\"method\":\"shutdown\""), run.err);
}

BOOST_AUTO_TEST_CASE(bash_completes_methods_and_options)
{
    const scratch_directory folder;
    const listening_echo server("--unix", folder / "s");
    BOOST_TEST(completed("partyline-call ec --unix " + server.address()) == "echo\n");
    BOOST_TEST(completed("partyline-call ec --unix=" + server.address()) == "echo\n");
    BOOST_TEST(completed("partyline-call --ti") == "--timeout\n");
    BOOST_TEST(contains(completed("partyline-call --"), "--timeout\n"));
    BOOST_TEST(completed("partyline-call --ti -- server") == "--timeout\n");
    BOOST_TEST(completed("partyline-call ec") == "\n"); // no server, no methods
}

BOOST_AUTO_TEST_CASE(bash_completes_what_options_can_be)
{
    BOOST_TEST(completed("partyline-call x --profile m", PARTYLINE_CALL, 3) == "mcp\n");
    BOOST_TEST(completed("partyline-call x --era le", PARTYLINE_CALL, 3) == "legacy\n");
    BOOST_TEST(completed("partyline-call --profile mcp --list re", PARTYLINE_CALL, 4) == "resources\n");
    BOOST_TEST(completed("partyline-call --list re", PARTYLINE_CALL, 2) == "\n");
}

BOOST_AUTO_TEST_CASE(bash_leaves_the_servers_words_alone)
{
    BOOST_TEST(completed("partyline-call add 1 2 -- server --he", PARTYLINE_CALL, 6) == "\n");
    BOOST_TEST(completed("partyline-call add 1 2 --hel", PARTYLINE_CALL, 4) == "--help\n");
}

BOOST_AUTO_TEST_CASE(bash_starts_nothing_and_expands_nothing)
{
    const scratch_directory folder;
    const std::string mark = folder / "mark";
    BOOST_TEST(completed("partyline-call x -- touch " + mark) == "\n");
    // One that lists methods whose names are commands.
    const std::string fake = folder / "partyline-call";
    std::ofstream(fake) << "#!/bin/bash\n"
                        << "[ \"$1\" = --list ] || exec " PARTYLINE_CALL " \"$@\"\n"
                        << "printf '%s\\n' '`touch " << mark << "`(a)' '$(touch " << mark << ")()' 'fine()'\n";
    std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
    BOOST_TEST(completed("partyline-call f --unix x", fake) == "fine\n");
    BOOST_TEST(completed("partyline-call ` --unix x", fake) == "\n");
    BOOST_TEST(!std::filesystem::exists(mark));
}

BOOST_AUTO_TEST_SUITE_END()
