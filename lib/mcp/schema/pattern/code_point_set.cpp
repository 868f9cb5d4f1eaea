#include "mcp/schema/pattern/code_point_set.hpp"

#include "protocol/json/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace partyline::mcp::detail {
namespace {

// Sorted and apart from each other.
std::vector<code_point_range> merged(std::vector<code_point_range> ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<code_point_range> all;
    for (const code_point_range& range : ranges) {
        if (!all.empty() && range.first <= all.back().last + 1)
            all.back().last = std::max(all.back().last, range.last);
        else
            all.push_back(range);
    }
    return all;
}

} // namespace

code_point_set::code_point_set(std::vector<code_point_range> ranges) : ranges_(merged(std::move(ranges)))
{
    for (char32_t c = 0; c < ascii_.size(); ++c)
        ascii_[c] = is_in_ranges(c);
}

code_point_set code_point_set::inverted() const
{
    std::vector<code_point_range> rest;
    char32_t begin = 0;
    for (const code_point_range& range : ranges_) {
        if (range.first > begin)
            rest.push_back({begin, range.first - 1});
        begin = range.last + 1;
    }
    if (begin <= last_code_point)
        rest.push_back({begin, last_code_point});
    return code_point_set(std::move(rest));
}

bool code_point_set::is_in_ranges(char32_t c) const noexcept
{
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), c,
                                        [](char32_t value, const auto& range) { return value < range.first; });
    return after != ranges_.begin() && c <= std::prev(after)->last;
}

code_point_set digits()
{
    return code_point_set({{U'0', U'9'}});
}

code_point_set word_characters()
{
    return code_point_set({{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}});
}

code_point_set white_space()
{
    return code_point_set({{U'\t', U'\r'},
                           {U' ', U' '},
                           {0x00A0, 0x00A0},
                           {0x1680, 0x1680},
                           {0x2000, 0x200A},
                           {0x2028, 0x2029},
                           {0x202F, 0x202F},
                           {0x205F, 0x205F},
                           {0x3000, 0x3000},
                           {0xFEFF, 0xFEFF}});
}

code_point_set line_ends()
{
    return code_point_set({{U'\n', U'\n'}, {U'\r', U'\r'}, {0x2028, 0x2029}});
}

char32_t take_code_point(std::string_view& text) noexcept
{
    const std::size_t length = utf8::sequence_length(text.data(), text.data() + text.size());
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    char32_t c = 0xFFFD;
    switch (length) {
    case 1: c = byte(0); break;
    case 2: c = (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F); break;
    case 3: c = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F); break;
    case 4: c = (byte(0) & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F); break;
    default: break;
    }
    text.remove_prefix(length == 0 ? 1 : length);
    return c;
}

std::u32string code_points_of(std::string_view text)
{
    std::u32string all;
    while (!text.empty())
        all.push_back(take_code_point(text));
    return all;
}

} // namespace partyline::mcp::detail
