#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <optional>
#include <string>

namespace partyline {

/// The end of a child process.
class PARTYLINE_EXPORT child_exit {
public:
    /// An end of unknown kind: other code has taken the status (a program that ignores SIGCHLD, or waits for every
    /// child that it has).
    child_exit() = default;

    /// An exit by itself with this status, of which the system keeps eight bits.
    static child_exit with_status(int status) noexcept { return child_exit(status & 255); }
    /// An end by the signal of this number.
    static child_exit by_signal(int signal) noexcept { return child_exit(first_signal + signal); }

    /// Whether it has exited by itself with status 0.
    bool is_success() const noexcept { return value_ == 0; }
    /// The exit status, when it exited by itself.
    std::optional<int> status() const noexcept;
    /// The signal that ended it, when one did.
    std::optional<int> signal() const noexcept;

    /// The code that unanswered calls fail with: the status, or 256 and the signal's number, or -1, in
    /// `child_exit_category()`. Always a failure, also with status 0.
    error_code code() const noexcept;
    /// "the server exited with status 3", "the server was ended by signal 9 (Killed)".
    std::string message() const { return code().message(); }

    friend bool operator==(const child_exit&, const child_exit&) = default;

private:
    static constexpr int first_signal = 256;

    explicit child_exit(int value) noexcept : value_(value) {}

    int value_ = -1;
};

/// The category of `child_exit::code()`.
PARTYLINE_EXPORT const boost::system::error_category& child_exit_category() noexcept;

} // namespace partyline
