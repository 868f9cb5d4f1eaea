#include "mcp/wire/percent_encoding.hpp"

#include <cstddef>

namespace partyline::mcp {
namespace {

bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int hexadecimal_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The byte that the three characters at `at` stand for, or -1.
int encoded_byte(std::string_view text, std::size_t at)
{
    if (text.size() - at < 3)
        return -1;
    const int high = hexadecimal_digit(text[at + 1]);
    const int low = hexadecimal_digit(text[at + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void append_encoded(std::string& out, char c)
{
    constexpr char digits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
}

} // namespace

bool is_unreserved(char c) noexcept
{
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

bool is_reserved(char c) noexcept
{
    return std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos;
}

std::optional<std::string> percent_decode(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] != '%') {
            decoded.push_back(text[i]);
            continue;
        }
        const int byte = encoded_byte(text, i);
        if (byte < 0)
            return std::nullopt;
        decoded.push_back(static_cast<char>(byte));
        i += 2;
    }
    return decoded;
}

std::string percent_encode(std::string_view text, kept_characters kept)
{
    std::string encoded;
    for (const char c : text) {
        if (is_unreserved(c) || (kept == kept_characters::unreserved_and_reserved && is_reserved(c)))
            encoded.push_back(c);
        else
            append_encoded(encoded, c);
    }
    return encoded;
}

} // namespace partyline::mcp
