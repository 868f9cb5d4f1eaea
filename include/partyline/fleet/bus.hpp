#pragma once

#include <partyline/config.hpp>
#include <partyline/fleet/bus_options.hpp>
#include <partyline/fleet/totals.hpp>

#include <memory>

namespace partyline::fleet {

class bus_core;

/// A connection to NATS with JetStream, for fronts and workers: see front.hpp and worker.hpp. The bus connects in a
/// thread of its own from the start on, and again when the connection is lost, for ever; the pause between attempts
/// grows to two seconds. Messages that fronts and workers send while there is no connection are dropped: the senders
/// send them again.
///
/// No function of the bus, of a front or of a worker waits for NATS.
///
/// Process-wide: the first connection opens libnats, which starts threads that live as long as the process. The bus
/// keeps it from changing how the process takes SIGPIPE.
///
/// Errors: the constructor throws `std::invalid_argument` for options that make no sense: no server, an address of
/// another scheme, a certificate without its key. A file that can't be read, and a server that refuses or can't be
/// reached, are reported to `on_disconnected`, and the connection is tried again.
///
/// Thread safety: all members from any thread. Movable; destroying it closes.
class PARTYLINE_EXPORT bus {
public:
    /// Begins to connect, without waiting.
    explicit bus(bus_options options);
    bus(bus&&) noexcept = default;
    bus& operator=(bus&& other) noexcept;
    ~bus();

    /// Whether there is a connection now.
    bool is_connected() const noexcept;
    /// The counters of the bus, as of a moment ago.
    bus_totals counters() const noexcept;
    /// Ends the connection when earlier messages have been handed to the system; waits a second at most for that.
    /// Fronts and workers that use the bus go on as if NATS could not be reached.
    void close() noexcept;

    /// For fronts and workers.
    const std::shared_ptr<bus_core>& core() const noexcept { return core_; }

private:
    std::shared_ptr<bus_core> core_;
};

} // namespace partyline::fleet
