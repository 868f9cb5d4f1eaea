#pragma once

#include <sys/types.h>

namespace partyline {

/// Raises the soft limit of open descriptors (RLIMIT_NOFILE) to the hard one, as long as this lives. Processes that are
/// started meanwhile get the limit from before: programs that use select(), or close each number up to the limit, are
/// written for the usual one.
/// Process-wide: a second object does nothing. Thread safety: `restore_in` from any thread.
class raised_descriptor_limit {
public:
    raised_descriptor_limit() noexcept;
    ~raised_descriptor_limit();
    raised_descriptor_limit(const raised_descriptor_limit&) = delete;
    raised_descriptor_limit& operator=(const raised_descriptor_limit&) = delete;

    /// Gives a process that has just been started the limit from before. While its program is loaded it still has the
    /// raised one: posix_spawn has no attribute for limits, and if ours were lowered meanwhile, our other threads would
    /// be refused descriptors.
    static void restore_in(pid_t child) noexcept;

private:
    bool is_raised_ = false;
};

} // namespace partyline
