#pragma once

#include <partyline/protocol/printable.hpp>

#include <string>
#include <string_view>

namespace call {

/// Text of a server's as one line for a person to read: it commands no terminal, and is cut, since it may be megabytes
/// long.
inline std::string shown_line(std::string_view text)
{
    return partyline::printable(text, 4096);
}

} // namespace call
