#pragma once

#include <cstddef>
#include <string_view>

namespace plain_text {

/// A character of a UTF-8 text. LSP counts positions in UTF-16 code units, of which those beyond U+FFFF take two.
struct character {
    char32_t code = 0;
    std::size_t bytes = 1;

    std::size_t units() const noexcept { return code > 0xFFFF ? 2 : 1; }
};

/// The character at a byte of `text` that is not its end. What is not UTF-8 is taken byte by byte, each as U+FFFD.
character read_character(std::string_view text, std::size_t at) noexcept;

/// How many UTF-16 code units `text` takes.
std::size_t count_units(std::string_view text) noexcept;

/// The byte of `line` that so many units precede: its end when it has fewer; for the second half of a pair, its first.
std::size_t byte_of_unit(std::string_view line, std::size_t units) noexcept;

/// What separates words and sentences; outside ASCII, the punctuation of Latin scripts and the ideographic one.
bool is_blank(char32_t code) noexcept;
bool is_punctuation(char32_t code) noexcept;
/// Whether it can be part of a word: whatever else there is, but control characters.
bool is_letter(char32_t code) noexcept;

/// Without the blanks at both ends.
std::string_view trim(std::string_view text) noexcept;

} // namespace plain_text
