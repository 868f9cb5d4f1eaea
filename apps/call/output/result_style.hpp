#pragma once

#include <cstdint>

namespace call {

/// How JSON is printed: as it came, for a program that reads it, or for a person at a terminal.
enum class result_style : std::uint8_t { exact, indented, colored };

enum class color_choice : std::uint8_t { automatic, always, never };

/// The style of an output. `no_color` and `term` are the values of NO_COLOR (see https://no-color.org) and TERM, null
/// where they are not set; who asks for colours on the command line has them in spite of both.
result_style style_of(color_choice wanted, bool is_terminal, const char* no_color, const char* term);

/// That of standard output.
result_style style_of_output(color_choice wanted);

} // namespace call
