#pragma once

#include <partyline/transport/child_exit.hpp>

#include <optional>

#include <sys/types.h>

namespace partyline {

/// A child process and the group that it leads: whatever it has started, but for what has left by setsid or setpgid.
/// Knows when the process's number is still its own, so that nobody else is ever sent a signal.
///
/// What is left of the group when the child has ended, its *orphans*, gets a SIGTERM, unless the whole group has had a
/// signal before; a process that is to live on has to leave the group.
/// Thread safety: none.
class process_group {
public:
    process_group() = default;
    explicit process_group(pid_t leader) noexcept : leader_(leader) {}
    process_group(process_group&& other) noexcept;
    process_group& operator=(process_group&&) = delete;
    /// `end_now()`.
    ~process_group();

    pid_t leader() const noexcept { return leader_; }

    /// Sends a signal to all of them, orphans too; not the same one twice.
    void signal(int number) noexcept;
    /// Whether there is something to reap.
    bool has_ended() noexcept;
    /// How the child has ended; reaps it. Unset while it runs.
    std::optional<child_exit> try_reap() noexcept;
    /// Whether the child has been reaped and others of its group are left that SIGKILL has not been sent to.
    bool has_orphans() noexcept;
    /// Kills all of them and reaps the child. False when it takes longer than a tenth of a second: it is so big, or the
    /// kernel holds it.
    bool end_now() noexcept;

private:
    enum class state { running, ended, lost };

    state look() const noexcept;
    bool is_left() const noexcept;

    pid_t leader_ = -1;
    int last_signal_ = 0;
    std::optional<child_exit> exit_;
};

} // namespace partyline
