#pragma once

#include <partyline/async/async_event.hpp>
#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/deferred.hpp>

#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace partyline {

/// A mutex for coroutines. Operations that want to lock it wait without blocking a thread, and obtain the lock in the
/// order in which they were started.
///
///     partyline::task<> write_line(std::shared_ptr<partyline::async_mutex> output)
///     {
///         const partyline::async_mutex::lock own = co_await output->async_lock();
///         // ... co_await several operations
///     }
///
/// Lifetime         the context of the executor outlives the mutex and its locks. Destroying the mutex completes
///                  waiting operations with operation_aborted; destroying the context destroys them
/// Threads          none: everything happens on one serial executor, completion handlers and the use of locks included
class async_mutex {
    struct state;

public:
    /// Owns a locked mutex, and unlocks it in its destructor. Movable; a lock that was moved from is empty, and so is
    /// that of a failed operation.
    class lock {
    public:
        /// Makes an empty lock.
        lock() noexcept = default;
        lock(lock&& other) noexcept = default;
        lock& operator=(lock&& other) noexcept
        {
            lock(std::move(other)).of_.swap(of_);
            return *this;
        }
        ~lock() { unlock(); }

        /// Returns whether the lock owns a mutex.
        explicit operator bool() const noexcept { return of_ != nullptr; }
        /// Passes the mutex on to the operation that has waited longest.
        PARTYLINE_EXPORT void unlock() noexcept;

    private:
        friend async_mutex;
        explicit lock(std::shared_ptr<state> of) noexcept : of_(std::move(of)) {}

        std::shared_ptr<state> of_;
    };

    /// Makes an unlocked mutex. Handlers without an associated executor are called on `executor`.
    PARTYLINE_EXPORT explicit async_mutex(boost::asio::any_io_executor executor);
    async_mutex(const async_mutex&) = delete;
    async_mutex& operator=(const async_mutex&) = delete;
    ~async_mutex() { cancel(); }

    /// Returns the executor on which handlers without an associated executor are called.
    PARTYLINE_EXPORT const boost::asio::any_io_executor& get_executor() const noexcept;
    /// Returns whether the mutex is locked.
    PARTYLINE_EXPORT bool is_locked() const noexcept;
    /// Completes all waiting operations with operation_aborted. The present owner keeps its lock.
    PARTYLINE_EXPORT void cancel() noexcept;

    /// Locks the mutex when it is free and no earlier operation waits for it.
    ///
    /// Completes with   void(error_code, lock); never from within this call. A handler that ignores the lock releases
    ///                  it
    /// Fails with       operation_aborted: the wait was cancelled, or the mutex was destroyed, before the lock was
    ///                  obtained
    /// Cancellation     terminal, partial, total: ends the wait, which still succeeds if the lock was obtained before
    ///                  its completion
    /// Throws           std::bad_alloc: the operation has not started
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, lock)>
    auto async_lock(Token&& token = {})
    {
        return boost::asio::async_compose<Token, void(error_code, lock)>(lock_operation(state_), token, get_executor());
    }

private:
    // The place of one operation in the queue. Its destructor passes on a lock that was not taken, since the coroutine
    // may have been destroyed meanwhile.
    class waiter {
    public:
        PARTYLINE_EXPORT explicit waiter(std::shared_ptr<state> of);
        waiter(const waiter&) = delete;
        waiter& operator=(const waiter&) = delete;
        PARTYLINE_EXPORT ~waiter();

        PARTYLINE_EXPORT void give() noexcept;
        PARTYLINE_EXPORT void abort() noexcept;
        /// Returns the lock; an empty one before `give()`.
        PARTYLINE_EXPORT lock take() noexcept;

        async_event granted;

    private:
        std::shared_ptr<state> of_;
        std::optional<std::list<waiter*>::iterator> place_; // while it waits
        lock given_;
    };

    class lock_operation {
    public:
        explicit lock_operation(std::shared_ptr<state> of) noexcept : of_(std::move(of)) {}

        template <class Self>
        void operator()(Self& self)
        {
            self.reset_cancellation_state(boost::asio::enable_total_cancellation());
            own_ = std::make_unique<waiter>(of_);
            async_event& granted = own_->granted; // moving `self` below moves this operation
            granted.async_wait(std::move(self));
        }
        template <class Self>
        void operator()(Self& self, error_code failed)
        {
            lock given = own_->take();
            own_.reset();
            self.complete(failed, std::move(given));
        }

    private:
        std::shared_ptr<state> of_;
        std::unique_ptr<waiter> own_;
    };

    const std::shared_ptr<state> state_;
};

} // namespace partyline
