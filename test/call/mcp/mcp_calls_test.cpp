// Tools, resources, prompts and methods of the protocol.

#include "mcp_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>

#include <fcntl.h>

using namespace call::test;
using namespace partyline::test;

namespace {

// What a terminal shows as the result.
std::string shown_result(const words& call)
{
    fd_pair terminal = make_raw_terminal();
    const unique_fd nothing = open_file("/dev/null", O_RDWR);
    words line{"-u", "NO_COLOR", "TERM=dumb", PARTYLINE_CALL};
    line.insert(line.end(), call.begin(), call.end());
    child_process program("/usr/bin/env", line, {nothing.get(), terminal.theirs.get(), nothing.get()});
    terminal.theirs.reset();
    std::string text = line_reader(std::move(terminal.ours)).read_rest();
    BOOST_TEST(program.wait_exit() == 0);
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_calls, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_tools_text_is_printed_in_both_eras)
{
    for (const char* const era : {"auto", "legacy", "modern"})
        expect(run_call(with_fixture({"echo", "message=hi", "--era", era})), 0, "hi\n", "");
    expect(run_call(with_fixture({"test_multiple_content_types"})), 0,
           "Multiple content types test:\n[image image/png]\n{\"test\":\"data\",\"value\":123}\n", "");
}

BOOST_AUTO_TEST_CASE(json_is_the_result_as_it_came)
{
    expect(run_call(with_fixture({"echo", "message=hi", "--json", "--era", "legacy"})), 0,
           "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}\n", "");
}

BOOST_AUTO_TEST_CASE(a_structured_result_is_json)
{
    const scratch_directory root;
    write_file(root / "a.txt", "one\ntwo\n");
    const outcome run = run_call(with_tools({"read_lines", "file=a.txt"}, root / ""));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out.starts_with("{\"file\":\"a.txt\","), run.out);
    const std::string shown = shown_result(with_tools({"read_lines", "file=a.txt"}, root / ""));
    BOOST_TEST(shown.starts_with("{\n  \"file\": \"a.txt\",\n"), shown);
}

BOOST_AUTO_TEST_CASE(a_tool_that_fails_is_no_success)
{
    const std::string text = "This tool intentionally returns an error for testing";
    expect(run_call(with_fixture({"test_error_handling"})), 1, "", text + '\n');
    const outcome json = run_call(with_fixture({"test_error_handling", "--json", "--era", "legacy"}));
    expect(json, 1, R"({"content":[{"type":"text","text":")" + text + "\"}],\"isError\":true}\n", "");
    expect(run_call(with_played({"x"}, R"(read -r line
        say '{"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}}'; read -r line)")),
           1, "", "the tool has failed, and does not say why\n");
}

BOOST_AUTO_TEST_CASE(a_resource_is_its_text_or_its_bytes)
{
    expect(run_call(with_fixture({"--read", "test://static-text"})), 0,
           "This is the content of the static text resource.", "");
    BOOST_TEST(run_call(with_fixture({"--read", "test://static-binary"})).out.starts_with("\x89PNG\r\n"));
    const std::string shown = shown_result(with_fixture({"--read", "test://static-binary"}));
    BOOST_TEST(shown.starts_with("[test://static-binary image/png "), shown);
    const outcome none = run_call(with_fixture({"--read", "test://none"}));
    BOOST_TEST(none.code == 1);
    BOOST_TEST(contains(none.err, "Resource not found"), none.err);
}

BOOST_AUTO_TEST_CASE(a_prompt_is_what_is_said)
{
    expect(run_call(with_fixture({"--prompt", "test_prompt_with_arguments", "arg1=1.10", "arg2=b"})), 0,
           "user: Prompt with arguments: arg1='1.10', arg2='b'\n", "");
}

