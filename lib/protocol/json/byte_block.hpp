#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__) && !defined(__AARCH64EB__)
#define PARTYLINE_HAS_NEON
#include <arm_neon.h>
#endif

// Text is searched 16 bytes at a time. The comparisons are the compiler's, for any processor; only how the result
// becomes an integer is not the same everywhere.

namespace partyline {

/// 16 bytes. A comparison gives -1 for each byte that it holds for, 0 for the others.
using byte_block [[gnu::vector_size(16)]] = signed char;

/// 16 bytes, compared as numbers from 0 to 255.
using unsigned_block [[gnu::vector_size(16)]] = unsigned char;

inline byte_block load_block(const char* p) noexcept
{
    byte_block bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/// Four bits for each byte that a comparison holds for, by shifts: for processors that have nothing better.
inline std::uint64_t shifted_match_bits(byte_block compared) noexcept
{
    std::uint64_t bits = 0;
    for (unsigned i = 0; i != sizeof compared; ++i)
        bits |= static_cast<std::uint64_t>(compared[i] & 1) << i * 4;
    return bits;
}

/// The bytes of a block that a comparison holds for.
class block_matches {
public:
    explicit block_matches(byte_block compared) noexcept : bits_(bits_of(compared)) {}

    explicit operator bool() const noexcept { return bits_ != 0; }

    /// The first one's place, from 0 to 15. There has to be one.
    unsigned first() const noexcept { return static_cast<unsigned>(std::countr_zero(bits_)) / bits_of_byte; }

    /// Counts the byte at `place` among them.
    void add(unsigned place) noexcept { bits_ |= word(1) << place * bits_of_byte; }

private:
#if defined(__SSE2__)
    using word = std::uint32_t;
    static constexpr unsigned bits_of_byte = 1;

    static word bits_of(byte_block compared) noexcept
    {
        return static_cast<word>(_mm_movemask_epi8(reinterpret_cast<__m128i>(compared)));
    }
#else
    using word = std::uint64_t;
    static constexpr unsigned bits_of_byte = 4;

    static word bits_of(byte_block compared) noexcept
    {
#ifdef PARTYLINE_HAS_NEON
        const uint8x8_t halved = vshrn_n_u16(reinterpret_cast<uint16x8_t>(compared), 4);
        return vget_lane_u64(vreinterpret_u64_u8(halved), 0);
#else
        return shifted_match_bits(compared);
#endif
    }
#endif

    word bits_;
};

} // namespace partyline
