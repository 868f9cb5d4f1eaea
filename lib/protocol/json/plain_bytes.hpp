#pragma once

#include "protocol/json/byte_block.hpp"

#include <cstddef>

// What the scanner and the writer share: most of a JSON string is plain, and plain bytes are skipped 16 at a time.

namespace partyline {

inline constexpr std::ptrdiff_t plain_block = sizeof(byte_block);

/// Whether a byte stands for itself in a JSON string and needs no look at its neighbours: not a quote, a backslash, a
/// control character or a part of a longer UTF-8 sequence.
inline bool is_plain(char c) noexcept
{
    return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; // bytes from 0x80 are negative
}

/// The bytes that are not plain.
inline block_matches special_bytes(byte_block block) noexcept
{
    return block_matches((block == '"') | (block == '\\') | (block < 0x20)); // signed: takes the bytes from 0x80 along
}

/// The first byte from `p` on that is not plain. There is one at `end` or before it.
inline const char* skip_plain(const char* p, const char* end) noexcept
{
    for (; end - p >= plain_block; p += plain_block)
        if (const block_matches special = special_bytes(load_block(p)))
            return p + special.first();
    while (is_plain(*p))
        ++p;
    return p;
}

inline block_matches line_breaks(byte_block block) noexcept
{
    return block_matches((block == '\n') | (block == '\r'));
}

/// The first line break from `p` on, or `end`.
inline char* skip_to_break(char* p, char* end) noexcept
{
    const bool is_long = end - p >= plain_block;
    for (; end - p >= plain_block; p += plain_block)
        if (const block_matches breaks = line_breaks(load_block(p)))
            return p + breaks.first();
    if (is_long && !line_breaks(load_block(end - plain_block))) // looks at some bytes twice
        return end;
    while (p != end && *p != '\n' && *p != '\r')
        ++p;
    return p;
}

} // namespace partyline
