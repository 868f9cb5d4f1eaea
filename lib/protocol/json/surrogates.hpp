#pragma once

#include <cstddef>
#include <string>

namespace partyline {

/// Four hexadecimal digits; stops at the first byte that is none, and is then above 0xFFFF.
inline unsigned read_hex4(const char* p) noexcept
{
    unsigned value = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned char c = static_cast<unsigned char>(p[i]);
        const unsigned char letter = c | 0x20;
        if (c >= '0' && c <= '9')
            value = value * 16 + (c - '0');
        else if (letter >= 'a' && letter <= 'f')
            value = value * 16 + (letter - 'a' + 10);
        else
            return 0x10000;
    }
    return value;
}

inline bool is_low_surrogate(unsigned unit) noexcept
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}
inline bool is_high_surrogate(unsigned unit) noexcept
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

/// The second half of the pair of which the escape at `p` is the first one, whose half that is; 0 where that stands
/// alone.
inline unsigned other_half(const char* p, unsigned half) noexcept
{
    const unsigned low = is_high_surrogate(half) && p[6] == '\\' && p[7] == 'u' ? read_hex4(p + 8) : 0;
    return is_low_surrogate(low) ? low : 0;
}

/// Replaces each escape of half a pair in JSON text by that of U+FFFD, which is as long.
inline void replace_lone_surrogates(std::string& text)
{
    constexpr std::size_t escape = 6; // \uD83D
    for (std::size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at)) {
        const char* const p = text.data() + at;
        const unsigned unit = p[1] == 'u' ? read_hex4(p + 2) : 0;
        const bool is_half = is_high_surrogate(unit) || is_low_surrogate(unit);
        const bool is_pair = is_half && other_half(p, unit) != 0;
        if (is_half && !is_pair)
            text.replace(at, escape, "\\ufffd");
        at += is_pair ? 2 * escape : 2; // what is left of an escape has no backslash
    }
}

} // namespace partyline
