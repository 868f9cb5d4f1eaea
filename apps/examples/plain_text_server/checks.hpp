#pragma once

#include "document.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plain_text {

/// What is wrong with a document at one place.
struct finding {
    range where;
    /// "long-line" or "repeated-word".
    std::string_view code;
    std::string message;

    friend bool operator==(const finding&, const finding&) = default;
};

/// How long a line may be, in UTF-16 code units, unless the editor says otherwise.
inline constexpr std::size_t usual_line_length = 100;

/// Looks for lines that are too long, and for the same word twice in a row, also across a line break. The first
/// `max_findings` are told: nobody reads more, and a document may consist of nothing else.
///
/// Flow: step() until it returns false, then findings(). The document must outlive it.
class checks {
public:
    static constexpr std::size_t max_findings = 1000;
    /// In lines of more bytes, words are not looked at: nobody has written those.
    static constexpr std::size_t longest_prose = 16 * 1024;

    checks(const document& text, std::size_t max_line_length) : text_(text), max_line_length_(max_line_length) {}

    /// Checks so many more lines; false when there is nothing more to find.
    bool step(std::size_t lines);
    const std::vector<finding>& findings() const noexcept { return findings_; }

private:
    void check_length(std::size_t number);
    void check_words(std::size_t number);
    void add(std::size_t line, std::size_t begin, std::size_t end, std::string_view code, std::string message);

    const document& text_;
    std::size_t max_line_length_;
    std::size_t next_line_ = 0;
    std::string_view last_word_; // with nothing but blanks behind it so far; else empty
    std::vector<finding> findings_;
};

} // namespace plain_text
