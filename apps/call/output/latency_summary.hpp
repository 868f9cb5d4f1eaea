#pragma once

#include "call/duration.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace call {

/// What many equal calls took.
class latency_summary {
public:
    void add_result(duration latency) { answered_.push_back(latency); }
    void add_error_reply(duration latency);
    /// One that failed here, by its time or with the transport: it has no latency.
    void add_failure() { ++failures_; }

    /// Two lines; the second one is missing when nothing was answered. `total` is the time that all of them took.
    std::string to_text(duration total) const;

private:
    std::vector<duration> answered_;
    std::size_t error_replies_ = 0;
    std::size_t failures_ = 0;
};

} // namespace call
