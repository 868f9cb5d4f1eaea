#include "checks.hpp"

#include "characters.hpp"
#include "words.hpp"

#include <algorithm>
#include <utility>

namespace plain_text {
namespace {

// Numbers stand twice in a row in any table.
bool is_number(std::string_view word) noexcept
{
    return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

bool checks::step(std::size_t lines)
{
    const std::size_t end = std::min(text_.line_count(), next_line_ + lines);
    for (; next_line_ < end && findings_.size() < max_findings; ++next_line_) {
        check_length(next_line_);
        check_words(next_line_);
    }
    return next_line_ < text_.line_count() && findings_.size() < max_findings;
}

void checks::check_length(std::size_t number)
{
    const std::string_view line = text_.line(number);
    if (line.size() <= max_line_length_) // no character takes more units than bytes
        return;
    const std::size_t units = count_units(line);
    if (units > max_line_length_)
        add(number, byte_of_unit(line, max_line_length_), line.size(), "long-line",
            "The line is " + std::to_string(units) + " characters long, more than " + std::to_string(max_line_length_) +
                '.');
}

void checks::check_words(std::size_t number)
{
    const std::string_view line = text_.line(number);
    if (line.size() > longest_prose) {
        last_word_ = {};
        return;
    }
    std::size_t from = 0;
    for (auto next = next_word(line, from); next; next = next_word(line, from)) {
        const bool follows = trim(line.substr(from, next->begin - from)).empty();
        if (follows && is_same_word(next->text, last_word_) && !is_number(next->text))
            add(number, next->begin, next->end, "repeated-word",
                '"' + std::string(next->text) + "\" stands here twice in a row.");
        last_word_ = next->text;
        from = next->end;
    }
    const bool is_empty = trim(line).empty(); // the end of a paragraph
    if (is_empty || !trim(line.substr(from)).empty())
        last_word_ = {};
}

void checks::add(std::size_t line, std::size_t begin, std::size_t end, std::string_view code, std::string message)
{
    if (findings_.size() < max_findings)
        findings_.push_back({{text_.position_of(line, begin), text_.position_of(line, end)}, code, std::move(message)});
}

} // namespace plain_text
