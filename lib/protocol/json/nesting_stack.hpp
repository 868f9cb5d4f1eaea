#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace partyline {

/// The arrays and objects that are open around a place in a JSON text. The first 31 need no allocation.
/// Below them lies the text itself, which nothing closes: so there is a top always.
class nesting_stack {
public:
    struct level {
        std::size_t count; // values, or members, that have ended in it
        char close;        // what ends it: ']' or '}'
    };

    nesting_stack() noexcept { near_[0] = {0, '\0'}; } // leaves the rest as it is: every value built makes a stack
    nesting_stack(const nesting_stack&) = delete;
    nesting_stack& operator=(const nesting_stack&) = delete;

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    level& top() noexcept { return levels_[size_]; }

    void clear() noexcept { size_ = 0; }
    void pop() noexcept { --size_; }
    void push(char close)
    {
        if (++size_ == capacity_) [[unlikely]]
            grow();
        levels_[size_] = {0, close};
    }

private:
    void grow()
    {
        std::unique_ptr<level[]> bigger(new level[capacity_ * 2]);
        std::copy_n(levels_, size_, bigger.get());
        far_ = std::move(bigger);
        levels_ = far_.get();
        capacity_ *= 2;
    }

    level near_[32];
    std::unique_ptr<level[]> far_;
    level* levels_ = near_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 32;
};

} // namespace partyline
