#pragma once

#include <partyline/transport/document_sender.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace partyline::telemetry {

/// What is to be done after an attempt to export a payload.
enum class export_step : std::uint8_t { go_on, try_again, drop };

struct export_verdict {
    export_step step = export_step::go_on;
    std::chrono::milliseconds delay{}; // of `try_again`
    std::size_t rejected = 0;          // of `go_on`: spans that the collector has not taken
    std::string why = {};              // they were not, or the payload was not; for the log
};

inline constexpr int most_attempts = 3;
/// A collector that wants a longer pause does not get it.
inline constexpr std::chrono::seconds longest_delay{30};

/// Judges by what became of the attempt of this number, from 1 on. `first`: the delay before the second one.
export_verdict judge_export(const document_receipt& got, int attempt, std::chrono::milliseconds first);

} // namespace partyline::telemetry
