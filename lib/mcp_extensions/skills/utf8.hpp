#pragma once

#include <cstddef>
#include <string_view>

namespace partyline::mcp::skills {

/// Whether it is well-formed UTF-8 (RFC 3629): no surrogates, no longer form than needed, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;
/// How many code points well-formed UTF-8 has.
std::size_t count_code_points(std::string_view text) noexcept;

} // namespace partyline::mcp::skills
