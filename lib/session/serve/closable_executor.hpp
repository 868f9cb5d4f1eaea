#pragma once

#include "session/persistent_post.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <mutex>
#include <utility>

namespace partyline {

/// The way from other threads to a session's executor. It closes when the session has ended: a handler that was given
/// up may still run on a thread pool when the `io_context` is gone.
/// Thread safety: safe.
class closable_executor {
public:
    explicit closable_executor(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    /// Posts `function` to the executor; false when the session has ended. Nothing of the executor is touched once
    /// `close()` has returned, hence the lock around all of it.
    template <class F>
    bool post(F function)
    {
        const std::lock_guard lock(mutex_);
        if (!executor_)
            return false;
        post_persistently(executor_, std::move(function));
        return true;
    }

    bool is_open() const
    {
        const std::lock_guard lock(mutex_);
        return bool(executor_);
    }

    void close()
    {
        const std::lock_guard lock(mutex_);
        executor_ = {};
    }

private:
    mutable std::mutex mutex_;
    boost::asio::any_io_executor executor_;
};

} // namespace partyline
