#include "http/rules/base64_value.hpp"

#include <algorithm>
#include <cstdint>

namespace partyline::http {
namespace {

constexpr std::string_view prefix = "=?base64?";
constexpr std::string_view suffix = "?=";

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int digit_value(char c) noexcept
{
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

std::string encode(std::string_view bytes)
{
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t three = 0;
        for (std::size_t k = 0; k != 3; ++k)
            three = three << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k != 4; ++k)
            out.push_back(k <= count ? digits[three >> (18 - 6 * k) & 63] : '=');
    }
    return out;
}

} // namespace

std::string encode_field_value(std::string_view text)
{
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
    const bool has_outer_blank = text.starts_with(' ') || text.ends_with(' ');
    if (is_plain && !has_outer_blank && !text.starts_with(prefix))
        return std::string(text);
    return std::string(prefix).append(encode(text)).append(suffix);
}

std::optional<std::string> decode_field_value(std::string_view value)
{
    const bool is_encoded =
        value.size() >= prefix.size() + suffix.size() && value.starts_with(prefix) && value.ends_with(suffix);
    if (!is_encoded)
        return std::string(value);
    return decode(value.substr(prefix.size(), value.size() - prefix.size() - suffix.size()));
}

} // namespace partyline::http
