#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// Whether it is well-formed UTF-8 (RFC 3629): no surrogates, no longer form than needed, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
/// How many code points well-formed UTF-8 has.
std::size_t count_code_points(std::string_view text) noexcept;

/// Takes the code point at the front of well-formed UTF-8 that is not empty.
char32_t take_code_point(std::string_view& text) noexcept;
/// Whether it is a control character, of ASCII (C0, DEL) or behind that (C1).
constexpr bool is_control(char32_t c) noexcept
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

/// With the letters of ASCII in lower case.
std::string lower_case(std::string_view text);

} // namespace partyline::mcp::skills
