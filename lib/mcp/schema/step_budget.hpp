#pragma once

#include <cstddef>

namespace partyline::mcp::detail {

/// So many bytes of text are looked at in about the time that one schema takes.
inline constexpr std::size_t bytes_of_a_step = 256;

/// What a check may still cost. Once it is used up it stays so, and whatever looks at it comes to an end.
class step_budget {
public:
    explicit step_budget(std::size_t steps) noexcept : left_(steps) {}

    /// False when there are not so many left.
    bool take(std::size_t steps = 1) noexcept
    {
        is_used_up_ = is_used_up_ || steps > left_;
        left_ -= is_used_up_ ? left_ : steps;
        return !is_used_up_;
    }
    bool is_used_up() const noexcept { return is_used_up_; }

private:
    std::size_t left_;
    bool is_used_up_ = false;
};

} // namespace partyline::mcp::detail
