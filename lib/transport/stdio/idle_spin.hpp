#pragma once

#include <algorithm>
#include <chrono>

namespace partyline {

/// Whether to stay awake for a moment where there is nothing to do but to wait for input: to be woken takes longer than
/// many a peer takes for its next request.
///
/// Flow: when a wait begins, `is_wanted()`; then stay awake for as long as `longest`. When it ends in that time, say
/// `on_found()`; else `on_nothing()` then. After a wait, or the rest of one, that was slept through, `on_slept()`.
///
/// Nobody stays awake until so many waits in a row were short enough: more each time that it was an error. It is one
/// where nothing comes, and where most of it does not come in a third of the time that it takes to one that sleeps:
/// then being awake costs more than it saves, as when the peer needs our processor. How long a sleep takes is looked at
/// again now and then.
/// Thread safety: none.
class idle_spin {
public:
    using duration = std::chrono::steady_clock::duration;
    static constexpr std::chrono::microseconds longest{50};

    bool is_wanted() noexcept { return trust_ != 0 && ++waits_ % waits_a_sleep != 0; }
    void on_found(duration waited) noexcept
    {
        if (waited >= slept_ / worth_it)
            return lose(price_of_late);
        trust_ = std::min(trust_ + 1, full_trust);
        if (trust_ == full_trust)
            needed_ = least_needed;
    }
    void on_nothing() noexcept { lose(price_of_nothing); }
    void on_slept(duration waited) noexcept
    {
        const bool is_short = waited <= 2 * longest; // awake, it would have been about half of that
        if (is_short)
            slept_ += (waited - slept_) / 4;
        if (trust_ != 0)
            return;
        missed_ = is_short ? missed_ + 1 : missed_ / 2;
        if (missed_ >= needed_)
            trust_ = first_trust;
    }

private:
    static constexpr int worth_it = 3;
    static constexpr int first_trust = 64;
    static constexpr int full_trust = 128;
    static constexpr int price_of_late = 1;
    static constexpr int price_of_nothing = 64;
    static constexpr int least_needed = 8;
    static constexpr int most_needed = 4096;
    static constexpr unsigned waits_a_sleep = 256;

    void lose(int price) noexcept
    {
        trust_ = std::max(trust_ - price, 0);
        if (trust_ != 0)
            return;
        needed_ = std::min(2 * needed_, most_needed);
        missed_ = 0;
    }

    int trust_ = 0;
    int missed_ = 0; // short sleeps of late
    int needed_ = least_needed;
    unsigned waits_ = 0;
    duration slept_{}; // how long short sleeps are
};

} // namespace partyline
