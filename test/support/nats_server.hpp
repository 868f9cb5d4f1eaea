#pragma once

#include "support/child_process.hpp"
#include "support/scratch_directory.hpp"

#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// A nats-server with JetStream on a port of loopback, for one test. What it stores is in a folder of its own, which
/// stays when it is killed.
class nats_server {
public:
    /// `options`: more of its command line.
    explicit nats_server(std::vector<std::string> options = {});

    /// Of the server, also of one that does not run.
    std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
    /// Starts it, and waits until it takes connections.
    void start();
    /// As the system would kill it.
    void kill();
    child_process& process() { return *process_; }

private:
    scratch_directory folder_;
    std::vector<std::string> options_;
    int port_;
    std::unique_ptr<child_process> process_;
};

} // namespace partyline::test
