#pragma once

#include <partyline/config.hpp>

#include <charconv>
#include <system_error>

namespace partyline {

/// What `read_double` does where std::from_chars reads no floating point, as in libc++ before 20.
PARTYLINE_EXPORT const char* read_double_by_strtod(const char* p, const char* end, double& number);

/// Reads a number in JSON's form as the double that is nearest to it. Returns where the number ends; null where there
/// is none, or where it is beyond a double's range, or so close to zero that zero is nearest.
template <class Double>
const char* read_double(const char* p, const char* end, Double& number)
{
    if constexpr (requires { std::from_chars(p, end, number); }) {
        const std::from_chars_result read = std::from_chars(p, end, number);
        return read.ec == std::errc() ? read.ptr : nullptr;
    } else {
        return read_double_by_strtod(p, end, number);
    }
}

} // namespace partyline
