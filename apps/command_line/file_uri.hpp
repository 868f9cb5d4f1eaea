#pragma once

#include <string>
#include <string_view>

namespace command_line {

/// The URI of an absolute path: "file:///a%20b". RFC 8089; any bytes may stand in a path.
std::string file_uri(std::string_view path);

} // namespace command_line
