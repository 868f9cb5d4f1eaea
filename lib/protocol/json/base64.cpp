#include "protocol/json/base64.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace partyline {
namespace {

constexpr std::string_view standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view for_urls = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

using digit_values = std::array<std::uint8_t, 256>;
constexpr std::uint8_t no_digit = 0xFF;

constexpr digit_values values_of(std::string_view alphabet)
{
    digit_values values = {};
    values.fill(no_digit);
    for (std::size_t i = 0; i != alphabet.size(); ++i)
        values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return values;
}

constexpr digit_values standard_values = values_of(standard);
constexpr digit_values for_urls_values = values_of(for_urls);

std::uint32_t byte_at(std::string_view bytes, std::size_t i)
{
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
}

std::string encode(std::string_view bytes, std::string_view alphabet)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t bits = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        const std::size_t digits = bytes.size() - i < 3 ? bytes.size() - i + 1 : 4;
        for (std::size_t digit = 0; digit != digits; ++digit)
            text.push_back(alphabet[bits >> (18 - 6 * digit) & 63]);
    }
    return text;
}

// A last group of two digits is one byte, of three digits two bytes; one digit alone is none.
std::optional<std::string> decode(std::string_view text, const digit_values& values)
{
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned count = 0; // of the bits that are no whole byte yet
    for (const char c : text) {
        const std::uint8_t value = values[static_cast<unsigned char>(c)];
        if (value == no_digit)
            return std::nullopt;
        bits = (bits << 6 | value) & 0xFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<char>(bits >> count & 0xFF));
        }
    }
    if ((bits & ((1u << count) - 1)) != 0)
        return std::nullopt;
    return bytes;
}

} // namespace

std::string encode_base64(std::string_view bytes)
{
    std::string text = encode(bytes, standard);
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

std::optional<std::string> decode_base64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    for (int padding = 0; padding != 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    return decode(text, standard_values);
}

std::string encode_base64url(std::string_view bytes)
{
    return encode(bytes, for_urls);
}

std::optional<std::string> decode_base64url(std::string_view text)
{
    return decode(text, for_urls_values);
}

} // namespace partyline
