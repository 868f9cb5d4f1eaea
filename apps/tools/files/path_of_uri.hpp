#pragma once

#include <string>
#include <string_view>

namespace tools {

/// The path that `command_line::file_uri` makes a URI of. Throws tool_error when `uri` is none of a file here: it has
/// another scheme or a host, or names no absolute path.
std::string path_of_uri(std::string_view uri);

} // namespace tools
