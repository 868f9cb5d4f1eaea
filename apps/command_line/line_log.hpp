#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace command_line {

/// Writes to standard error what a program says while it serves, and never waits for whoever reads that: what finds no
/// room is kept or dropped, and how much was dropped is told. What would let others in is left out (see `redacted`).
/// Whole lines are given without the last one's newline.
void say(std::string_view lines) noexcept;

/// The same after the name of the program, "partyline-echo: ".
void say_as_program(std::string_view line) noexcept;

/// What `say` does, for what is no line.
void say_text(std::string_view text) noexcept;

/// Has what goes to standard error written by a thread where that is the file of a disk, which may be slow. For
/// programs that serve; after the last `fork`.
void say_by_thread() noexcept;

/// Is told a line at a time, without its newline. Never waits, nor throws.
using line_log = std::function<void(std::string_view line)>;

/// Adds lines to the end of the file that an option names, or to standard error for "-". `tell` is told
/// of the first line that can't be written, "--trace FILE: No space left on device", and at the end of lines that are
/// left. Throws `std::system_error` where the file can't be opened.
line_log open_line_log(const std::string& option, const std::string& path, line_log tell);

/// Opens the files of all logs again by their names: whoever has renamed one gets a new one. All that has been logged
/// is in one of the two, in whole lines. Where that fails it is told with the next line, and what was open stays.
void reopen_line_logs() noexcept;

} // namespace command_line
