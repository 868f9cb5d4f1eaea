#pragma once

#include "async/back_off.hpp"

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace partyline::http {

using partyline::random_part;

/// When a stream of events that has ended is asked for again: as soon as the server has asked for, once; else after a
/// second, twice as long each time up to thirty, each time a random part of that, so that clients whose server was gone
/// don't all come back at once, and no sooner than the server has asked for.
///
/// Flow: `on_event()` for each event that comes, `on_end()` when the stream has ended or could not be had.
class reconnect_rules {
public:
    using milliseconds = std::chrono::milliseconds;
    static constexpr milliseconds first_pause{1'000};
    static constexpr milliseconds longest_pause{30'000};
    static constexpr milliseconds shortest_pause{100};       // also where a server has asked for less
    static constexpr milliseconds longest_asked{5 * 60'000}; // no server is left alone for longer, whatever it says

    static constexpr unsigned usual_tries = 5;
    static constexpr unsigned for_ever = std::numeric_limits<unsigned>::max();

    /// `random` gives numbers from 0 up to 1; `most_tries` are those in a row without an event.
    explicit reconnect_rules(std::function<double()> random, unsigned most_tries = usual_tries)
        : random_(std::move(random)), most_tries_(most_tries)
    {
    }

    void on_event() noexcept
    {
        tries_ = 0;
        pauses_.reset();
    }
    /// How long to wait; empty: it is given up. `least` is what the server has asked for, by `retry` or Retry-After.
    std::optional<milliseconds> on_end(std::optional<milliseconds> least = {});

private:
    std::function<double()> random_;
    unsigned most_tries_;
    unsigned tries_ = 0;
    back_off pauses_{{first_pause, 2, longest_pause, 1}};
};

} // namespace partyline::http
