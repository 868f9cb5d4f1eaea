#pragma once

#include <sys/types.h>

namespace partyline {

/// Raises the soft limit of open descriptors (RLIMIT_NOFILE) to one less than the hard one, as long as this lives.
/// Processes that are started meanwhile get the limit from before: programs that use select(), or close each number up
/// to the limit, are written for the usual one. It is one less so that the limit of a program that has raised its own
/// to the hard one, as Node.js and Go do when they start, is not taken for ours.
/// Process-wide: a second object does nothing. Thread safety: `restore_in` from any thread.
class raised_descriptor_limit {
public:
    raised_descriptor_limit() noexcept;
    ~raised_descriptor_limit();
    raised_descriptor_limit(const raised_descriptor_limit&) = delete;
    raised_descriptor_limit& operator=(const raised_descriptor_limit&) = delete;

    /// Gives a process that has just been started the limit from before, unless it has set another one. While its
    /// program is loaded it still has the raised one: posix_spawn has no attribute for limits, and if ours were lowered
    /// meanwhile, our other threads would be refused descriptors. A program that asks for its limit in its first
    /// moments may see the raised one; it has the one from before afterwards, also if the raised one was enough for it.
    static void restore_in(pid_t child) noexcept;

private:
    bool is_raised_ = false;
};

} // namespace partyline
