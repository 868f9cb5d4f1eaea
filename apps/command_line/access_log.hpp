#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace command_line {

/// Writes lines to the end of a file, or to standard error for "-". Throws `std::runtime_error` where it can't be opened.
std::function<void(std::string_view)> make_access_log(const std::string& path);

} // namespace command_line
