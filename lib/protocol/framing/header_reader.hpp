#pragma once

#include <cstddef>
#include <string_view>

namespace partyline {

/// Reads the header of a message of LSP's base protocol (3.17, header part), a line at a time, and keeps what it says.
///
/// Flow: `reset()`, `take()` each line without its end, `finish()` at the empty one; then ask. Stop where one of them
/// fails.
class header_reader {
public:
    /// Nothing is longer.
    explicit header_reader(std::size_t max_length) : max_length_(max_length) {}

    void reset() noexcept;
    /// Takes a whole header at once where it begins `text`, says nothing but the length, and is written as nearly
    /// everybody writes it; its size then, else 0, and it is to be taken line by line.
    std::size_t take_usual(std::string_view text) noexcept;
    /// False: this is no header line, or one that leaves the message's length in doubt.
    bool take(std::string_view line);
    /// False: there was no length.
    bool finish();

    /// What made it fail; a literal.
    const char* problem() const noexcept { return problem_; }
    std::size_t length() const noexcept { return length_; }
    /// Whether the message is in UTF-8, as far as the header says.
    bool is_utf8() const noexcept { return is_utf8_; }

private:
    bool take_length(std::string_view value);
    bool fail(const char* problem);

    const std::size_t max_length_;
    const char* problem_ = "";
    std::size_t length_ = 0;
    bool has_length_ = false;
    bool is_utf8_ = true;
};

} // namespace partyline
