// Standard output that is closed or full, and a trace that is.

#include "call_program.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

using namespace call::test;
using namespace partyline::test;

namespace {

// Runs it with this as its standard output; -1: closed.
outcome run_into(int output, const words& command_line)
{
    const unique_fd errors = make_memory_file();
    const unique_fd nothing = open_file("/dev/null", O_RDONLY);
    child_process program(PARTYLINE_CALL, command_line, {nothing.get(), output, errors.get()});
    const int code = program.wait_exit();
    return {code, {}, read_whole(errors.get())};
}

void expect_complaint(const outcome& run)
{
    BOOST_TEST(run.code == 3);
    BOOST_TEST(run.err == "partyline-call: cannot write to standard output\n");
}

} // namespace

BOOST_AUTO_TEST_SUITE(output, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_result_that_can_not_be_written_is_trouble)
{
    const unique_fd full = open_file("/dev/full", O_WRONLY);
    expect_complaint(run_into(full.get(), with_echo({"echo"})));
    expect_complaint(run_into(-1, with_echo({"echo", "[12345]"})));
}

BOOST_AUTO_TEST_CASE(so_is_help_that_can_not_be_written)
{
    const unique_fd full = open_file("/dev/full", O_WRONLY);
    for (const char* const wanted : {"--help", "--version", "--completion"}) {
        expect_complaint(run_into(full.get(), {wanted}));
        expect_complaint(run_into(-1, {wanted}));
    }
}

BOOST_AUTO_TEST_CASE(a_trace_that_can_not_be_written_is_told_once_and_costs_no_result)
{
    const outcome run = run_call(with_echo({"--calls", "-", "--trace", "/dev/full"}),
                                 "{\"method\":\"echo\",\"params\":[1]}\n{\"method\":\"echo\",\"params\":[2]}\n");
    BOOST_TEST(run.code == 0);
    BOOST_TEST(count_of(run.out, "\n") == 2);
    BOOST_TEST(run.err == "partyline-call: --trace /dev/full: No space left on device\n"
                          "partyline-call: --trace /dev/full: lines that could not be written: 4\n");
}

BOOST_AUTO_TEST_SUITE_END()
