#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

/// How many tools the server lists, `echo` among them, and how long their list is, about.
inline constexpr std::size_t tool_count = 200;
inline constexpr std::size_t tool_list_bytes = 90000;

/// Computes for as long as `rounds` say, without memory and without what a compiler could see through (Marsaglia's
/// xorshift). The client knows the result by computing it too.
inline std::string work(std::uint32_t rounds, std::uint32_t seed)
{
    std::uint64_t state = seed + std::uint64_t(0x9E3779B97F4A7C15); // never zero, where it would stay
    for (std::uint32_t i = 0; i < rounds; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return std::to_string(state); // as text: past 2^53 not every peer reads numbers exactly
}

} // namespace bench
