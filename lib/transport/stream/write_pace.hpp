#pragma once

#include <partyline/transport/detail/byte_stream.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace partyline {

/// How long the peer may leave unread what is written where nobody says otherwise: `session_options::write_stall`. A
/// child process has longer than the peer of a socket, since a debugger may have stopped it; zero is for ever.
inline std::chrono::seconds usual_write_stall(const detail::byte_stream& of) noexcept
{
    const bool is_child = of.explains_end(); // only what is a process can tell how it has ended
    return of.is_socket() ? std::chrono::seconds(60) : std::chrono::minutes(is_child ? 5 : 0);
}

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
