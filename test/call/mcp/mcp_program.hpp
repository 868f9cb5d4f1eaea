#pragma once

#include "call/call_program.hpp"
#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"

#include <string>
#include <string_view>

namespace call::test {

/// The words that name a server behind `ours`, with --profile mcp.
words with_fixture(words ours, const words& options = {});
words with_tools(words ours, const std::string& root);
/// A server that is played by a shell: it has answered `initialize` (request 1), and goes on by `script`. A line that
/// it reads is one message.
words with_played(words ours, const std::string& script);

/// Runs the program without any terminal.
outcome run_without_terminal(const words& command_line);

/// The program with a terminal as its standard input, at which the test is the user.
class terminal_program {
public:
    explicit terminal_program(const words& command_line);

    /// Waits until the terminal shows `part`, and returns all that it has shown since the last time. Throws when it
    /// does not come.
    std::string wait_shown(std::string_view part);
    void type(std::string_view text);
    /// The program's end: its exit code, and what it has printed.
    outcome wait_end();
    partyline::test::child_process& child() { return child_; }

private:
    terminal_program(const words& command_line, partyline::test::fd_pair terminal, partyline::test::pipe_ends out,
                     partyline::test::unique_fd errors);

    partyline::test::unique_fd terminal_;
    std::string shown_;
    partyline::test::line_reader output_;
    partyline::test::unique_fd errors_;
    partyline::test::child_process child_;
};

} // namespace call::test
