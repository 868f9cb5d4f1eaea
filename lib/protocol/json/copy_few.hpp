#pragma once

#include <cstring>

namespace partyline {

/// Copies fewer than 16 bytes: two copies that may overlap instead of a call for a number of bytes known only here.
inline void copy_few(char* to, const char* from, unsigned count) noexcept
{
    if (count >= 8) {
        std::memcpy(to, from, 8);
        std::memcpy(to + count - 8, from + count - 8, 8);
    } else if (count >= 4) {
        std::memcpy(to, from, 4);
        std::memcpy(to + count - 4, from + count - 4, 4);
    } else if (count != 0) {
        to[0] = from[0];
        to[count / 2] = from[count / 2];
        to[count - 1] = from[count - 1];
    }
}

} // namespace partyline
