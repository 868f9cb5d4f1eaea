#pragma once

#include "post_mix.hpp"

#include <cstddef>
#include <limits>

namespace partyline::test {

/// What a client does with one connection.
struct client_plan {
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    enum class leaving : std::uint8_t {
        not_early, // when all is answered
        by_close,
        by_reset,
        by_half_close // it sends no more, and reads what still comes
    };

    std::size_t posts = 1;
    /// So many in a row, before the first of them is answered.
    std::size_t pipelined = 1;
    /// Most bytes that are written at once.
    std::size_t piece = never;
    post_mix::connection end = post_mix::connection::stays;
    /// The last answer has no end.
    bool is_endless = false;

    leaving leaves = leaving::not_early;
    /// When so many bytes have been sent, or so many rows of POSTs, or when something has come so many times; whatever
    /// is first.
    std::size_t leaves_after_bytes = never;
    std::size_t leaves_after_rows = never;
    std::size_t leaves_after_reads = never;
};

/// Any plan at all: half of the connections are left early.
client_plan any_plan(post_mix& dice);
/// One that stays until all is answered.
client_plan patient_plan(post_mix& dice);

} // namespace partyline::test
