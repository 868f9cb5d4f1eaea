#pragma once

namespace partyline::access {

/// The lower case of a letter of ASCII; all else as it is, whatever the locale.
constexpr char ascii_lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace partyline::access
