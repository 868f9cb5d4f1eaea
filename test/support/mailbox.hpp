#pragma once

#include "support/child_process.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace partyline::test {

/// What other threads have told, for a test to wait for.
template <class T>
class mailbox {
public:
    void put(T value)
    {
        const std::lock_guard lock(mutex_);
        values_.push_back(std::move(value));
        arrival_.notify_all();
    }

    /// The oldest, which must come.
    T take()
    {
        std::unique_lock lock(mutex_);
        if (!arrival_.wait_for(lock, patience, [this] { return !values_.empty(); }))
            throw std::runtime_error("nothing came within the time");
        T value = std::move(values_.front());
        values_.pop_front();
        return value;
    }

    std::size_t size() const
    {
        const std::lock_guard lock(mutex_);
        return values_.size();
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable arrival_;
    std::deque<T> values_;
};

} // namespace partyline::test
