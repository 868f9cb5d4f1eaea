#pragma once

#include "trial.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bench::http {

/// Opens so many connections, each of which asks once and is idle then, for so long that a server has put away what it
/// has for those that go on.
void open_idle(trial& run, std::size_t count, std::uint64_t seed);

/// Connections that send a head byte by byte, one a second each, so that it never ends. Those that the server closes
/// are opened again.
class slow_connections {
public:
    slow_connections(trial& run, std::size_t count);

    /// Opens those that are not there.
    void fill();
    /// To be called often: sends what is due, a byte at a time, so that none of it comes as a burst.
    void poll();

private:
    using clock = std::chrono::steady_clock;

    client& wire_;
    std::size_t count_;
    std::size_t next_ = 0; // whose turn it is
    std::string begin_;    // of the head
    clock::time_point due_ = clock::now();
};

} // namespace bench::http
