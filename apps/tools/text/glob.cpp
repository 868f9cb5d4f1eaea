#include "glob.hpp"

#include "tools/tool_error.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tools {
namespace {

std::size_t length_of_character(unsigned char first)
{
    return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// Characters of UTF-8, and what is none byte by byte: names may be anything.
std::u32string characters_of(std::string_view text)
{
    constexpr char32_t no_character = 0xdc00; // and the byte: a lone surrogate, which UTF-8 does not have
    std::u32string all;
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text[0]);
        const std::size_t length = length_of_character(first);
        const auto is_inner = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
        const std::string_view inner = text.substr(1, length - 1);
        if (first >= 0x80 && (length == 1 || inner.size() != length - 1 || !std::ranges::all_of(inner, is_inner))) {
            all.push_back(no_character + first);
            text.remove_prefix(1);
            continue;
        }
        char32_t character = length == 1 ? first : first & (0x7fu >> length);
        for (const char byte : inner)
            character = character << 6 | (static_cast<unsigned char>(byte) & 0x3f);
        all.push_back(character);
        text.remove_prefix(length);
    }
    return all;
}

} // namespace

glob::glob(std::string_view pattern) : is_of_paths_(pattern.find('/') != pattern.npos)
{
    if (pattern.empty() || pattern.size() > max_pattern)
        throw tool_error("the glob " + in_quotes(pattern) + " has " + std::to_string(pattern.size()) +
                         " bytes, expected 1 to " + std::to_string(max_pattern));
    const std::u32string all = characters_of(pattern);
    std::u32string_view rest = all;
    if (rest.starts_with(U'/'))
        rest.remove_prefix(1); // "/a" is "a" in the folder that is searched, no deeper
    try {
        while (!rest.empty())
            add_part(rest);
    } catch (const std::out_of_range&) {
        throw tool_error("the glob " + in_quotes(pattern) + " has a '[' without its ']'");
    }
}

bool glob::matches(std::string_view path) const
{
    if (!is_of_paths_)
        path.remove_prefix(path.rfind('/') + 1); // npos + 1 is 0
    places now;
    enter(now, 0);
    for (const char32_t next : characters_of(path))
        now = after(now, next);
    return now[parts_.size()];
}

void glob::add_part(std::u32string_view& rest)
{
    const char32_t first = rest[0];
    if (first == U'*')
        return add_stars(rest);
    if (first == U'[')
        return add_set(rest);
    rest.remove_prefix(1);
    if (first == U'?')
        parts_.push_back({.what = kind::any_character});
    else
        parts_.push_back({.what = kind::character, .character = first});
}

void glob::add_stars(std::u32string_view& rest)
{
    const bool begins_name = parts_.empty() || parts_.back().what == kind::any_folders ||
                             (parts_.back().what == kind::character && parts_.back().character == U'/');
    const std::size_t count = std::min(rest.find_first_not_of(U'*'), rest.size());
    rest.remove_prefix(count);
    if (count == 1)
        return parts_.push_back({.what = kind::any_name});
    if (!begins_name || !rest.starts_with(U'/'))
        return parts_.push_back({.what = kind::any_path});
    rest.remove_prefix(1);
    parts_.push_back({.what = kind::any_folders});
}

void glob::add_set(std::u32string_view& rest)
{
    const bool is_negative = rest.substr(0, 2) == U"[!" || rest.substr(0, 2) == U"[^";
    part set{.what = is_negative ? kind::none_of : kind::one_of};
    std::size_t at = is_negative ? 2 : 1;
    // A bracket that comes first is one of the characters.
    for (const std::size_t first = at; at == first || rest.at(at) != U']'; ++at) {
        const char32_t from = rest.at(at);
        const bool is_range = rest.at(at + 1) == U'-' && rest.at(at + 2) != U']';
        at += is_range ? 2 : 0;
        set.ranges.emplace_back(from, rest.at(at));
    }
    rest.remove_prefix(at + 1);
    parts_.push_back(std::move(set));
}

bool glob::part::takes(char32_t next) const noexcept
{
    const auto holds = [next](const auto& range) { return range.first <= next && next <= range.second; };
    switch (what) {
    case kind::character: return next == character;
    case kind::any_character:
    case kind::any_name: return next != U'/';
    case kind::one_of: return next != U'/' && std::ranges::any_of(ranges, holds);
    case kind::none_of: return next != U'/' && std::ranges::none_of(ranges, holds);
    case kind::any_path:
    case kind::any_folders: return true;
    }
    return false;
}

bool glob::part::goes_on_after(char32_t taken) const noexcept
{
    return what != kind::any_folders || taken == U'/';
}

void glob::enter(places& all, std::size_t at) const
{
    all[at] = true;
    for (; at < parts_.size() && parts_[at].may_be_empty(); ++at)
        all[at + 1] = true;
}

glob::places glob::after(const places& before, char32_t taken) const
{
    places now;
    for (std::size_t at = 0; at < parts_.size(); ++at) {
        const part& one = parts_[at];
        if (!before[at] || !one.takes(taken))
            continue;
        if (one.may_be_empty())
            now[at] = true;
        if (one.goes_on_after(taken))
            enter(now, at + 1);
    }
    return now;
}

} // namespace tools
