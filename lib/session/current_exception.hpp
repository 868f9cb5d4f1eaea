#pragma once

#include <partyline/config.hpp>

#include <string>

namespace partyline {

// About the exception that is being handled, also where it is not derived from std::exception.

/// Its type, demangled.
PARTYLINE_EXPORT std::string current_exception_name();
/// The same, and what it says.
PARTYLINE_EXPORT std::string current_exception_text();

} // namespace partyline
