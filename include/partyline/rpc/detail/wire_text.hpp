#pragma once

#include <string_view>

namespace partyline::detail {

/// A name that text may have, or not.
struct wire_text {
    std::string_view text;
    /// Whether it stands for itself in JSON, without escapes.
    bool is_plain;
};

constexpr bool is_plain_text(std::string_view text)
{
    for (const char c : text)
        if (c < 0x20 || c > 0x7e || c == '"' || c == '\\')
            return false;
    return true;
}

} // namespace partyline::detail
