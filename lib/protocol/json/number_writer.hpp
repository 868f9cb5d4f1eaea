#pragma once

#include <partyline/protocol/byte_buffer.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace partyline {

/// Appends a number as short as it can be read back from.
template <class Number>
void append_number(byte_buffer& out, Number number)
{
    constexpr std::size_t longest = 32; // of a double: 24
    char* const begin = out.prepare(longest);
    out.commit(static_cast<std::size_t>(std::to_chars(begin, begin + longest, number).ptr - begin));
}

/// The same for a double, which keeps a point where it is integral, so that it is read back as a double. False when it
/// is not finite.
inline bool append_double(byte_buffer& out, double number)
{
    if (!std::isfinite(number))
        return false;
    const std::size_t before = out.size();
    append_number(out, number);
    if (out.view().find_first_of(".e", before) == std::string_view::npos)
        out.append(".0");
    return true;
}

} // namespace partyline
