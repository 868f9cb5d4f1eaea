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

/// A mutex of coroutines: who wants it while it is locked waits without holding up a thread, and gets it in the order
/// of asking.
///
///     partyline::task<> write_line(std::shared_ptr<partyline::async_mutex> output)
///     {
///         const partyline::async_mutex::lock own = co_await output->async_lock();
///         // ... co_await whatever takes several steps
///     }
///
/// Lifetime         its executor's context outlives it, and its locks. What waits when it is destroyed completes with
///                  operation_aborted; what waits when the context is destroyed is destroyed with that
/// Threads          none: everything on one serial executor, completion handlers and what they do with locks included
class async_mutex {
    struct state;

public:
    /// Holds a mutex until it is destroyed. Movable; empty once moved from, and where there was a failure.
    class lock {
    public:
        /// An empty one.
        lock() noexcept = default;
        lock(lock&& other) noexcept = default;
        lock& operator=(lock&& other) noexcept
        {
            lock(std::move(other)).of_.swap(of_);
            return *this;
        }
        ~lock() { unlock(); }

        /// Whether it holds a mutex.
        explicit operator bool() const noexcept { return of_ != nullptr; }
        /// Lets the next one have it.
        PARTYLINE_EXPORT void unlock() noexcept;

    private:
        friend async_mutex;
        explicit lock(std::shared_ptr<state> of) noexcept : of_(std::move(of)) {}

        std::shared_ptr<state> of_;
    };

    /// Not locked. Operations whose handlers have no executor of their own complete on `executor`.
    PARTYLINE_EXPORT explicit async_mutex(boost::asio::any_io_executor executor);
    async_mutex(const async_mutex&) = delete;
    async_mutex& operator=(const async_mutex&) = delete;
    ~async_mutex() { cancel(); }

    /// Where operations complete whose handlers have no executor of their own.
    PARTYLINE_EXPORT const boost::asio::any_io_executor& get_executor() const noexcept;
    /// Whether somebody has it.
    PARTYLINE_EXPORT bool is_locked() const noexcept;
    /// Completes all operations that wait with operation_aborted. Who has it keeps it.
    PARTYLINE_EXPORT void cancel() noexcept;

    /// Waits until nobody else has it, and nobody else who asked for it before.
    ///
    /// Completes with   void(error_code, lock); never from within this call. One that nobody takes unlocks it
    /// Fails with       operation_aborted: it was cancelled, or the mutex was destroyed, before its turn came
    /// Cancellation     terminal, partial, total: it waits no longer. A turn that comes meanwhile is told all the same
    /// Throws           std::bad_alloc: nothing waits then
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, lock)>
    auto async_lock(Token&& token = {})
    {
        return boost::asio::async_compose<Token, void(error_code, lock)>(lock_operation(state_), token, get_executor());
    }

private:
    // One who waits for its turn. It passes on what it was given and has not taken: its coroutine may be gone by then.
    class turn {
    public:
        PARTYLINE_EXPORT explicit turn(std::shared_ptr<state> of);
        turn(const turn&) = delete;
        turn& operator=(const turn&) = delete;
        PARTYLINE_EXPORT ~turn();

        PARTYLINE_EXPORT void give() noexcept;
        PARTYLINE_EXPORT void abort() noexcept;
        /// Empty where it has not come.
        PARTYLINE_EXPORT lock take() noexcept;

        async_event come;

    private:
        std::shared_ptr<state> of_;
        std::optional<std::list<turn*>::iterator> place_; // while it waits
        lock given_;
    };

    class lock_operation {
    public:
        explicit lock_operation(std::shared_ptr<state> of) noexcept : of_(std::move(of)) {}

        template <class Self>
        void operator()(Self& self)
        {
            self.reset_cancellation_state(boost::asio::enable_total_cancellation());
            own_ = std::make_unique<turn>(of_);
            async_event& come = own_->come; // `self` is moved
            come.async_wait(std::move(self));
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
        std::unique_ptr<turn> own_;
    };

    const std::shared_ptr<state> state_;
};

} // namespace partyline
