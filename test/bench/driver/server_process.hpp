#pragma once

#include "support/child_process.hpp"
#include "support/descriptors.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

using partyline::test::unique_fd;

/// What connects a server's standard input and output with this process.
enum class transport { pipes, socket_pair };

/// A server as a child process, which does not outlive this object.
///
/// Not the library's `child_process`: that is a stream, whose own time would be measured with the server's (a call at a
/// time took more than a tenth longer), and hands out neither descriptors nor the CPU time of a process that has ended.
class server_process {
public:
    /// Runs `sh -c "exec COMMAND"` on the cores that this thread runs on.
    server_process(const std::string& command, transport over);

    /// Non-blocking; the first and the last are -1 once closed.
    int input() const noexcept { return input_.get(); }
    int output() const noexcept { return output_.get(); }
    int errors() const noexcept { return errors_.get(); }
    void close_input() noexcept { input_.reset(); }
    /// Takes some of what it has written to its standard error, so that it is never held up by that. Whether there was
    /// anything.
    bool read_errors();
    /// The end of what it has written there.
    std::string_view last_stderr_lines() const noexcept { return last_errors_; }
    /// The same for the report of a failure; the server is killed.
    std::string last_words();

    /// The port that it says it is listening on, which it is waited for: "listening on http://127.0.0.1:8080". Throws
    /// `failure`.
    std::uint16_t wait_for_port(std::chrono::milliseconds patience);

    /// User and system time of all its threads so far. Throws `failure` when there is no such process any more.
    std::chrono::nanoseconds cpu_time() const;
    /// The same with its children and theirs: a gateway may start a server by a shell.
    std::chrono::nanoseconds cpu_time_of_all() const;
    /// Physical memory that it holds, and the most that it has held so far.
    std::size_t resident_bytes() const { return child_.resident_bytes(); }
    std::size_t peak_bytes() const { return child_.peak_resident_bytes(); }

    bool ends_within(std::chrono::milliseconds time) { return child_.exits_within(time); }
    void kill();
    void signal(int number);

    // Once it has ended:

    /// User and system time of its whole life, with that of children it has waited for.
    std::chrono::nanoseconds total_cpu_time() const noexcept { return child_.total_cpu_time(); }
    bool has_ended_well() { return child_.wait_exit() == 0; }
    /// What a shell says when it finds no such program.
    bool was_not_found();
    /// "exit code 3" or "signal 9".
    std::string how_it_ended();

private:
    server_process(const std::string& command, partyline::test::wire ends, partyline::test::pipe_ends errors);

    unique_fd input_;
    unique_fd output_;
    unique_fd errors_;
    partyline::test::child_process child_;
    std::string last_errors_;
};

} // namespace bench
