#include "mcp_extensions/skills/utf8.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>

namespace partyline::mcp::skills {
namespace {

bool is_continuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Of a sequence that is well-formed.
std::size_t sequence_size(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

} // namespace

bool is_utf8(std::string_view text)
{
    return to_valid_utf8(text) == text;
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

std::string lower_case(std::string_view text)
{
    std::string made(text);
    for (char& c : made)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return made;
}

} // namespace partyline::mcp::skills
