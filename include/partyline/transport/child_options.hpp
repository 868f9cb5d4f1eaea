#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

/// The treatment of a child process's standard error.
enum class child_stderr {
    pass_on, ///< it goes where ours goes
    capture, ///< the last lines are kept, see `child_report`, and passed to `child_options::on_stderr_line`
    drop,    ///< /dev/null
};

/// The kind of a child process's standard input and output.
enum class child_channel {
    pipes,       ///< as in a shell
    socket_pair, ///< one Unix socket, as some hosts give to their servers; it can't be opened again as /dev/stdin
};

/// The options of a child process: its start, and the time for its end.
///
///     partyline::child_options options;
///     options.errors = partyline::child_stderr::capture;
///     options.on_stderr_line = [](std::string_view line) { show(line); };
///     options.variables["LANG"] = "C.UTF-8";
///     options.exit_wait = 5s;
///     partyline::session client(partyline::child_process(executor, {"server", "--flag"}, std::move(options)));
struct child_options {
    /// The variables of our environment that it inherits, by name; unset: all of them. An empty list and `variables`
    /// make an environment that owes nothing to ours.
    std::optional<std::vector<std::string>> inherited_variables = {};
    /// Variables that are added to those, or replace them.
    std::map<std::string, std::string> variables = {};

    /// The working directory; empty: that of this process.
    std::string working_directory = {};

    /// The kind of its standard input and output.
    child_channel channel = child_channel::pipes;
    /// The treatment of its standard error.
    child_stderr errors = child_stderr::pass_on;

    /// Called, with `capture`, with every line as it comes, without its newline; a longer one than `max_stderr_line` is
    /// cut. Called on the stream's executor, one call at a time, in a strand of its own. Must not throw.
    std::function<void(std::string_view line)> on_stderr_line = {};
    /// The most bytes of a line, without the newline.
    static constexpr std::size_t max_stderr_line = 1000;

    // The largest duration means never, a negative one at once.

    /// The time from the end of its standard input until SIGTERM is sent.
    std::chrono::steady_clock::duration exit_wait = std::chrono::seconds(2);
    /// The time from SIGTERM until SIGKILL, which is also sent to processes that it has left in its group.
    std::chrono::steady_clock::duration term_wait = std::chrono::seconds(2);
};

} // namespace partyline
