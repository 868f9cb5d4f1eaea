#pragma once

#include "inbox.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace wire_client {

/// Cuts what a server says over one connection into lines, of which each is a message, so that those of several
/// connections don't get mixed.
class line_reader {
public:
    /// Takes bytes as they arrive; each line that is complete becomes one of `into`.
    void append(std::string_view bytes, inbox& into)
    {
        rest_ += bytes;
        const std::size_t end = rest_.rfind('\n') + 1; // 0: none
        const std::string_view whole = std::string_view(rest_).substr(0, end);
        lines_ += static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
        into.append(whole);
        rest_.erase(0, end);
    }

    /// How many are complete.
    std::size_t lines() const noexcept { return lines_; }

private:
    std::string rest_;
    std::size_t lines_ = 0;
};

} // namespace wire_client
