#pragma once

#include "tools/files/file_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tools {

enum class letter_case { matters, ignored /**< that of ASCII's letters */ };

/// A line in which the text was found; the first line is 1.
struct found_line {
    std::uint64_t line = 0;
    std::string text;
};

/// Looks for a text in the lines of files. A file of any size, with lines of any length, takes the same memory, and
/// time that grows with its size alone.
class text_search {
public:
    static constexpr std::size_t max_text = 1000;
    static constexpr std::size_t max_shown_line = 400;

    enum class result { searched, is_binary, enough /**< `on_found` wanted no more */ };
    /// Is told each line once. Whether it wants more.
    using found_hook = std::function<bool(found_line)>;

    /// Throws tool_error for a text that is empty, too long, or more than a line.
    text_search(std::string text, letter_case sensitivity);

    /// Throws what reading throws.
    result search(file_reader& file, const found_hook& on_found) const;

private:
    std::string text_;
    letter_case sensitivity_;
};

} // namespace tools
