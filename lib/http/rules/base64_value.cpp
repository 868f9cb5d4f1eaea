#include "http/rules/base64_value.hpp"

#include <cstdint>

namespace partyline::http {
namespace {

constexpr std::string_view prefix = "=?base64?";
constexpr std::string_view suffix = "?=";

int digit_value(char c) noexcept
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t found = digits.find(c);
    return found == digits.npos ? -1 : static_cast<int>(found);
}

// With all its padding, and no bits besides (RFC 4648 §4).
std::optional<std::string> decode(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text.substr(0, text.size() - padding)) {
        const int digit = digit_value(c);
        if (digit < 0)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.push_back(static_cast<char>(bits >> count & 0xff));
        }
    }
    if ((bits & ((1u << count) - 1)) != 0)
        return std::nullopt;
    return out;
}

} // namespace

std::optional<std::string> decode_field_value(std::string_view value)
{
    const bool is_encoded =
        value.size() >= prefix.size() + suffix.size() && value.starts_with(prefix) && value.ends_with(suffix);
    if (!is_encoded)
        return std::string(value);
    return decode(value.substr(prefix.size(), value.size() - prefix.size() - suffix.size()));
}

} // namespace partyline::http
