#pragma once

#include <optional>

#include <sys/types.h>

namespace tools {

/// How a command has ended: one of both is set, unless somebody else took its status.
struct command_end {
    std::optional<int> exit_code = {};
    std::optional<int> signal = {};
};

/// A process that we have started, and the group that it leads. The group's number is its own until the process has
/// been reaped: so that is the last thing that is done, and nobody else is ever sent a signal.
///
/// Thread safety: none.
class command_group {
public:
    /// None, which has ended.
    command_group() = default;
    explicit command_group(pid_t leader) noexcept : leader_(leader) {}
    command_group(command_group&& other) noexcept;
    command_group& operator=(command_group&& other) noexcept;
    /// Kills all of it.
    ~command_group();

    /// Whether the process that leads it has ended.
    bool has_ended() const noexcept { return look() != state::running; }
    /// Sends a signal to all of it, unless it has been reaped.
    void signal(int number) noexcept;
    /// How the process has ended; from here on there is no group. Empty while it runs.
    command_end reap() noexcept;

private:
    enum class state { running, ended, lost };

    state look() const noexcept;

    pid_t leader_ = -1;
};

} // namespace tools
