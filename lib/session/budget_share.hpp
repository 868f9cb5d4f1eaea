#pragma once

#include <partyline/config.hpp>
#include <partyline/session/memory_budget.hpp>

#include <cstddef>
#include <limits>

namespace partyline {

/// What one part of one session takes of the budget that it shares with others, if it shares one.
class budget_share {
public:
    explicit budget_share(memory_budget* whole) noexcept : whole_(whole) {}
    ~budget_share() { set(0); }
    budget_share(const budget_share&) = delete;
    budget_share& operator=(const budget_share&) = delete;

    /// Takes as much in all, or gives the rest back.
    void set(std::size_t bytes) noexcept
    {
        if (whole_) [[unlikely]]
            take(bytes);
    }

    /// How much memory an empty buffer may keep for the next time: who shares does not hoard.
    std::size_t kept_when_empty() const noexcept { return whole_ ? memory_budget::always : std::size_t(1) << 20; }
    bool is_used_up() const noexcept
    {
        if (whole_) [[unlikely]]
            return whole_->is_used_up();
        return false;
    }
    bool is_left() const noexcept
    {
        if (whole_) [[unlikely]]
            return is_left_of_whole();
        return true;
    }
    bool is_half_used() const noexcept { return whole_ && whole_->is_half_used(); }
    /// How much more there is; without a budget more than anybody takes.
    std::size_t left() const noexcept
    {
        if (whole_) [[unlikely]]
            return whole_->left();
        return std::numeric_limits<std::size_t>::max();
    }
    /// The bound itself, for those who are told that they are over it.
    std::size_t limit() const noexcept { return whole_ ? whole_->limit() : 0; }
    std::size_t used() const noexcept { return whole_ ? whole_->used() : 0; }

private:
    // Apart, so that who has no budget does not pay for it.
    [[gnu::cold]] PARTYLINE_EXPORT void take(std::size_t bytes) noexcept;
    [[gnu::cold]] PARTYLINE_EXPORT bool is_left_of_whole() const noexcept;

    memory_budget* whole_;
    std::size_t taken_ = 0;
};

} // namespace partyline
