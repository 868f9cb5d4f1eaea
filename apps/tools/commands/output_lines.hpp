#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace tools {

/// Cuts output that comes in pieces into lines, and tells them one by one, as valid UTF-8 without "\n" or "\r\n". What
/// a line has above `max_line` bytes is left out.
class output_lines {
public:
    static constexpr std::size_t max_line = 1000;
    using line_hook = std::function<void(std::string_view line)>;

    explicit output_lines(line_hook on_line) : on_line_(std::move(on_line)) {}

    void feed(std::string_view piece);
    /// Tells the last line, if that has no end.
    void finish();

private:
    void tell();

    line_hook on_line_;
    std::string line_;
    bool has_begun_ = false;
};

} // namespace tools
