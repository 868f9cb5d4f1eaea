#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// The text of a plain scalar of one or several lines: a break is a space, of several one less are breaks.
std::string fold_lines(std::string_view text);
/// The text that stands in quotes, which are at either end of `quoted`. Throws `std::invalid_argument` for an escape
/// sequence that YAML does not have.
std::string unquote(std::string_view quoted);

} // namespace partyline::mcp::skills
