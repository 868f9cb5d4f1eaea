#pragma once

#include "http/wire/characters.hpp"
#include "protocol/json/byte_block.hpp"

#include <cstddef>
#include <string_view>

namespace partyline::http {

/// The first place from `at` on that can't be within the value of a field, or the end. Values are what heads mostly are
/// made of, and looked at 16 bytes at a time.
inline std::size_t skip_value(std::string_view bytes, std::size_t at) noexcept
{
    for (; bytes.size() - at >= sizeof(byte_block); at += sizeof(byte_block)) {
        const byte_block block = load_block(bytes.data() + at);
        const auto is_control = reinterpret_cast<byte_block>(reinterpret_cast<unsigned_block>(block) <= 0x1f);
        if (const block_matches ends((is_control & (block != '\t')) | (block == 0x7f)); ends)
            return at + ends.first();
    }
    while (at != bytes.size() && is_in(bytes[at], is_value_char))
        ++at;
    return at;
}

} // namespace partyline::http
