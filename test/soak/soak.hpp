#pragma once

#include "request_mix.hpp"
#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace partyline::test {

/// A server and a client that keeps it busy, with at most a window of requests outstanding.
class soak {
public:
    soak(const std::string& server, std::size_t window, std::uint64_t seed);

    /// Goes on until that many requests have been answered in all, and nothing is outstanding.
    void run(std::uint64_t requests);
    /// From now on the client asks for much at once now and then, and reads nothing for a while.
    void begin_lags() noexcept { next_lag_ = mix_.answered(); }
    /// Ends the server's input; throws unless it then ends well, without another word.
    void finish();

    const request_mix& client() const noexcept { return mix_; }
    std::size_t resident_bytes() const { return server_.resident_bytes(); }
    std::size_t peak_resident_bytes() const { return server_.peak_resident_bytes(); }

private:
    void lag();
    soak(const std::string& server, std::size_t window, std::uint64_t seed, wire ends);

    request_mix mix_;
    line_handler on_line_;
    unique_fd to_;
    line_reader from_;
    child_process server_;
    std::uint64_t next_lag_ = std::numeric_limits<std::uint64_t>::max();
};

} // namespace partyline::test
