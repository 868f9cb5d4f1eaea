#pragma once

#include "bench/driver/server_process.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace bench::http {

/// A server that listens on a port, which it tells on its standard error: "listening on http://127.0.0.1:8080".
class listening_server {
public:
    /// Starts it and waits until it has said where. Throws `failure`.
    listening_server(const std::string& command, std::chrono::milliseconds patience);

    std::uint16_t port() const noexcept { return port_; }
    server_process& process() noexcept { return process_; }
    /// Ends it by a signal, as such servers end.
    void end(std::chrono::milliseconds patience);

private:
    void wait_for_errors(std::chrono::milliseconds time);

    server_process process_;
    std::uint16_t port_ = 0;
};

} // namespace bench::http
