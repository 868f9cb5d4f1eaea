#pragma once

#include <partyline/session/detail/task_awaiters.hpp>
#include <partyline/session/detail/task_promise.hpp>

#include <boost/asio/async_result.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace partyline {

namespace detail {

struct task_access;

/// The completion of a task that no other task awaits.
template <class T>
struct task_signature {
    using type = void(std::exception_ptr, T);
};
template <>
struct task_signature<void> {
    using type = void(std::exception_ptr);
};
template <class T>
using task_signature_t = typename task_signature<T>::type;

} // namespace detail

/// A coroutine for handlers and for functions that they await, like `boost::asio::awaitable`, with less time and
/// memory.
///
///     partyline::task<std::string> slow_echo(partyline::request_context& context, std::string text)
///     {
///         boost::asio::steady_timer timer(context.get_executor(), 1s);
///         co_await timer.async_wait(boost::asio::deferred);
///         co_return text;
///     }
///
/// A task can await: another task; any operation given `boost::asio::deferred`, or `as_tuple(deferred)` for its error
/// code; an `asio::awaitable<T>`; `this_coro::executor`. A task is itself an operation: `co_spawn` below starts one
/// with any completion token, and an `asio::awaitable` awaits one by `co_await work()(asio::use_awaitable)`.
///
/// `asio::awaitable` is right for coroutines that exist already, for middleware around calls, and where a feature is
/// needed that Asio has for them alone: `&&` and `||` between them, `redirect_error` (not for `deferred` in 1.81), or
/// filters of cancellation.
///
/// A task begins when it is awaited or started, not when the function is called: objects that it refers to must live
/// until it has ended. (Arguments that it takes by value live in it.) A task is awaited once; to await it again, or
/// after a move from it, throws std::logic_error. A task that never was awaited is destroyed with its arguments, and
/// has no effect.
///
/// Completes with   the task's result, or its exception
/// Executor         that of the awaiting coroutine, all the way: a request's, or the one that `co_spawn` is given
/// Cancellation     terminal, partial, total: the operation that it awaits ends with operation_aborted, and so does, at
///                  once, each operation that it awaits later. See clean_up.hpp for operations that must be awaited all
///                  the same
/// Threads          none: one coroutine awaits it at a time, on one serial executor
template <class T = void>
class [[nodiscard("a task begins when it is awaited")]] task {
public:
    /// The type of the result.
    using value_type = T;
    /// For the compiler.
    using promise_type = detail::task_promise<T>;

    task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    task& operator=(task&& other) noexcept
    {
        task(std::move(other)).swap(*this);
        return *this;
    }
    ~task()
    {
        if (frame_)
            frame_.destroy();
    }
    /// Exchanges the coroutines.
    void swap(task& other) noexcept { std::swap(frame_, other.frame_); }

    /// False when it was moved from.
    explicit operator bool() const noexcept { return bool(frame_); }

    /// Makes an operation of Asio's of the task: see `co_spawn`. The task runs on the completion handler's executor.
    template <class Token>
        requires boost::asio::completion_token_for<Token, detail::task_signature_t<T>>
    auto operator()(Token&& token) &&;

private:
    friend promise_type;
    friend struct detail::task_access;

    explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

/// Access to a task for the functions that run it.
struct task_access {
    template <class T>
    static std::coroutine_handle<> frame(const task<T>& of) noexcept
    {
        return of.frame_;
    }
    template <class T>
    static task_promise<T>* promise(const task<T>& of) noexcept
    {
        return of.frame_ ? &of.frame_.promise() : nullptr;
    }
    template <class T>
    static void release(task<T>& of) noexcept
    {
        of.frame_ = nullptr;
    }
};

template <class T>
task<T> task_promise<T>::get_return_object() noexcept
{
    return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}

inline task<void> task_promise<void>::get_return_object() noexcept
{
    return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

template <class T>
class child_awaiter : public frame_awaiter {
public:
    child_awaiter(task<T>&& child, task_promise_base& parent) noexcept
        : frame_awaiter(task_access::promise(child), task_access::frame(child), parent), child_(std::move(child))
    {
    }

    T await_resume()
    {
        frame_awaiter::await_resume();
        return task_access::promise(child_)->take();
    }

private:
    task<T> child_;
};

} // namespace detail
} // namespace partyline

#include <partyline/session/detail/task_operation.hpp>
