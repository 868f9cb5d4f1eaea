#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

/// The addresses of NATS, and the credentials of the program.
struct bus_options {
    /// The servers of one cluster: "nats://host:port", "tls://host:port". One is taken at random, then the others. With
    /// "tls://" in one of them all connections are encrypted. The port is 4222 unless the address has one.
    std::vector<std::string> servers = {"nats://127.0.0.1:4222"};
    /// The name of this client in the servers' monitoring.
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
    /// Called when the connection is established. These three are called by threads of the bus, one at a time, and not
    /// after its end; they must not throw, and should return soon, since nothing is sent meanwhile. The three functions
    /// may use the bus; but within them `close()`, and the destruction of the bus, wait the whole second without
    /// effect. Empty: not called.
    std::function<void()> on_connected = {};
    /// Called when the connection is lost, or could not be established, with the reason in one line; not twice in a row
    /// with the same reason.
    std::function<void(std::string_view why)> on_disconnected = {};
    /// Called with each refusal of NATS while connected, such as a subject that this user may not use.
    std::function<void(std::string_view what)> on_problem = {};
};

} // namespace partyline::fleet
