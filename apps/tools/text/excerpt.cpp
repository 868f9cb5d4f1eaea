#include "excerpt.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>

namespace tools {
namespace {

bool is_inner_byte(char byte) noexcept
{
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

} // namespace

std::size_t whole_characters(std::string_view text, std::size_t size) noexcept
{
    if (size >= text.size())
        return text.size();
    constexpr std::size_t longest = 3; // inner bytes of a character; more are no UTF-8 anyway
    std::size_t cut = size;
    for (std::size_t i = 0; i < longest && cut > 0 && is_inner_byte(text[cut]); ++i)
        --cut;
    return is_inner_byte(text[cut]) ? size : cut;
}

std::string excerpt_of(std::string_view line, std::size_t at, std::size_t size, std::size_t max_bytes)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.size() <= max_bytes)
        return partyline::to_valid_utf8(line);
    const std::size_t before = size < max_bytes ? (max_bytes - size) / 2 : 0;
    const std::size_t from = at <= before ? 0 : whole_characters(line, std::min(at - before, line.size() - max_bytes));
    const std::string_view rest = line.substr(from);
    const std::size_t count = whole_characters(rest, max_bytes);
    std::string text = from > 0 ? "..." : "";
    text += partyline::to_valid_utf8(rest.substr(0, count));
    return count < rest.size() ? text + "..." : text;
}

} // namespace tools
