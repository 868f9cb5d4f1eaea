#pragma once

#include <partyline/fleet/bus.hpp>

#include <memory>

namespace gateway {

/// A connection to a bus that says on standard error whenever it is made or lost.
///
/// Thread safety: all members from any thread.
class watched_bus {
public:
    /// Connects, soon. Throws `std::invalid_argument` for options that make no sense.
    explicit watched_bus(partyline::fleet::bus_options network);

    const partyline::fleet::bus& get() const noexcept { return bus_; }
    /// Whether clients are served well: it is connected, or was a moment ago. Calls wait that long, and a balancer that
    /// finds no process well would refuse them.
    bool is_well() const noexcept;

private:
    struct state;

    std::shared_ptr<state> state_;
    partyline::fleet::bus bus_;
};

} // namespace gateway
