#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::detail {

/// What a peer sent is repeated to it, but not megabytes of it.
inline constexpr std::size_t max_shown_bytes = 64;

/// "a, b, c"
template <class Texts>
std::string joined(const Texts& texts)
{
    std::string all;
    for (bool is_first = true; const auto& text : texts) {
        all.append(is_first ? "" : ", ").append(text);
        is_first = false;
    }
    return all;
}

/// "1 parameter", "2 parameters"
inline std::string counted(std::size_t count, std::string_view what)
{
    return std::to_string(count).append(" ").append(what).append(count == 1 ? "" : "s");
}

/// As short as it can be read back from.
template <class Number>
std::string number_text(Number number)
{
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

} // namespace partyline::detail
