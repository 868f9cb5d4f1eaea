#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace partyline {

/// What `read_double` does where std::from_chars reads no floating point, as in libc++ before 20.
bool read_double_by_strtod(std::string_view text, double& number);

/// Reads all of a number in JSON's form as the double that is nearest to it. False where that is beyond a double's
/// range, or so close to zero that zero is nearest.
template <class Double>
bool read_double(std::string_view text, Double& number)
{
    if constexpr (requires(const char* p) { std::from_chars(p, p, number); })
        return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
    else
        return read_double_by_strtod(text, number);
}

} // namespace partyline
