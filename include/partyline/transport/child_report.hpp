#pragma once

#include <partyline/config.hpp>
#include <partyline/transport/child_exit.hpp>

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace partyline {

/// Facts about a child process, during its life and after it.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT child_report {
public:
    /// For the library: a process that runs.
    explicit child_report(pid_t pid) noexcept : pid_(pid) {}
    child_report(const child_report&) = delete;
    child_report& operator=(const child_report&) = delete;

    /// The id of the process. When the process has ended, the id is not its own any more: do not send signals to it
    /// then.
    pid_t pid() const noexcept { return pid_; }

    /// The end of the process; unset while it runs.
    std::optional<child_exit> exit() const;

    /// The last lines that it has written to its standard error, when that is captured: 20 of them and 4 KiB at most,
    /// with a newline between them, in valid UTF-8.
    std::string last_stderr_lines() const;

    /// For the library: notes how the process has ended.
    void set_exit(child_exit how);
    /// For the library: notes a line that the process has written, without its newline. The oldest lines are dropped
    /// where there is no room.
    void add_stderr_line(std::string_view line);

private:
    static constexpr std::size_t max_lines = 20;
    static constexpr std::size_t max_bytes = 4096;

    const pid_t pid_;
    mutable std::mutex mutex_;
    std::optional<child_exit> exit_;
    std::deque<std::string> lines_;
    std::size_t size_ = 0; // of the lines, each with its newline
};

} // namespace partyline
