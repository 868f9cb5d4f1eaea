#pragma once

#include "mcp/schema/pattern/code_point_set.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace partyline::mcp::detail {

/// A place in the text of a pattern.
class pattern_cursor {
public:
    explicit pattern_cursor(std::string_view text) : text_(code_points_of(text)) {}

    bool is_at_end() const noexcept { return at_ == text_.size(); }
    /// NUL behind the end.
    char32_t peek(std::size_t ahead = 0) const noexcept
    {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
    }
    char32_t take() noexcept { return text_[at_++]; }
    bool take_if(char32_t c) noexcept
    {
        const bool is_there = !is_at_end() && text_[at_] == c;
        at_ += is_there;
        return is_there;
    }
    std::size_t position() const noexcept { return at_; }
    void go_back_to(std::size_t position) noexcept { at_ = position; }

    [[noreturn]] void refuse(std::string_view why) const
    {
        throw std::invalid_argument("at character " + std::to_string(at_) + " of the pattern: " + std::string(why));
    }

private:
    std::u32string text_;
    std::size_t at_ = 0;
};

} // namespace partyline::mcp::detail
