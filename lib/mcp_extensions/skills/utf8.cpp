#include "mcp_extensions/skills/utf8.hpp"

#include <algorithm>

namespace partyline::mcp::skills {
namespace {

bool is_continuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// What the second byte of a longer sequence may be: the bounds keep out surrogates and forms that are too long.
struct second_byte {
    unsigned char least = 0x80;
    unsigned char most = 0xBF;
};

second_byte second_after(unsigned char first)
{
    switch (first) {
    case 0xE0: return {0xA0, 0xBF};
    case 0xED: return {0x80, 0x9F};
    case 0xF0: return {0x90, 0xBF};
    case 0xF4: return {0x80, 0x8F};
    default: return {};
    }
}

// 0: no sequence begins so.
std::size_t sequence_size(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

// The bytes of the sequence at the front, or 0.
std::size_t read_sequence(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = sequence_size(first);
    if (size < 2 || text.size() < size)
        return size == 1 ? 1 : 0;
    const auto second = static_cast<unsigned char>(text[1]);
    const second_byte bounds = second_after(first);
    if (second < bounds.least || second > bounds.most)
        return 0;
    const std::string_view rest = text.substr(2, size - 2);
    return std::all_of(rest.begin(), rest.end(), is_continuation) ? size : 0;
}

} // namespace

bool is_utf8(std::string_view text) noexcept
{
    while (!text.empty()) {
        const std::size_t size = read_sequence(text);
        if (size == 0)
            return false;
        text.remove_prefix(size);
    }
    return true;
}

std::size_t count_code_points(std::string_view text) noexcept
{
    return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

char32_t take_code_point(std::string_view& text) noexcept
{
    constexpr unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07}; // by the size of the sequence
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = sequence_size(first);
    char32_t code = first & first_bits[size];
    for (const char c : text.substr(1, size - 1))
        code = (code << 6) | (static_cast<unsigned char>(c) & 0x3F);
    text.remove_prefix(size);
    return code;
}

} // namespace partyline::mcp::skills
