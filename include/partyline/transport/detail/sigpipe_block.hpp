#pragma once

#include <partyline/config.hpp>

#include <csignal>

namespace partyline::detail {

/// Keeps a write to a pipe that nobody reads from raising SIGPIPE: the write fails with `broken_pipe` and that is all.
/// The process's own handling of the signal stays untouched; blocks it in this thread, for the length of a scope.
class PARTYLINE_EXPORT sigpipe_block {
public:
    sigpipe_block() noexcept;
    ~sigpipe_block();
    sigpipe_block(const sigpipe_block&) = delete;
    sigpipe_block& operator=(const sigpipe_block&) = delete;

private:
    sigset_t before_;
    bool was_pending_ = false;
};

} // namespace partyline::detail
