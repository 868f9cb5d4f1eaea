#pragma once

#include <chrono>
#include <cstdint>

namespace partyline {

/// How long a peer may be silent where nobody says otherwise: `session_options::ping_interval`.
inline constexpr std::chrono::seconds usual_ping_interval{30};

/// When a peer that has said nothing for a while is asked whether it is there, and when it is taken for gone.
///
/// Flow: look at `next_look()`, and again at the next one, until `look()` says that it has gone.
/// Thread safety: none.
class liveness_rule {
public:
    using clock = std::chrono::steady_clock;
    enum class peer_condition : std::uint8_t { there, ask, gone };

    /// How long a peer may be silent until it is asked, and then until it has answered. Zero or `duration::max()`: for
    /// ever.
    liveness_rule(clock::duration interval, clock::time_point now) noexcept;

    /// The end of time: there is nothing to look for.
    clock::time_point next_look() const noexcept { return next_; }
    /// `bytes` have come so far, of whatever kind; without `listens` nothing is read now, so that nobody is silent.
    peer_condition look(clock::time_point now, std::uint64_t bytes, bool listens) noexcept;

private:
    clock::duration interval_;
    clock::time_point next_;
    std::uint64_t bytes_ = 0; // at the last look
    bool was_asked_ = false;
};

} // namespace partyline
