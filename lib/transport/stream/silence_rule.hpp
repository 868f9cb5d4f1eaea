#pragma once

#include <partyline/protocol/errc.hpp>

#include <chrono>
#include <cstdint>

namespace partyline {

/// When a peer that says nothing is left: before its first message, and when nothing is to do for it.
///
/// Flow: look at `next_look()`, and again at the next one, until `look()` says with what code the session is to end.
/// What happens between two looks costs nothing, so the end of an idle time is seen up to a quarter of it late.
/// Thread safety: none.
class silence_rule {
public:
    using clock = std::chrono::steady_clock;
    struct sight {
        std::uint64_t messages_in = 0;
        std::uint64_t bytes = 0; // in and out
        /// Something is in flight, either way, or unsent.
        bool is_busy = false;
    };

    /// Zero or `duration::max()`: for ever.
    silence_rule(clock::duration first_message, clock::duration idle, clock::time_point now) noexcept;

    /// The end of time: there is nothing to look for.
    clock::time_point next_look() const noexcept;
    error_code look(clock::time_point now, const sight& seen) noexcept;

private:
    clock::duration interval() const noexcept;

    clock::duration idle_;
    clock::time_point first_message_end_;
    clock::time_point next_idle_look_;
    clock::time_point last_activity_;
    std::uint64_t bytes_ = 0; // at the last look
};

} // namespace partyline
