#pragma once

#include "document.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plain_text {

/// A word of a line: letters and digits, and apostrophes between them. Begin and end are bytes of the line.
struct word {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view text;
};

/// The first word of a line that begins at this byte or after it.
std::optional<word> next_word(std::string_view line, std::size_t from) noexcept;

/// The word that has this byte in it, or ends before it.
std::optional<word> word_at(std::string_view line, std::size_t byte) noexcept;

/// Whether they are the same but for the case of ASCII letters.
bool is_same_word(std::string_view one, std::string_view other) noexcept;

/// Counts a word's occurrences in a document.
/// Flow: step() until it returns false, then count(). The document must outlive it.
class word_count {
public:
    word_count(const document& text, std::string word) : text_(text), word_(std::move(word)) {}

    /// Goes through so many more lines; false when there are no more.
    bool step(std::size_t lines);
    std::size_t count() const noexcept { return count_; }

private:
    const document& text_;
    std::string word_;
    std::size_t next_line_ = 0;
    std::size_t count_ = 0;
};

} // namespace plain_text
