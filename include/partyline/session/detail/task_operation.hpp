#pragma once

#include <partyline/session/detail/spawned_task.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace partyline {
namespace detail {

/// A task that completes a handler of Asio's.
template <class T, class Handler>
class task_operation final : public spawned_task {
public:
    task_operation(boost::asio::any_io_executor home, task<T> first, Handler handler)
        : spawned_task(std::move(home)), first_(std::move(first)), handler_(std::move(handler))
    {
    }

    /// The handler's slot cancels it from here on.
    void heed_cancel()
    {
        auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
        if (slot.is_connected()) {
            slot.assign([of = weak_from_this()](boost::asio::cancellation_type type) {
                if (const auto self = of.lock())
                    self->cancel(type);
            });
        }
    }

private:
    coroutine first() const noexcept override { return {*task_access::promise(first_), task_access::frame(first_)}; }

    void complete() override
    {
        auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
        if (slot.is_connected())
            slot.clear();
        task_promise<T>& ended = *task_access::promise(first_);
        const auto there = boost::asio::get_associated_executor(*handler_, task_home());
        std::exception_ptr thrown = std::exchange(ended.error, {});
        if constexpr (std::is_void_v<T>) {
            boost::asio::dispatch(there, [handler = take_handler(), thrown = std::move(thrown)]() mutable {
                std::move(handler)(std::move(thrown));
            });
        } else {
            if (!thrown && !ended.result)
                thrown = task_without_result();
            T result = thrown ? T() : std::move(*ended.result);
            boost::asio::dispatch(
                there, [handler = take_handler(), thrown = std::move(thrown), result = std::move(result)]() mutable {
                    std::move(handler)(std::move(thrown), std::move(result));
                });
        }
    }

    static std::exception_ptr task_without_result() noexcept
    try {
        throw_task_without_result();
    } catch (...) {
        return std::current_exception();
    }

    // With its task, which has ended: whoever is completed sees that its arguments are gone.
    Handler take_handler()
    {
        static_cast<void>(task<T>(std::move(first_)));
        Handler taken = std::move(*handler_);
        handler_.reset();
        return taken;
    }

    task<T> first_;
    std::optional<Handler> handler_;
};

/// The result of the task that a function without parameters makes: the `T` of `task<T>`.
template <class F>
struct made_by {};
template <class F>
    requires requires(F& function) { []<class T>(const task<T>&) {}(function()); }
struct made_by<F> {
    using type = typename std::invoke_result_t<F&>::value_type;
};
template <class F>
using made_by_t = typename made_by<F>::type;

/// Keeps the function: its task may refer to what a lambda has captured. (Of a class, since of a coroutine by itself
/// g++ 12 warns where the type has no linkage.)
template <class F>
struct kept_function {
    static task<made_by_t<F>> run(F function) { co_return co_await function(); }
};

/// Starts a task on an executor, or, where none is given, on the handler's own.
struct launch_task {
    template <class Handler, class T>
    void operator()(Handler&& handler, task<T> first) const
    {
        boost::asio::any_io_executor home = boost::asio::get_associated_executor(handler);
        (*this)(std::forward<Handler>(handler), std::move(first), std::move(home));
    }

    template <class Handler, class T>
    void operator()(Handler&& handler, task<T> first, boost::asio::any_io_executor home) const
    {
        static_assert(std::is_void_v<T> || std::is_default_constructible_v<T>,
                      "a task that no other task awaits returns something that has a default constructor: one that "
                      "throws completes with an exception and some T");
        using operation = task_operation<T, std::decay_t<Handler>>;
        if (!first)
            throw_empty_task();
        const auto made = std::allocate_shared<operation>(task_allocator<operation>(), std::move(home),
                                                          std::move(first), std::forward<Handler>(handler));
        made->heed_cancel();
        made->launch();
    }
};

} // namespace detail

template <class T>
template <class Token>
    requires boost::asio::completion_token_for<Token, detail::task_signature_t<T>>
auto task<T>::operator()(Token&& token) &&
{
    return boost::asio::async_initiate<Token, detail::task_signature_t<T>>(detail::launch_task(), token,
                                                                           std::move(*this));
}

/// Starts a task beside others: `co_spawn(context.get_executor(), watch(path), asio::detached)`.
///
/// Completes with   void(std::exception_ptr, T), or void(std::exception_ptr) where T is void; never from within
/// Fails with       what the task throws; std::logic_error, thrown at once: it was moved from
/// Executor         the task runs on `executor`, which is serial; the handler on its own, or else there too
/// Cancellation     of the handler's slot: reaches the operation that the task awaits
/// Lifetime         the task is taken over; what it refers to lives until it has ended
/// Threads          any
template <class T, boost::asio::completion_token_for<detail::task_signature_t<T>> Token>
auto co_spawn(boost::asio::any_io_executor executor, task<T> what, Token&& token)
{
    return boost::asio::async_initiate<Token, detail::task_signature_t<T>>(detail::launch_task(), token,
                                                                           std::move(what), std::move(executor));
}

/// Starts the task that a function makes, as a lambda that captures: `co_spawn(executor, [text]() -> task<> { ... },
/// asio::detached)`. The function is kept until the task has ended. (A task that a temporary lambda has made,
/// `[text]() -> task<> { ... }()`, refers to captures that are gone.)
///
/// Completes with   void(std::exception_ptr, T), or void(std::exception_ptr) where T is void; never from within
/// Fails with       what the function or its task throws
/// Executor         function and task run on `executor`, which is serial; the handler on its own, or else there too
/// Cancellation     of the handler's slot: reaches the operation that the task awaits
/// Lifetime         the function is taken over, and destroyed when the task has ended; what it refers to lives as long
/// Threads          any
template <class F, boost::asio::completion_token_for<detail::task_signature_t<detail::made_by_t<F>>> Token>
auto co_spawn(boost::asio::any_io_executor executor, F function, Token&& token)
{
    return partyline::co_spawn(std::move(executor), detail::kept_function<F>::run(std::move(function)),
                               std::forward<Token>(token));
}

} // namespace partyline
