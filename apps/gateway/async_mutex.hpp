#pragma once

#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <list>
#include <utility>

namespace gateway {

/// Lets one coroutine at a time go on, in the order in which they came.
///
/// Lifetime: outlives its locks, and whoever waits for one.
/// Thread safety: none; everything on one executor.
class async_mutex {
public:
    /// Held until it goes.
    class lock {
    public:
        explicit lock(async_mutex& of) noexcept : of_(&of) {}
        lock(lock&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
        lock& operator=(lock&&) = delete;
        ~lock()
        {
            if (of_)
                of_->release();
        }

    private:
        async_mutex* of_;
    };

    explicit async_mutex(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    /// Waits until nobody else has it. Cancelled while it waits, it throws `system_error` with operation_aborted.
    partyline::task<lock> async_lock();

private:
    class turn;
    void release() noexcept;

    boost::asio::any_io_executor executor_;
    std::list<turn*> waiting_;
    bool is_held_ = false;
};

} // namespace gateway
