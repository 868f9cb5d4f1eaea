#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace partyline {

/// How far the exponent of a JSON number moves its point to the right. False where that is beyond 32 bits: then the
/// number is zero, or no whole one of 64 bits.
inline bool read_exponent(std::string_view number, std::size_t at, std::ptrdiff_t& shift) noexcept
{
    if (at == number.size())
        return true; // there is none
    number.remove_prefix(at + 1);
    if (number.starts_with('+'))
        number.remove_prefix(1);
    std::int32_t exponent = 0;
    const bool is_read = std::from_chars(number.data(), number.data() + number.size(), exponent).ec == std::errc();
    shift = exponent;
    return is_read;
}

/// What a JSON number stands for, however it is written (`1`, `1.0`, `10e-1`): 0 unless it is a whole number from 1 on,
/// of 64 bits. Any other value is none. Exact, and linear in the text, whatever its exponent.
inline std::uint64_t whole_number(std::string_view text) noexcept
{
    if (text.empty() || text.front() < '0' || text.front() > '9')
        return 0;
    const std::size_t end = std::min(text.find_first_of("eE"), text.size());
    const std::string_view mantissa = text.substr(0, end);
    std::ptrdiff_t left = 0; // of the digits, those that make the whole number
    if (!read_exponent(text, end, left))
        return 0;
    left += static_cast<std::ptrdiff_t>(std::min(mantissa.find('.'), mantissa.size()));
    std::uint64_t number = 0;
    const auto append = [&](char digit) {
        const auto value = static_cast<std::uint64_t>(digit - '0');
        return !__builtin_mul_overflow(number, std::uint64_t(10), &number) &&
               !__builtin_add_overflow(number, value, &number);
    };
    for (const char digit : mantissa) {
        if (digit != '.' && (left-- > 0 ? !append(digit) : digit != '0'))
            return 0;
    }
    for (; number != 0 && left > 0; --left) {
        if (!append('0'))
            return 0;
    }
    return number;
}

} // namespace partyline
