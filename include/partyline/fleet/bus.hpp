#pragma once

#include <partyline/config.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

class bus_core;

/// Where NATS is, and how a program shows who it is.
struct bus_options {
    /// The servers of one cluster: "nats://host:port", "tls://host:port". One is taken at random, then the others. With
    /// "tls://" in one of them all connections are encrypted. The port is 4222 unless it stands there.
    std::vector<std::string> servers = {"nats://127.0.0.1:4222"};
    /// What the servers call this client in their monitoring.
    std::string name = "partyline";
    /// A file of NATS credentials: a JWT and a seed. Empty: none. (A user and a password may stand in the addresses:
    /// "nats://user:password@host".)
    std::string credentials_file = {};
    /// The certificates (PEM) that vouch for the servers. Empty: those of the system.
    std::string ca_file = {};
    /// The certificate and the key (PEM) that are shown to the servers. Both or none.
    std::string certificate_file = {};
    /// The key of that certificate.
    std::string key_file = {};
    /// Told when there is a connection. These three are called by threads of the bus, one at a time, and not after its
    /// end; they must not throw. Empty: nobody is told.
    std::function<void()> on_connected = {};
    /// Told when the connection is lost, or could not be had, with the reason in one line; not twice in a row of the same
    /// reason.
    std::function<void(std::string_view why)> on_disconnected = {};
    /// Told what NATS has refused meanwhile, such as a subject that this user may not use.
    std::function<void(std::string_view what)> on_problem = {};
};

/// A connection to NATS with JetStream, for fronts and workers: see front.hpp and worker.hpp. It connects in a thread
/// of its own from the start on, and again when the connection is lost, for ever; the pause between attempts grows to
/// two seconds. What fronts and workers say while there is no connection is dropped: each of them says it again.
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
    /// Ends the connection, after what has been published before was handed to the system, for which it waits a second
    /// at most. Fronts and workers that use it go on as if NATS were not there.
    void close() noexcept;

    /// For fronts and workers.
    const std::shared_ptr<bus_core>& core() const noexcept { return core_; }

private:
    std::shared_ptr<bus_core> core_;
};

} // namespace partyline::fleet
