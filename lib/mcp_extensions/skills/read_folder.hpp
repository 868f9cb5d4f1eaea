#pragma once

#include "mcp_extensions/skills/packed_skill.hpp"

#include <filesystem>

namespace partyline::mcp::skills {

/// Reads the files of a folder and of those below it, but for what has a name that begins with ".". Blocks.
///
/// Throws `std::invalid_argument` for what is neither a file nor a folder, such as a symbolic link, and for more than a
/// skill may have; `boost::system::system_error` for what can't be read. Both name the path.
file_map read_folder(const std::filesystem::path& folder);

} // namespace partyline::mcp::skills
