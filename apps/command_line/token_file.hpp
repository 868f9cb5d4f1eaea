#pragma once

#include <string>

namespace command_line {

/// Reads a Bearer token: the first line of a file, or of a pipe, that its owner alone can read. Throws
/// `std::runtime_error` with a text for the user, which never shows what the file holds.
std::string read_token(const std::string& file);

} // namespace command_line
