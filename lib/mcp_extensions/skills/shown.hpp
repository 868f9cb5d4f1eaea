#pragma once

#include <partyline/protocol/printable.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::mcp::skills {

// How errors show text of peers, folders and programs: no more of it than this many bytes, however long it is.

/// A name, a URI or what somebody else's error says.
inline std::string shown(std::string_view text)
{
    constexpr std::size_t longest = 256;
    return printable(text, longest);
}

/// The path of a file or folder, up to what systems have for one.
inline std::string shown_path(std::string_view path)
{
    constexpr std::size_t longest = 4096;
    return printable(path, longest);
}

} // namespace partyline::mcp::skills
