#include "session/group/group_member.hpp"

#include <utility>

namespace partyline {

group_member::group_member(std::shared_ptr<group_facts> of) : facts_(std::move(of)) {}

void group_member::send(const broadcast_ptr& what)
{
    const std::lock_guard alone(mutex_);
    if (!queue_.empty() && queued_bytes_ + what->bytes() > facts_->options.queue_bytes) {
        note_dropped();
        if (!was_full_ && facts_->options.slow_consumers == slow_consumer::disconnect)
            give_up();
        was_full_ = true;
        return;
    }
    queue_.push_back(what);
    try {
        if (!is_woken_)
            is_woken_ = wake();
    } catch (...) {
        queue_.pop_back();
        throw;
    }
    queued_bytes_ += what->bytes();
}

void group_member::clear() noexcept
{
    const std::lock_guard alone(mutex_);
    queue_.clear();
    queued_bytes_ = 0;
}

broadcast_ptr group_member::front() noexcept
{
    const std::lock_guard alone(mutex_);
    is_woken_ = !queue_.empty();
    return is_woken_ ? queue_.front() : nullptr;
}

void group_member::pop() noexcept
{
    const std::lock_guard alone(mutex_);
    if (queue_.empty())
        return; // cleared meanwhile
    queued_bytes_ -= queue_.front()->bytes();
    queue_.pop_front();
}

void group_member::wake_again() noexcept
{
    const std::lock_guard alone(mutex_);
    try {
        is_woken_ = wake();
    } catch (...) {
        is_woken_ = false;
    }
}

} // namespace partyline
