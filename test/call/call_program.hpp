#pragma once

#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace call::test {

using words = std::vector<std::string>;

/// partyline-call as a child process, whose streams can be waited for.
class call_program {
public:
    explicit call_program(const words& command_line);
    /// With a stderr of the test's own.
    call_program(const words& command_line, int error_fd);

    void send(std::string_view input) { partyline::test::write_all(input_.get(), input); }
    void close_input() { input_.reset(); }
    partyline::test::line_reader& output() { return output_; }
    partyline::test::line_reader& errors() { return errors_; }
    /// Waits until one comes that has `part` in it, and returns it.
    std::string wait_error(std::string_view part);
    partyline::test::child_process& child() { return child_; }

private:
    call_program(const words& command_line, partyline::test::pipe_ends in, partyline::test::pipe_ends out,
                 partyline::test::pipe_ends err, int error_fd);

    partyline::test::unique_fd input_;
    partyline::test::line_reader output_;
    partyline::test::line_reader errors_;
    partyline::test::child_process child_;
};

/// What the program said and how it ended.
struct outcome {
    int code;
    std::string out;
    std::string err;
};

/// Runs it to its end.
outcome run_call(const words& command_line, std::string_view input = {});

/// Checks the exit code and all that a run wrote.
void expect(const outcome& run, int code, std::string_view out, std::string_view err);

/// The words that name the sample server, or a shell that plays a server, behind `ours`.
words with_echo(words ours, const words& options = {});
words with_shell(words ours, const std::string& script);

/// partyline-echo that listens, on one address.
class listening_echo {
public:
    /// `option` is --unix or --tcp.
    listening_echo(const std::string& option, const std::string& address, const words& others = {});

    /// What it listens on: the path, or the host and the port.
    const std::string& address() const noexcept { return address_; }

private:
    listening_echo(const words& options, partyline::test::pipe_ends errors);

    partyline::test::unique_fd nothing_;
    partyline::test::line_reader errors_;
    partyline::test::child_process child_;
    std::string address_;
};

} // namespace call::test
