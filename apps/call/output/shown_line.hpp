#pragma once

#include <partyline/protocol/printable.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace call {

/// Text of a server's as one line for a person to read: it commands no terminal, and is cut, since it may be megabytes
/// long.
inline std::string shown_line(std::string_view text)
{
    return partyline::printable(text, 4096);
}

/// Such text in lines, each behind `indent`: what it says, up to a hundred lines.
std::string shown_lines(std::string_view text, std::string_view indent);

/// All of a text that commands no terminal; its line breaks and tabs stay.
std::string shown_text(std::string_view text);

} // namespace call
