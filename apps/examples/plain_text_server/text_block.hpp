#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plain_text {

/// Some lines of a document, with what ends them. It does not change, so versions share those that are the same.
class text_block {
public:
    explicit text_block(std::string lines);

    const std::string& text() const noexcept { return text_; }
    std::size_t line_count() const noexcept { return starts_.size(); }
    std::size_t start_of(std::size_t line) const noexcept { return starts_[line]; }
    /// Without what ends it.
    std::string_view line(std::size_t number) const noexcept;

private:
    std::string text_;
    std::vector<std::size_t> starts_; // of the lines, in bytes
};

using shared_block = std::shared_ptr<const text_block>;

/// The byte behind the line that begins at `at`: its LF, CR LF or CR included.
std::size_t end_of_line(std::string_view text, std::size_t at) noexcept;

/// Blocks of some kilobytes, or of one line that is longer. What stands behind the last line end is a block of its own,
/// also when it is nothing.
std::vector<shared_block> make_blocks(std::string_view text);

} // namespace plain_text
