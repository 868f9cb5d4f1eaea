#include "words.hpp"

#include "characters.hpp"

#include <algorithm>

namespace plain_text {
namespace {

bool is_apostrophe(char32_t code) noexcept
{
    return code == '\'' || code == 0x2019;
}

bool is_letter_at(std::string_view line, std::size_t at) noexcept
{
    return at < line.size() && is_letter(read_character(line, at).code);
}

// Where the word ends that begins here.
std::size_t end_of_word(std::string_view line, std::size_t at) noexcept
{
    while (at < line.size()) {
        const character next = read_character(line, at);
        const bool joins = is_apostrophe(next.code) && is_letter_at(line, at + next.bytes);
        if (!joins && !is_letter(next.code))
            break;
        at += next.bytes;
    }
    return at;
}

char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::optional<word> next_word(std::string_view line, std::size_t from) noexcept
{
    while (from < line.size() && !is_letter_at(line, from))
        from += read_character(line, from).bytes;
    if (from >= line.size())
        return std::nullopt;
    const std::size_t end = end_of_word(line, from);
    return word{from, end, line.substr(from, end - from)};
}

std::optional<word> word_at(std::string_view line, std::size_t byte) noexcept
{
    std::optional<word> found;
    for (auto next = next_word(line, 0); next; next = next_word(line, next->end)) {
        if (next->begin > byte)
            break;
        if (next->end >= byte)
            found = next; // one that begins here comes after one that ends here
    }
    return found;
}

bool is_same_word(std::string_view one, std::string_view other) noexcept
{
    return std::ranges::equal(one, other, {}, lower, lower);
}

bool word_count::step(std::size_t lines)
{
    const std::size_t end = std::min(text_.line_count(), next_line_ + lines);
    for (; next_line_ < end; ++next_line_) {
        const std::string_view line = text_.line(next_line_);
        for (auto next = next_word(line, 0); next; next = next_word(line, next->end))
            count_ += is_same_word(next->text, word_);
    }
    return next_line_ < text_.line_count();
}

} // namespace plain_text
