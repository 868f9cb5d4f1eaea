#pragma once

#include <cstddef>
#include <utility>

namespace partyline {

class worker;

/// The state of the session's turns. A turn handles what has come and starts what may start; only one is on the stack.
/// In it one worker at a time is loaded with the next request: also from within its own coroutine, when a handler has
/// ended there, but not from within a handler that was resumed from somewhere else.
///
/// Flow: `take()` begins a turn, which lasts as long as its result. Within it, a `turn::serving` exists while workers
/// run, each made known by `set_active()`, and the result of `load()` while one is loaded. Code outside of a turn asks
/// for one by `request()`, which is true only once until that turn has come.
class turn {
public:
    // So many handlers suspend in one turn, then what they wait for comes first, as far as it is due: all of a long
    // read at once would have left the processor's cache by then. Measured: 700 cost twice as much each as 128.
    static constexpr std::size_t max_suspended = 192;

    class scope;
    class serving;

    /// Begins a turn, which lasts as long as the result.
    [[nodiscard]] scope take() noexcept;
    /// A worker is being loaded for as long as the result lives.
    [[nodiscard]] scope load() noexcept;

    /// A turn is on the stack.
    bool is_under_way() const noexcept { return is_taken_ || is_running(); }
    bool is_running() const noexcept { return active_ != nullptr; }
    worker* active() const noexcept { return active_; }
    void set_active(worker* one) noexcept { active_ = one; }

    void note_suspended() noexcept { ++suspended_; }
    /// As many have suspended as may: another turn has to go on.
    bool is_over() const noexcept { return suspended_ >= max_suspended; }

    /// Whether this worker may take a request now.
    bool may_load(const worker& one) const noexcept { return active_ == &one && !is_loading_ && !is_over(); }

    /// True when a turn has to be posted: no worker is active, and no turn is posted yet.
    bool request() noexcept { return !is_running() && !std::exchange(is_posted_, true); }
    /// The one that was posted has come.
    void on_posted() noexcept { is_posted_ = false; }

private:
    worker* active_ = nullptr;  // the one that the turn runs; null when none is on the stack
    std::size_t suspended_ = 0; // in this turn, or the last one
    bool is_taken_ = false;
    bool is_loading_ = false;
    bool is_posted_ = false;
};

/// Sets a flag, and clears it at the end of the scope.
class turn::scope {
public:
    explicit scope(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { flag_ = false; }

private:
    bool& flag_;
};

/// Workers run within this scope, however it is left.
class turn::serving {
public:
    explicit serving(turn& of) noexcept : turn_(of) {}
    serving(const serving&) = delete;
    serving& operator=(const serving&) = delete;
    ~serving() { turn_.active_ = nullptr; }

private:
    turn& turn_;
};

inline turn::scope turn::take() noexcept
{
    suspended_ = 0;
    return scope(is_taken_);
}

inline turn::scope turn::load() noexcept
{
    return scope(is_loading_);
}

} // namespace partyline
