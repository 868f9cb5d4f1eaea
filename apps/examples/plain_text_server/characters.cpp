#include "characters.hpp"

namespace plain_text {
namespace {

struct code_range {
    char32_t first;
    char32_t last;
};

constexpr code_range punctuation[] = {
    {0x21, 0x2F},     {0x3A, 0x40},     {0x5B, 0x60},     {0x7B, 0x7E}, // ASCII
    {0xA1, 0xBF},                                                       // signs of Latin-1
    {0x2010, 0x2027}, {0x2030, 0x205E},                                 // dashes, quotation marks, the ellipsis
    {0x3001, 0x3003}, {0x3008, 0x3011}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},
};

// How many bytes the character has that begins so; 0: none does.
std::size_t length_of(unsigned char lead) noexcept
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

} // namespace

character read_character(std::string_view text, std::size_t at) noexcept
{
    constexpr character invalid{0xFFFD, 1};
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = length_of(lead);
    if (bytes == 1)
        return {lead, 1};
    if (bytes == 0 || bytes > text.size() - at)
        return invalid;
    char32_t code = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xC0) != 0x80)
            return invalid;
        code = code << 6 | (next & 0x3Fu);
    }
    return {code, bytes};
}

std::size_t count_units(std::string_view text) noexcept
{
    std::size_t units = 0;
    for (std::size_t at = 0; at < text.size();) {
        const character next = read_character(text, at);
        units += next.units();
        at += next.bytes;
    }
    return units;
}

std::size_t byte_of_unit(std::string_view line, std::size_t units) noexcept
{
    std::size_t at = 0;
    for (std::size_t passed = 0; at < line.size();) {
        const character next = read_character(line, at);
        passed += next.units();
        if (passed > units)
            break;
        at += next.bytes;
    }
    return at;
}

bool is_blank(char32_t code) noexcept
{
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0xA0 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x3000;
}

bool is_punctuation(char32_t code) noexcept
{
    for (const code_range& range : punctuation) {
        if (code >= range.first && code <= range.last)
            return true;
    }
    return false;
}

bool is_letter(char32_t code) noexcept
{
    return code >= 0x20 && !(code >= 0x7F && code < 0xA0) && !is_blank(code) && !is_punctuation(code);
}

std::string_view trim(std::string_view text) noexcept
{
    std::size_t begin = text.size();
    std::size_t end = text.size();
    for (std::size_t at = 0; at < text.size();) {
        const character next = read_character(text, at);
        at += next.bytes;
        if (is_blank(next.code))
            continue;
        if (begin == text.size())
            begin = at - next.bytes;
        end = at;
    }
    return text.substr(begin, end - begin);
}

} // namespace plain_text
