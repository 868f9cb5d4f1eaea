#pragma once

#include "telemetry/outcome.hpp"

#include <partyline/session/served_event.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>

namespace partyline::telemetry {

/// The families that have series for each method.
struct method_families {
    prometheus::Family<prometheus::Counter>& requests;
    prometheus::Family<prometheus::Histogram>& durations;
};

/// The numbers of one method. They are counted here, and the series of prometheus-cpp raised when somebody reads them:
/// its histogram locks a mutex for each observation, at which the sessions of several threads would wait for each
/// other, and a series that begins allocates. Counting takes 20 ns.
/// Thread safety: `note` from any thread; `publish` by one at a time.
class method_series {
public:
    static constexpr std::size_t buckets = 12;

    explicit method_series(std::string_view name) noexcept : name_(name) {}

    void note(const served_event& event) noexcept;
    /// Raises the series of the families to what has been counted. A series begins with what it first counts.
    void publish(const method_families& in);

private:
    // What has been counted, and how much of that the families have.
    struct number {
        std::atomic<std::uint64_t> counted = 0;
        std::uint64_t published = 0;

        bool has_new() const noexcept { return counted.load(std::memory_order_relaxed) != published; }
        std::uint64_t take_new() noexcept;
    };

    void observe(std::chrono::steady_clock::duration took) noexcept;
    void publish_durations(prometheus::Histogram& to);

    const std::string_view name_; // lives longer
    std::array<number, served_outcomes> outcomes_;
    std::array<number, buckets + 1> durations_; // the last one is beyond all bounds
    number nanoseconds_;
};

} // namespace partyline::telemetry
