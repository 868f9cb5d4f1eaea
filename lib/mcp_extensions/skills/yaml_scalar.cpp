#include "mcp_extensions/skills/yaml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <system_error>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all)
{
    return std::find(all.begin(), all.end(), text) != all.end();
}

bool is_decimal(char c)
{
    return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text)
{
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_decimal) - text.begin());
}

[[noreturn]] void refuse_number(std::string_view text)
{
    throw std::out_of_range("the number " + std::string(text) + " is too large, or none; a text stands in quotes");
}

// The whole text as an unsigned integer; nothing where it is none.
std::optional<std::uint64_t> read_unsigned(std::string_view digits, int base, std::string_view whole)
{
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (digits.empty() || end != digits.data() + digits.size() || failed == std::errc::invalid_argument)
        return std::nullopt;
    if (failed == std::errc::result_out_of_range)
        refuse_number(whole);
    return number;
}

json::value signed_number(bool is_negative, std::uint64_t magnitude, std::string_view whole)
{
    constexpr auto most = static_cast<std::uint64_t>(INT64_MAX);
    if (!is_negative)
        return magnitude > most ? json::value(magnitude) : json::value(static_cast<std::int64_t>(magnitude));
    if (magnitude > most + 1)
        refuse_number(whole);
    return magnitude == most + 1 ? json::value(INT64_MIN) : json::value(-static_cast<std::int64_t>(magnitude));
}

// [0-9]* ( "." [0-9]* )? with a digit in it, ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text)
{
    const std::size_t front = count_digits(text);
    text.remove_prefix(front);
    std::size_t behind = 0;
    if (text.starts_with('.')) {
        behind = count_digits(text.substr(1));
        text.remove_prefix(1 + behind);
    }
    if (front + behind == 0)
        return false;
    if (text.empty())
        return true;
    if (text.front() != 'e' && text.front() != 'E')
        return false;
    text.remove_prefix(text.size() > 1 && (text[1] == '-' || text[1] == '+') ? 2 : 1);
    return !text.empty() && count_digits(text) == text.size();
}

double read_float(bool is_negative, std::string_view unsigned_text, std::string_view whole)
{
    double number = 0;
    const auto [end, failed] =
        std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), number);
    if (failed != std::errc() || !std::isfinite(number))
        refuse_number(whole);
    return is_negative ? -number : number;
}

} // namespace

json::value resolve_scalar(std::string_view text)
{
    if (is_one_of(text, {"", "~", "null", "Null", "NULL"}))
        return nullptr;
    if (is_one_of(text, {"true", "True", "TRUE"}))
        return true;
    if (is_one_of(text, {"false", "False", "FALSE"}))
        return false;
    if (text.starts_with("0x") || text.starts_with("0o"))
        if (const auto number = read_unsigned(text.substr(2), text[1] == 'x' ? 16 : 8, text))
            return signed_number(false, *number, text);
    const bool has_sign = text.front() == '-' || text.front() == '+';
    const std::string_view number = text.substr(has_sign ? 1 : 0);
    if (!number.empty() && count_digits(number) == number.size())
        return signed_number(text.front() == '-', *read_unsigned(number, 10, text), text);
    if (is_float(number))
        return read_float(text.front() == '-', number, text);
    if (is_one_of(number, {".inf", ".Inf", ".INF"}) || is_one_of(text, {".nan", ".NaN", ".NAN"}))
        refuse_number(text);
    return json::string(text);
}

} // namespace partyline::mcp::skills
