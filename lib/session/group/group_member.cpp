#include "session/group/group_member.hpp"

#include <utility>

namespace partyline {

session_group::member::member(const session_group_options& how, std::shared_ptr<counters> counted)
    : how_(how), counters_(std::move(counted))
{
}

void session_group::member::tell(const broadcast_ptr& what)
{
    const std::lock_guard alone(mutex_);
    if (!waiting_.empty() && waiting_bytes_ + what->bytes() > how_.queue_bytes) {
        has_missed_ = true;
        ++counters_->missed;
        return;
    }
    waiting_.push_back(what);
    try {
        if (!is_woken_)
            is_woken_ = wake();
    } catch (...) {
        waiting_.pop_back();
        throw;
    }
    waiting_bytes_ += what->bytes();
}

void session_group::member::forget() noexcept
{
    const std::lock_guard alone(mutex_);
    waiting_.clear();
    waiting_bytes_ = 0;
}

broadcast_ptr session_group::member::look() noexcept
{
    const std::lock_guard alone(mutex_);
    is_woken_ = !waiting_.empty();
    return is_woken_ ? waiting_.front() : nullptr;
}

void session_group::member::drop() noexcept
{
    const std::lock_guard alone(mutex_);
    if (waiting_.empty())
        return; // forgotten meanwhile
    waiting_bytes_ -= waiting_.front()->bytes();
    waiting_.pop_front();
}

void session_group::member::wake_again()
{
    const std::lock_guard alone(mutex_);
    is_woken_ = wake();
}

void session_group::member::skip() noexcept
{
    const std::lock_guard alone(mutex_);
    counters_->missed += waiting_.size();
    waiting_.clear();
    waiting_bytes_ = 0;
    is_woken_ = false;
}

} // namespace partyline
