#pragma once

#include "unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace partyline::test {

/// How long a test waits for an event that should come at once. Sanitizer builds on a busy machine are slow.
inline constexpr std::chrono::milliseconds patience{20'000};

/// What the child finds at descriptors 0, 1 and 2; -1 leaves it closed. Nothing else is open there.
struct child_stdio {
    int in = -1;
    int out = -1;
    int err = -1;
};

/// A program that runs beside the test and does not outlive it. How many threads serve there, where it is one of ours
/// that listens, the environment may say: see `by_test_threads`.
class child_process {
public:
    child_process(const std::string& program, const std::vector<std::string>& arguments, child_stdio stdio);
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const noexcept { return pid_; }
    void signal(int number) const;
    /// The exit code; minus the signal's number when one ended it. Throws when the child still runs after `patience`.
    int wait_exit();
    bool has_exited() { return exits_within(std::chrono::milliseconds(0)); }
    bool exits_within(std::chrono::milliseconds time);
    /// Physical memory that it holds now.
    std::size_t resident_bytes() const;
    /// The most that it has held so far.
    std::size_t peak_resident_bytes() const;
    /// User and system time of its whole life, with that of children it has waited for. Once it has ended.
    std::chrono::nanoseconds total_cpu_time() const noexcept { return total_cpu_time_; }

private:
    pid_t pid_ = -1;
    unique_fd pidfd_;
    std::optional<int> status_;
    std::chrono::nanoseconds total_cpu_time_{};
};

} // namespace partyline::test
