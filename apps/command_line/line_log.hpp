#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace command_line {

/// Writes to standard error what a program says while it serves, and never waits for whoever reads that: what finds no
/// room is kept or dropped, and how much was dropped is told. Whole lines are given without the last one's newline.
void say(std::string_view lines) noexcept;

/// The same for what is no line.
void say_text(std::string_view text) noexcept;

/// Where lines go. Returns why one could not be written; that there was no room for it is no error.
using line_log = std::function<std::error_code(std::string_view line)>;

/// Adds lines to the end of a file, or to standard error for "-", as `say` does. Throws `std::system_error` where the
/// file can't be opened.
line_log open_line_log(const std::string& path);

} // namespace command_line
