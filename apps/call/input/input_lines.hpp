#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace call {

/// A line of input, without its end.
struct input_line {
    /// The first one is 1.
    std::size_t number = 0;
    std::string text;
    /// Longer than it may be: it has been discarded, and `text` is empty.
    bool is_oversize = false;
};

/// Cuts input into lines, counts them, and leaves out those that are blank.
///
/// Flow: `feed()` bytes as they come and take lines by `next()`; at the end `finish()`, since the last line needs no
/// end.
class input_lines {
public:
    explicit input_lines(std::size_t max_bytes) : most_(max_bytes) {}

    void feed(std::string_view bytes);
    void finish() { end_line(); }

    std::optional<input_line> next();

private:
    void append(std::string_view part);
    void end_line();

    std::size_t most_;
    input_line current_{.number = 1, .text = {}};
    std::deque<input_line> ready_;
};

} // namespace call
