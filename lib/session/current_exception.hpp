#pragma once

#include <string>

namespace partyline {

// About the exception that is being handled, also where it is not derived from std::exception.

/// Its type, demangled.
std::string current_exception_name();
/// The same, and what it says.
std::string current_exception_text();

} // namespace partyline
