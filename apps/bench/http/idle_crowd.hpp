#pragma once

#include "bench/http/trial.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bench::http {

/// Opens so many connections, each of which asks once and is idle then.
void open_idle(trial& run, std::size_t count, std::uint64_t seed);

/// Connections that send a head byte by byte, one a second, so that it never ends. Those that the server closes are
/// opened again.
class slow_crowd {
public:
    slow_crowd(trial& run, std::size_t count);

    /// To be called often: sends what is due.
    void turn();

private:
    using clock = std::chrono::steady_clock;

    client& wire_;
    std::size_t count_;
    std::string begin_; // of the head
    clock::time_point due_ = clock::now();
};

} // namespace bench::http
