#pragma once

#include <cstddef>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// What the scanner and the writer share: most of a JSON string is plain, and plain bytes are skipped 16 at a time.

namespace partyline {

/// Whether a byte stands for itself in a JSON string and needs no look at its neighbours: not a quote, a backslash, a
/// control character or a part of a longer UTF-8 sequence.
inline bool is_plain(char c) noexcept
{
    return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; // bytes from 0x80 are negative
}

#ifdef __SSE2__
inline constexpr std::ptrdiff_t plain_block = 16;

/// One bit for each of the 16 bytes that is not plain.
inline unsigned special_bits(__m128i block) noexcept
{
    const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    const __m128i low = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20)); // signed: takes the bytes from 0x80 along
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), low)));
}

inline __m128i load_block(const char* p) noexcept
{
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
#endif

/// The first byte from `p` on that is not plain. There is one at `end` or before it.
inline const char* skip_plain(const char* p, [[maybe_unused]] const char* end) noexcept
{
#ifdef __SSE2__
    for (; end - p >= plain_block; p += plain_block)
        if (const unsigned bits = special_bits(load_block(p)))
            return p + __builtin_ctz(bits);
#endif
    while (is_plain(*p))
        ++p;
    return p;
}

#ifdef __SSE2__
/// One bit for each of the 16 bytes that is a line break.
inline unsigned break_bits(__m128i block) noexcept
{
    const __m128i feed = _mm_cmpeq_epi8(block, _mm_set1_epi8('\n'));
    const __m128i carriage = _mm_cmpeq_epi8(block, _mm_set1_epi8('\r'));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(feed, carriage)));
}
#endif

/// The first line break from `p` on, or `end`.
inline char* skip_to_break(char* p, char* end) noexcept
{
#ifdef __SSE2__
    const bool is_long = end - p >= plain_block;
    for (; end - p >= plain_block; p += plain_block)
        if (const unsigned bits = break_bits(load_block(p)))
            return p + __builtin_ctz(bits);
    if (is_long && break_bits(load_block(end - plain_block)) == 0) // looks at some bytes twice
        return end;
#endif
    while (p != end && *p != '\n' && *p != '\r')
        ++p;
    return p;
}

} // namespace partyline
