#pragma once

#include <string>
#include <string_view>

namespace command_line {

/// The line of --version: the program's version, that of the Boost it was compiled with, and that of the OpenSSL it
/// runs with.
std::string version_line(std::string_view program);

} // namespace command_line
