#pragma once

#include "result_style.hpp"

#include <iosfwd>
#include <string_view>

namespace call {

/// Writes JSON text, which has come in a message and so is valid, without a line break behind it. `indented` and
/// `colored`: an element or a member a line, numbers and strings in their own text, but for what would command the
/// terminal or hide what stands there, which becomes JSON's escapes as by `printable`. What is nested deeper than 20
/// stands on one line, so that indentation can't make much of little. Takes linear time and little memory.
void write_json(std::ostream& out, std::string_view json, result_style style);

} // namespace call
