#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace partyline {

/// Both halves of a 128-bit product: every bit of the input reaches every bit of the result.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept
{
    __extension__ using wide = unsigned __int128;
    const wide product = wide(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Up to eight bytes as one number. Two loads that may overlap take the place of a copy byte by byte.
inline std::uint64_t short_word(const char* p, std::size_t size) noexcept
{
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    if (size >= 4) {
        std::memcpy(&first, p, 4);
        std::memcpy(&last, p + size - 4, 4);
    } else if (size != 0) {
        first = static_cast<unsigned char>(p[0]);
        last = static_cast<std::uint32_t>(static_cast<unsigned char>(p[size / 2])) << 8 |
               static_cast<unsigned char>(p[size - 1]);
    }
    return static_cast<std::uint64_t>(first) << 32 | last;
}

/// A hash for ids and names, which are short. Under a secret seed nobody can choose texts that collide.
inline std::size_t hash_text(std::string_view text, std::uint64_t seed) noexcept
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t result = seed ^ (text.size() * odd);
    const char* p = text.data();
    std::size_t left = text.size();
    for (; left > 8; left -= 8, p += 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        result = fold(result ^ word, odd ^ seed);
    }
    return fold(fold(result ^ short_word(p, left), odd ^ seed), odd);
}

} // namespace partyline
