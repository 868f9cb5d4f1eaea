#include "call_program.hpp"

#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <utility>

#include <fcntl.h>

namespace call::test {

using namespace partyline::test;

namespace {

words joined(words first, const words& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace

call_program::call_program(const words& command_line)
    : call_program(command_line, make_pipe(), make_pipe(), make_pipe(), -1)
{
}

call_program::call_program(const words& command_line, int error_fd)
    : call_program(command_line, make_pipe(), make_pipe(), make_pipe(), error_fd)
{
}

call_program::call_program(const words& command_line, pipe_ends in, pipe_ends out, pipe_ends err, int error_fd)
    : input_(std::move(in.write)), output_(std::move(out.read)), errors_(std::move(err.read)),
      child_(PARTYLINE_CALL, command_line, {in.read.get(), out.write.get(), error_fd < 0 ? err.write.get() : error_fd})
{
    // What the program was given is closed here: it would never see an end else.
}

std::string call_program::wait_error(std::string_view part)
{
    while (std::optional<std::string> line = errors_.read_line()) {
        if (contains(*line, part))
            return std::move(*line);
    }
    throw std::runtime_error("standard error ended without '" + std::string(part) + "'");
}

outcome run_call(const words& command_line, std::string_view input)
{
    const unique_fd errors = make_memory_file();
    call_program program(command_line, errors.get());
    program.send(input);
    program.close_input();
    std::string out = program.output().read_rest();
    const int code = program.child().wait_exit();
    return {code, std::move(out), read_whole(errors.get())};
}

void expect(const outcome& run, int code, std::string_view out, std::string_view err)
{
    BOOST_TEST(run.code == code);
    BOOST_TEST(run.out == out);
    BOOST_TEST(run.err == err);
}

words with_echo(words ours, const words& options)
{
    ours.insert(ours.end(), {"--", PARTYLINE_ECHO});
    return joined(std::move(ours), options);
}

words with_shell(words ours, const std::string& script)
{
    ours.insert(ours.end(), {"--", "/bin/sh", "-c", script});
    return ours;
}

listening_echo::listening_echo(const std::string& option, const std::string& address, const words& others)
    : listening_echo(joined({option, address}, others), make_pipe())
{
}

listening_echo::listening_echo(const words& options, pipe_ends errors)
    : nothing_(open_file("/dev/null", O_RDWR)), errors_(std::move(errors.read)),
      child_(PARTYLINE_ECHO, options, {nothing_.get(), nothing_.get(), errors.write.get()})
{
    errors.write.reset();
    const std::string line = errors_.read_line().value_or("");
    address_ = line.substr(line.find_last_of(' ') + 1);
}

} // namespace call::test
