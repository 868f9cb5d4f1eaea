#pragma once

#include "document.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plain_text {

/// A heading, and what stands below it.
struct heading {
    std::string name;
    /// The line of the heading, up to that of the next one or the end of the document.
    range section;
    /// The heading itself.
    range title;

    friend bool operator==(const heading&, const heading&) = default;
};

/// Finds the headings of a document: lines that are underlined by === or ---, and those that stand alone between blank
/// lines, or the ends of the document, and do not end with punctuation. The first `max_headings` are told.
///
/// Flow: step() until it returns false, then take(). The document must outlive it.
class heading_search {
public:
    static constexpr std::size_t max_headings = 10'000;
    /// What is longer, in UTF-16 code units, is a paragraph.
    static constexpr std::size_t longest_heading = 100;

    explicit heading_search(const document& text) : text_(text) {}

    /// Looks at so many more lines; false when there is nothing more to find.
    bool step(std::size_t lines);
    std::vector<heading> take();

private:
    /// Lines that do not exist are blank.
    std::string_view trimmed(std::size_t number) const noexcept;
    bool is_heading(std::size_t number) const noexcept;
    void end_section(std::size_t line);

    const document& text_;
    std::size_t next_line_ = 0;
    std::vector<heading> found_;
};

} // namespace plain_text
