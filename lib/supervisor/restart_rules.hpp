#pragma once

#include "async/back_off.hpp"
#include "session/due_time.hpp"

#include <partyline/config.hpp>
#include <partyline/supervisor_options.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace partyline {

/// How a child has ended, as far as that decides about the next one.
enum class child_outcome : std::uint8_t {
    success,     ///< by itself, with exit status 0
    failure,     ///< in any other way
    not_started, ///< it could not be started, and as things are it can't be
};

/// Decides whether and when a child is started again.
///
/// Flow: `on_start()`, perhaps `on_ready()`, `on_end()`, which says what comes next; and again.
/// Times are the caller's, and so is chance: it asks no clock.
class PARTYLINE_EXPORT restart_rules {
public:
    enum class next_step : std::uint8_t {
        again,     ///< start another one after `delay`
        over,      ///< none is wanted after this end
        too_often, ///< there were `max_starts` in the window
        hopeless,  ///< it has never been possible to start one
    };
    struct decision {
        next_step what = next_step::again;
        steady_duration delay = steady_duration::zero();
    };

    explicit restart_rules(const restart_policy& policy) noexcept;

    void on_start(steady_time now);
    void on_ready(steady_time now) noexcept { ready_ = now; }
    /// `chance` is a random number from 0 up to, but not including, 1.
    decision on_end(steady_time now, child_outcome how, double chance);
    /// How many starts it keeps to count with.
    std::size_t kept_starts() const noexcept { return starts_.size(); }

private:
    bool is_too_often(steady_time next_start) const noexcept;

    restart_policy policy_;
    std::deque<steady_time> starts_; // the last `max_starts` within the window
    std::optional<steady_time> ready_;
    back_off delays_;
    bool has_ever_started_ = false;
};

} // namespace partyline
