#pragma once

#include <chrono>
#include <cstddef>

namespace partyline {

/// Whether reading waits until the peer has taken what is unsent for it: what is read meanwhile would only pile up, and
/// be out of the caches by the time it is sent.
///
/// Flow: `may_read()` before each read while something is unsent. From the first time that it says no reading is held,
/// until little is unsent, `on_read()`, or the `deadline()`: then one read is allowed, since replies and cancels have
/// to come through; where the peer has taken nothing in all that time, all reads are, until it does. `on_written()`
/// says that it has taken something, `note_sent()` how long messages are.
///
/// A peer that writes all it has before it reads would lose a millisecond each time: the more often in a row a hold was
/// in vain, the longer none begins.
///
/// Little is nothing at all while messages are short. Of long ones it is two of the longest of late: with less, the
/// buffers would run empty, and grow anew, with every message.
/// Thread safety: none.
class read_hold {
public:
    using clock = std::chrono::steady_clock;

    bool may_read(std::size_t unsent, clock::time_point now) noexcept;
    bool is_holding() const noexcept { return is_holding_; }
    /// Of what is held.
    clock::time_point deadline() const noexcept { return deadline_; }

    void note_sent(std::size_t longest) noexcept
    {
        if (longest > longest_) [[unlikely]]
            longest_ = longest;
    }
    void on_read(std::size_t count) noexcept;
    void on_written() noexcept;

private:
    void give_up(clock::time_point now) noexcept;
    std::size_t bound() const noexcept;

    std::size_t longest_ = 0; // of the messages sent of late
    clock::time_point deadline_;
    clock::time_point free_until_;
    clock::duration free_time_{}; // after the last hold that was in vain
    bool is_holding_ = false;
    bool has_taken_ = false; // the peer, something, while reading is held
    bool is_free_ = false;
};

} // namespace partyline
