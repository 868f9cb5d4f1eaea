#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace partyline::test {

/// Takes `text` off the front of `line`, if that is how it begins.
inline bool skip(std::string_view& line, std::string_view text)
{
    if (!line.starts_with(text))
        return false;
    line.remove_prefix(text.size());
    return true;
}

/// Takes a number off the front.
template <class Number>
bool read_number(std::string_view& line, Number& number)
{
    const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (failed != std::errc())
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return true;
}

} // namespace partyline::test
