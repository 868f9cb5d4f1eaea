#include "headings.hpp"

#include "characters.hpp"

#include <algorithm>
#include <utility>

namespace plain_text {
namespace {

bool is_underline(std::string_view line) noexcept
{
    constexpr std::size_t shortest = 3;
    return line.size() >= shortest && (line[0] == '=' || line[0] == '-') &&
           line.find_first_not_of(line[0]) == std::string_view::npos;
}

char32_t last_character(std::string_view line) noexcept
{
    char32_t last = 0;
    for (std::size_t at = 0; at < line.size();) {
        const character next = read_character(line, at);
        last = next.code;
        at += next.bytes;
    }
    return last;
}

} // namespace

bool heading_search::step(std::size_t lines)
{
    const std::size_t end = std::min(text_.line_count(), next_line_ + lines);
    for (; next_line_ < end && found_.size() < max_headings; ++next_line_) {
        if (!is_heading(next_line_))
            continue;
        if (next_line_ > 0)
            end_section(next_line_ - 1);
        const std::size_t length = text_.line(next_line_).size();
        const range title{text_.position_of(next_line_, 0), text_.position_of(next_line_, length)};
        found_.push_back({std::string(trimmed(next_line_)), title, title});
    }
    return next_line_ < text_.line_count() && found_.size() < max_headings;
}

std::vector<heading> heading_search::take()
{
    end_section(text_.line_count() - 1);
    return std::move(found_);
}

std::string_view heading_search::trimmed(std::size_t number) const noexcept
{
    return number < text_.line_count() ? trim(text_.line(number)) : std::string_view();
}

bool heading_search::is_heading(std::size_t number) const noexcept
{
    const std::string_view line = trimmed(number);
    if (line.empty() || is_underline(line) || count_units(line) > longest_heading)
        return false;
    if (is_underline(trimmed(number + 1)))
        return true;
    const bool stands_alone = (number == 0 || trimmed(number - 1).empty()) && trimmed(number + 1).empty();
    return stands_alone && !is_punctuation(last_character(line));
}

void heading_search::end_section(std::size_t line)
{
    if (!found_.empty())
        found_.back().section.end = text_.position_of(line, text_.line(line).size());
}

} // namespace plain_text
