#pragma once

#include <string>
#include <string_view>

namespace tools {

/// The URI of an absolute path: "file:///a%20b". RFC 8089; any bytes may stand in a path.
std::string file_uri(std::string_view path);

/// The path of such a URI. Throws tool_error when it is none: it has another scheme or a host, or names no absolute path.
std::string path_of_uri(std::string_view uri);

} // namespace tools
