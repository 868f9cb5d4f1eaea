#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace partyline {

/// How long the peer of a socket may leave unread what is written where nobody says otherwise:
/// `session_options::write_stall`.
inline constexpr std::chrono::seconds usual_write_stall{60};

/// Whether a peer that is behind reads fast enough: at least so many bytes in each window, on average.
///
/// Flow: `start()` when something has to wait for the peer, `note()` what it has read in all so far, `is_over()` at the
/// `deadline()`; `end()` when nothing waits any more. The deadline is one window away at first; each byte that is read
/// moves it on by `1/least` of a window, but never to more than a window from now. So a byte now and then is not
/// enough.
/// Thread safety: none.
class write_pace {
public:
    using clock = std::chrono::steady_clock;

    /// A window of zero, or of `duration::max()`: any pace will do. With no bytes at all, any byte buys a window.
    write_pace(clock::duration window, std::size_t least) noexcept;

    bool is_watched() const noexcept { return window_ != clock::duration::max(); }
    bool is_running() const noexcept { return is_running_; }

    void start(clock::time_point now, std::int64_t read) noexcept;
    void note(clock::time_point now, std::int64_t read) noexcept;
    void end() noexcept { is_running_ = false; }

    clock::time_point deadline() const noexcept { return deadline_; }
    bool is_over(clock::time_point now) const noexcept { return is_running_ && now >= deadline_; }

private:
    clock::duration window_;
    std::size_t least_;
    clock::time_point deadline_;
    std::int64_t read_ = 0; // the most that was noted
    bool is_running_ = false;
};

} // namespace partyline
