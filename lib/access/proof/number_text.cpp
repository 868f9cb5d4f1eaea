#include "access/proof/number_text.hpp"

#include "protocol/json/read_double.hpp"
#include "protocol/message/whole_number.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace partyline::access {
namespace {

/// A positive double as 0.DIGITS times ten to the power of `point`, with as few digits as tell it from all others.
struct decimal {
    char digits[17];
    std::size_t count = 0;
    int point = 0;

    std::string_view text(std::size_t from = 0) const noexcept { return {digits + from, count - from}; }
};

decimal decimal_of(double number) noexcept
{
    char text[32]; // "1.7976931348623157e+308"
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr;
    decimal found;
    const char* p = text;
    for (; *p != 'e'; ++p)
        if (*p != '.')
            found.digits[found.count++] = *p;
    ++p;
    std::from_chars(*p == '+' ? p + 1 : p, end, found.point);
    ++found.point;
    return found;
}

void append_zeros(byte_buffer& out, std::size_t count)
{
    out.append(std::string_view("000000000000000000000").substr(0, count));
}

// Number::toString of ECMAScript (ECMA-262 §6.1.6.1.20), whose n is the point.
void append_decimal(byte_buffer& out, const decimal& number)
{
    const auto point = static_cast<std::size_t>(number.point < 0 ? -number.point : number.point);
    if (number.point > 0 && number.point <= 21) {
        out.append(number.text().substr(0, point));
        if (number.count <= point)
            return append_zeros(out, point - number.count);
        out.push_back('.');
        out.append(number.text(point));
    } else if (number.point > -6 && number.point <= 0) {
        out.append("0.");
        append_zeros(out, point);
        out.append(number.text());
    } else {
        out.push_back(number.digits[0]);
        if (number.count > 1)
            out.push_back('.');
        out.append(number.text(1));
        char exponent[8];
        const int shift = number.point - 1;
        const auto end = std::to_chars(exponent, exponent + sizeof exponent, shift < 0 ? -shift : shift).ptr;
        out.append(shift < 0 ? "e-" : "e+");
        out.append({exponent, static_cast<std::size_t>(end - exponent)});
    }
}

// Readers may take it for a whole number of 64 bits, of which a double would have another one.
bool is_lost(std::uint64_t whole, double value) noexcept
{
    constexpr double beyond = 18446744073709551616.0; // 2^64
    return whole != 0 && (value >= beyond || static_cast<std::uint64_t>(value) != whole);
}

} // namespace

bool append_canonical_number(byte_buffer& out, std::string_view number, bool is_integer)
{
    const bool is_negative = number.starts_with('-');
    number.remove_prefix(is_negative ? 1 : 0);
    const std::uint64_t whole = whole_number(number);
    double value = 0;
    if (!read_double(number.data(), number.data() + number.size(), value) || is_lost(whole, value))
        return false;
    if (value == 0) {
        out.push_back('0'); // -0, too
        return true;
    }
    if (is_negative)
        out.push_back('-');
    const std::size_t begin = out.size();
    append_decimal(out, decimal_of(value));
    const bool has_more_digits = is_integer && whole == 0; // beyond 64 bits, which readers may keep all the same
    return !has_more_digits || out.view().substr(begin) == number;
}

} // namespace partyline::access
