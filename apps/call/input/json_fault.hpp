#pragma once

#include <string>

namespace call {

/// Where a text that is no JSON stops being it, and what is wrong there: "line 3, column 7: expected ':'". Columns
/// count characters.
std::string json_fault(const std::string& text);

} // namespace call
