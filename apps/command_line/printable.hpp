#pragma once

#include <string>
#include <string_view>

namespace command_line {

/// Text of a peer's or a user's for a person to read: on one line, and nothing in it commands a terminal. Control
/// characters become `\x1b`, bytes that are not UTF-8 U+FFFD.
std::string printable(std::string_view text);

} // namespace command_line
