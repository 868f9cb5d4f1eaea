#pragma once

#include <partyline/config.hpp>
#include <partyline/session/detail/task_memory.hpp>
#include <partyline/session/detail/task_runner.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace partyline {

template <class T>
class task;
template <class T>
class operation;

namespace detail {

[[noreturn]] PARTYLINE_EXPORT void throw_empty_task();
/// A task that returns something has come to its end without `co_return`.
[[noreturn]] PARTYLINE_EXPORT void throw_task_without_result();

class task_root;
class frame_awaiter;
template <class T>
class child_awaiter;
template <class Operation, class Signature = void>
class operation_awaiter;
template <class T>
class awaitable_awaiter;

/// Awaited, it is whoever runs the task.
struct this_runner_t {};
inline constexpr this_runner_t this_runner;

/// Awaits a value that is there already.
template <class T>
struct ready_awaiter {
    T result;

    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    T await_resume() const { return result; }
};

/// The part of a task's frame that is the same whatever it returns.
struct task_promise_base {
    std::coroutine_handle<> awaited_by; // null: it is the first one
    task_runner* runner = nullptr;
    std::exception_ptr error; // what it has ended with; while it is suspended: what awaiting ends with

    static void* operator new(std::size_t size) { return take_task_memory(size); }
    static void operator delete(void* memory, std::size_t size) noexcept { give_task_memory(memory, size); }

    struct end_awaiter {
        task_promise_base& ended;

        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<>) const noexcept
        {
            if (ended.awaited_by)
                ended.runner->go_on(ended.awaited_by);
            else
                ended.runner->note_done();
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    end_awaiter final_suspend() noexcept { return {*this}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }
    void throw_if_failed()
    {
        if (error) [[unlikely]]
            std::rethrow_exception(std::exchange(error, {}));
    }

    // Awaitable types: a task, an `asio::awaitable`, and any operation that `asio::deferred` made.
    template <class T>
    child_awaiter<T> await_transform(task<T>&& child) noexcept
    {
        return child_awaiter<T>(std::move(child), *this);
    }
    frame_awaiter await_transform(task_root& first) noexcept;
    template <class T>
    void await_transform(task<T>& named) = delete; // a task is awaited once: co_await std::move(it)
    template <class T>
    void await_transform(operation<T>& named) = delete; // an operation is started once: co_await std::move(it)
    template <class T>
    awaitable_awaiter<T> await_transform(boost::asio::awaitable<T>&& child)
    {
        return awaitable_awaiter<T>(std::move(child), *this);
    }
    // Sending mostly completes at once: then no coroutine of Asio's is started for it.
    template <std::derived_from<boost::asio::awaitable<void>> Sending, class Nothing = void>
        requires requires(const Sending& s) { s.has_room(); }
    awaitable_awaiter<Nothing> await_transform(Sending&& said)
    {
        const bool is_nothing = said.has_room();
        return awaitable_awaiter<Nothing>(std::forward<Sending>(said), *this, is_nothing);
    }
    template <class Operation>
        requires boost::asio::is_async_operation<Operation>::value
    operation_awaiter<Operation> await_transform(Operation&& operation) noexcept
    {
        return operation_awaiter<Operation>(std::forward<Operation>(operation), *this);
    }
    ready_awaiter<boost::asio::any_io_executor> await_transform(boost::asio::this_coro::executor_t) const noexcept
    {
        return {runner->task_home()};
    }
    ready_awaiter<task_runner&> await_transform(this_runner_t) const noexcept { return {*runner}; }
};

template <class T>
struct task_promise final : task_promise_base {
    std::optional<T> result;

    task<T> get_return_object() noexcept;
    template <class Result = T>
    void return_value(Result&& from)
    {
        result.emplace(std::forward<Result>(from));
    }
    T take()
    {
        throw_if_failed();
        if (!result) [[unlikely]]
            throw_task_without_result();
        return std::move(*result);
    }
};

template <>
struct task_promise<void> final : task_promise_base {
    task<void> get_return_object() noexcept;
    void return_void() const noexcept {}
    void take() { throw_if_failed(); }
};

} // namespace detail
} // namespace partyline
