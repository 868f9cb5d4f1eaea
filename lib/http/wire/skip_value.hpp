#pragma once

#include "http/wire/characters.hpp"

#include <cstddef>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace partyline::http {

/// The first place from `at` on that can't be within the value of a field, or the end. Values are what heads mostly are
/// made of, and looked at 16 bytes at a time.
inline std::size_t skip_value(std::string_view bytes, std::size_t at) noexcept
{
#ifdef __SSE2__
    constexpr std::size_t block_size = 16;
    for (; bytes.size() - at >= block_size; at += block_size) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
        const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
        const __m128i tabs = _mm_cmpeq_epi8(block, _mm_set1_epi8('\t'));
        const __m128i deletes = _mm_cmpeq_epi8(block, _mm_set1_epi8(0x7f));
        const __m128i ends = _mm_or_si128(_mm_andnot_si128(tabs, controls), deletes);
        if (const auto bits = static_cast<unsigned>(_mm_movemask_epi8(ends)); bits != 0)
            return at + static_cast<std::size_t>(__builtin_ctz(bits));
    }
#endif
    while (at != bytes.size() && is_in(bytes[at], is_value_char))
        ++at;
    return at;
}

} // namespace partyline::http
