#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace partyline {

/// The arrays and objects around the innermost one that is open at a place in a JSON text, which whoever scans the text
/// has in hand. The first 32 need no allocation.
class nesting_stack {
public:
    /// Around them all lies the text itself, which nothing closes.
    struct level {
        std::size_t count = 0; // values, or members, that have ended in it
        char close = '\0';     // what ends it: ']' or '}'

        bool is_outermost() const noexcept { return close == '\0'; }
    };

    nesting_stack() noexcept {} // leaves the levels as they are: every value built makes a stack
    nesting_stack(const nesting_stack&) = delete;
    nesting_stack& operator=(const nesting_stack&) = delete;

    std::size_t size() const noexcept { return size_; }

    void clear() noexcept { size_ = 0; }
    void push(const level& around)
    {
        if (size_ == capacity_) [[unlikely]]
            grow();
        levels_[size_++] = around;
    }
    level pop() noexcept { return levels_[--size_]; }

private:
    void grow()
    {
        std::unique_ptr<level[]> bigger(new level[capacity_ * 2]);
        std::copy_n(levels_, size_, bigger.get());
        far_ = std::move(bigger);
        levels_ = far_.get();
        capacity_ *= 2;
    }

    union {
        level near_[32];
    };
    std::unique_ptr<level[]> far_;
    level* levels_ = near_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 32;
};

} // namespace partyline
