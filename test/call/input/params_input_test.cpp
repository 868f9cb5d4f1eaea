// Params from words, from files and from standard input, in the program itself.

#include "call/call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <utility>

#include <fcntl.h>

using namespace call::test;
using partyline::test::contains;
using partyline::test::make_memory_file;
using partyline::test::read_whole;
using partyline::test::scratch_directory;
using partyline::test::unique_fd;
using partyline::test::write_file;

namespace {

const std::string mark = "\xEF\xBB\xBF"; // of the byte order, as some editors write it

void expect_refusal(const outcome& run, std::string_view said)
{
    BOOST_TEST(run.code == 2);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err == "partyline-call: " + std::string(said) + "\nTry 'partyline-call --help'.\n");
}

} // namespace

BOOST_AUTO_TEST_SUITE(params_input, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(words_are_params_by_position_or_by_name)
{
    const std::pair<words, const char*> rows[] = {
        {{"add", "2", "40"}, "42\n"},
        {{"add", "-2", "-40", "--timeout", "30s"}, "-42\n"},
        {{"add", "a=2", "b=-40"}, "-38\n"},
        {{"echo", "hello", "\"2\"", "1.0", "[1]"}, "[\"hello\",\"2\",1.0,[1]]\n"},
    };
    for (const auto& [call, result] : rows) {
        const outcome run = run_call(with_echo(call));
        BOOST_TEST(run.code == 0);
        BOOST_TEST(run.out == result);
        BOOST_TEST(run.err == "");
    }
}

BOOST_AUTO_TEST_CASE(a_file_or_standard_input_has_the_params)
{
    const scratch_directory scratch;
    const std::string file = (scratch / "params").string();
    write_file(file, "{\n  \"a\": 2,\n  \"b\": 40\n}\n");
    BOOST_TEST(run_call(with_echo({"add", "@" + file})).out == "42\n");
    BOOST_TEST(run_call(with_echo({"add", "a=1", "b=@-"}), " 2 \n").out == "3\n");
    BOOST_TEST(run_call(with_echo({"add", "a=1", "b=@-"}), mark + "2").out == "3\n");
    BOOST_TEST(run_call(with_echo({"echo", "1", "@-"}), mark + "text").out == "[1,\"" + mark + "text\"]\n");
    BOOST_TEST(run_call(with_echo({"add", "-"}), mark + "[2, 40]").out == "42\n");
    BOOST_TEST(run_call(with_echo({"add", "-"}), "[2,\n 40]").out == "42\n");
    BOOST_TEST(run_call(with_echo({"echo", "-"}), "[1.0]").out == "[1.0]\n");
    BOOST_TEST(run_call(with_echo({"echo", "-", "--repeat", "5"}), "[1]").code == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_has_no_params_is_named_with_what_is_wrong)
{
    const scratch_directory scratch;
    const std::string file = (scratch / "params").string();
    expect_refusal(run_call(with_echo({"add", "@" + file})), "cannot read " + file + ": No such file or directory");
    expect_refusal(run_call(with_echo({"add", "@/tmp"})), "cannot read /tmp: Is a directory");
    expect_refusal(run_call(with_echo({"add", "a=@/tmp"})), "cannot read /tmp: Is a directory");
    write_file(file, "{\n  \"a\": 2,\n  \"b\" 40\n}\n");
    expect_refusal(run_call(with_echo({"add", "@" + file})), file + " is not JSON: line 3, column 7: expected ':'");
    write_file(file, "2\n");
    expect_refusal(run_call(with_echo({"add", "@" + file})),
                   file + " holds no params: expected a JSON array or object");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_too_long_is_not_read_to_its_end)
{
    const scratch_directory scratch;
    const std::string file = (scratch / "params").string();
    write_file(file, "[1]");
    std::filesystem::resize_file(file, 100'000'000);
    expect_refusal(run_call(with_echo({"add", "@" + file})),
                   file + " is longer than 16777216 bytes, which --max-message-bytes allows");
    expect_refusal(run_call(with_echo({"add", "@/dev/zero", "--max-message-bytes", "1000"})), // it has no end
                   "/dev/zero is longer than 1000 bytes, which --max-message-bytes allows");
}

BOOST_AUTO_TEST_CASE(standard_input_may_have_nothing_or_be_closed_and_is_read_once)
{
    expect_refusal(run_call(with_echo({"echo", "-"})), "standard input is not JSON: line 1, column 1: unexpected end");
    expect_refusal(run_call(with_echo({"echo", "a=@-", "b=@-"}), "1"), "standard input can be read only once");

    const unique_fd nothing = partyline::test::open_file("/dev/null", O_WRONLY);
    for (const words& call : {words{"echo", "-"}, words{"--calls", "-"}}) {
        const unique_fd errors = make_memory_file();
        partyline::test::child_process program(PARTYLINE_CALL, with_echo(call), {-1, nothing.get(), errors.get()});
        BOOST_TEST(program.wait_exit() == 2);
        BOOST_TEST(contains(read_whole(errors.get()), "cannot read standard input: Bad file descriptor"));
    }
}

BOOST_AUTO_TEST_CASE(standard_input_that_does_not_block_is_waited_for)
{
    partyline::test::pipe_ends input = partyline::test::make_pipe();
    partyline::test::set_nonblocking(input.read.get());
    const unique_fd out = make_memory_file();
    const unique_fd errors = make_memory_file();
    partyline::test::child_process program(PARTYLINE_CALL, with_echo({"echo", "-"}),
                                           {input.read.get(), out.get(), errors.get()});
    input.read.reset();
    partyline::test::write_all(input.write.get(), "[");
    BOOST_TEST(!program.exits_within(std::chrono::milliseconds(200)));
    partyline::test::write_all(input.write.get(), "1]");
    input.write.reset();
    BOOST_TEST(program.wait_exit() == 0);
    BOOST_TEST(read_whole(out.get()) == "[1]\n");
    BOOST_TEST(read_whole(errors.get()) == "");
}

BOOST_AUTO_TEST_SUITE_END()
