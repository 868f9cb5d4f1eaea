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
/// another scheme, a certificate without its key. A file that can't be read, a server that refuses or is not there are
/// told to `on_disconnected`, and tried again.
///
/// Thread safety: all members from any thread. Movable; destroying it closes.
class PARTYLINE_EXPORT bus {
public:
    /// Connects, soon.
    explicit bus(bus_options options);
    bus(bus&&) noexcept = default;
    bus& operator=(bus&& other) noexcept;
    ~bus();

    /// Whether there is a connection now.
    bool is_connected() const noexcept;
    /// The counters of the bus, as of a moment ago.
    bus_totals counters() const noexcept;
    /// Ends the connection, after what has been published before was handed to the system, for which it waits a second
    /// at most. Fronts and workers that use it go on as if NATS were not there.
    void close() noexcept;

    /// For fronts and workers.
    const std::shared_ptr<bus_core>& core() const noexcept { return core_; }

private:
    std::shared_ptr<bus_core> core_;
};

} // namespace partyline::fleet
