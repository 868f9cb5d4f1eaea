#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tools {

/// A tool could not do what it was asked for. The text is for whoever asked: it names what was given, and says why.
class tool_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws one that says `what`, and the text of `error`, an errno.
[[noreturn]] void throw_failure(const std::string& what, int error);

/// Text of a caller, in quotes, on one line and not too long.
std::string in_quotes(std::string_view text);

} // namespace tools