BOOST_AUTO_TEST_CASE(methods_of_the_protocol_can_be_called)
{
    expect(run_call(with_fixture({"--request", "ping", "--era", "legacy"})), 0, "{}\n", "");
    const outcome run = run_call(with_fixture({"--request", "tools/call", R"({"name":"test_error_handling"})"}));
    BOOST_TEST(run.code == 1); // a tool that fails, however it is called
    BOOST_TEST(contains(run.out, "\"isError\":true"), run.out);
}

BOOST_AUTO_TEST_CASE(progress_and_logs_are_shown)
{
    expect(run_call(with_fixture({"test_tool_with_progress"})), 0, "Tool with progress executed successfully\n",
           "progress 0%: Completed step 0 of 100\nprogress 50%: Completed step 50 of 100\n"
           "progress 100%: Completed step 100 of 100\n");
    const std::string logs =
        "log info: Tool execution started\nlog info: Tool processing data\nlog info: Tool execution completed\n";
    for (const char* const era : {"legacy", "modern"}) {
        words call{"test_tool_with_logging", "--show-notifications", "--era", era};
        expect(run_call(with_fixture(call)), 0, "Tool with logging executed successfully\n", logs);
        call.insert(call.end(), {"--log-level", "error"});
        expect(run_call(with_fixture(call)), 0, "Tool with logging executed successfully\n", "");
    }
}

BOOST_AUTO_TEST_CASE(folders_are_told_as_roots)
{
    const scratch_directory folder;
    std::filesystem::create_directory(folder / "a b");
    expect(run_call(with_fixture({"test_input_required_result_list_roots", "--root", folder / "a b"})), 0,
           "1 roots: a b (file://" + std::filesystem::canonical(folder / "").string() + "/a%20b)\n", "");
    const outcome none = run_call(with_fixture({"x", "--root", folder / "none"}));
    BOOST_TEST(none.code == 2);
    BOOST_TEST(contains(none.err, "is no folder"), none.err);
}

BOOST_AUTO_TEST_CASE(calls_of_a_file_are_calls_of_tools)
{
    const outcome run = run_call(with_fixture({"--calls", "-", "--era", "legacy"}),
                                 "{\"method\":\"echo\",\"params\":{\"message\":\"a\"}}\n"
                                 "{\"method\":\"test_error_handling\",\"id\":\"e\"}\n");
    BOOST_TEST(run.code == 1);
    BOOST_TEST(run.err == "");
    BOOST_TEST(contains(run.out, R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}]}})"),
               run.out);
    BOOST_TEST(contains(run.out, R"({"jsonrpc":"2.0","id":"e","result":)"), run.out);
    expect(run_call(with_fixture({"--calls", "-"}), "{\"method\":\"echo\",\"params\":[1]}\n"), 2, "",
           "partyline-call: 1: the params of a tool have names: name=value ..., or a JSON object\n");
}

BOOST_AUTO_TEST_CASE(repeated_calls_are_measured_and_tools_that_fail_counted)
{
    const outcome run = run_call(with_fixture({"echo", "message=hi", "--repeat", "50", "--concurrency", "5"}));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(contains(run.err, " 0 errors"), run.err);
    const outcome failing = run_call(with_fixture({"test_error_handling", "--repeat", "3"}));
    BOOST_TEST(failing.code == 1);
    BOOST_TEST(contains(failing.err, " 3 errors"), failing.err);
}

BOOST_AUTO_TEST_CASE(a_terminal_is_not_commanded_and_a_pipe_gets_the_text_as_it_is)
{
    const words call = with_played({"x"}, R"(read -r line
        say '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"a\tb\u001b[2J"}]}}'; read -r line)");
    BOOST_TEST(run_call(call).out == "a\tb\x1b[2J\n");
    BOOST_TEST(shown_result(call) == "a\tb\\u001b[2J\n");
    const outcome run = run_call(with_played({"x"}, R"(read -r line
        say '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"\u001b[2J"}}'
        say '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"\u001b[1m\nb"}],"isError":true}}'
        read -r line)"));
    expect(run, 1, "", "log error: \\u001b[2J\n\\u001b[1m\nb\n");
}

BOOST_AUTO_TEST_SUITE_END()
