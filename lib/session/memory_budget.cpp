#include <partyline/session/memory_budget.hpp>

#include <algorithm>

namespace partyline {

std::size_t memory_budget::left() const noexcept
{
    const std::size_t own = limit_ - std::min(limit_, used());
    return whole_ ? std::min(own, whole_->left()) : own;
}

bool memory_budget::is_used_up() const noexcept
{
    return used() >= limit_ || (whole_ && whole_->is_used_up());
}

bool memory_budget::is_half_used() const noexcept
{
    return used() >= limit_ / 2 || (whole_ && whole_->is_half_used());
}

void memory_budget::add(std::size_t bytes) noexcept
{
    used_.fetch_add(bytes, std::memory_order_relaxed);
    if (whole_)
        whole_->add(bytes);
}

void memory_budget::sub(std::size_t bytes) noexcept
{
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    if (whole_)
        whole_->sub(bytes);
}

} // namespace partyline
