#pragma once

#include <cstddef>

namespace partyline {

class worker;

/// Who drives. A turn of the session handles what has come and starts what may start, and only one is on the stack. In it
/// one worker at a time is loaded with the next request: also from within its own coroutine, when a handler has ended there,
/// but not from within a handler that was resumed from somewhere else.
///
/// Flow: `begin()`, `set_active()` each worker, `end()`. What happens outside of a turn asks for one: it is posted once for
/// all that happens in one turn of the executor.
class turn {
public:
    // So many handlers suspend in one turn, then what they wait for comes first, as far as it is due: all of a long read at
    // once would have left the processor's cache by then. Measured: 700 cost twice as much each as 128.
    static constexpr std::size_t max_suspended = 192;

    bool is_running() const noexcept { return active_ != nullptr; }
    void begin() noexcept { suspended_ = 0; }
    worker* active() const noexcept { return active_; }
    void set_active(worker* one) noexcept { active_ = one; }

    void note_suspended() noexcept { ++suspended_; }
    /// As many have suspended as may: another turn has to go on.
    bool is_over() const noexcept { return suspended_ >= max_suspended; }

    /// Whether this worker may take a request now.
    bool may_load(const worker& one) const noexcept { return active_ == &one && !is_loading_ && !is_over(); }
    void set_loading(bool is_loading) noexcept { is_loading_ = is_loading; }

    bool is_posted() const noexcept { return is_posted_; }
    void set_posted(bool is_posted) noexcept { is_posted_ = is_posted; }

private:
    worker* active_ = nullptr; // the one that the turn runs; null when none is on the stack
    std::size_t suspended_ = 0; // in this turn, or the last one
    bool is_loading_ = false;
    bool is_posted_ = false;
};

} // namespace partyline
