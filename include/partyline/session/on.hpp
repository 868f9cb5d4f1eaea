#pragma once

#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace partyline {
namespace detail {

/// A function, with its result or its exception.
template <class F>
class function_elsewhere {
public:
    using result = std::invoke_result_t<F&>;

    explicit function_elsewhere(F function) : function_(std::move(function)) {}

    void run() noexcept
    {
        try {
            if constexpr (std::is_void_v<result>)
                function_();
            else
                result_.emplace(function_());
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }
    result take()
    {
        if (thrown_)
            std::rethrow_exception(std::exchange(thrown_, nullptr));
        if constexpr (!std::is_void_v<result>)
            return *std::move(result_);
    }

private:
    F function_;
    std::exception_ptr thrown_;
    std::optional<std::conditional_t<std::is_void_v<result>, bool, result>> result_;
};

struct launch_elsewhere {
    template <class Handler, class F>
    void operator()(Handler handler, std::shared_ptr<function_elsewhere<F>> what,
                    boost::asio::any_io_executor there) const
    {
        auto back = boost::asio::make_work_guard(handler, there);
        boost::asio::post(there, [handler = std::move(handler), what = std::move(what), back]() mutable {
            what->run();
            what.reset(); // the task has it until it goes on, and may go on before the handler has returned here
            boost::asio::dispatch(back.get_executor(), std::move(handler));
        });
    }
};

/// (A class, since g++ 12 warns of a coroutine by itself where the type has no linkage.)
template <class F>
struct task_elsewhere {
    static task<std::invoke_result_t<F&>> run(boost::asio::any_io_executor there, F function)
    {
        const auto what = std::make_shared<function_elsewhere<F>>(std::move(function));
        co_await boost::asio::async_initiate<const boost::asio::deferred_t&, void()>(
            launch_elsewhere(), boost::asio::deferred, what, there);
        co_return what->take();
    }
};

} // namespace detail

/// Runs a function elsewhere, such as on a pool of threads, and goes on where the task runs.
///
///     partyline::task<int> count(boost::asio::thread_pool& pool, std::string text)
///     {
///         auto work = [text = std::move(text)] { return lines_in(text); };
///         co_return co_await partyline::on(pool.get_executor(), std::move(work));
///     }
///
/// (The lambda has a name: one that captures by value is destroyed twice by g++ 12 where it stands within `co_await`.)
///
/// Completes with   the function's result
/// Fails with       the function's exception
/// Executor         `there` may run several things at a time: it need not be serial. Where its context is stopped
///                  before the function has run, the task waits until that context is destroyed, and is given up then,
///                  on that thread: it throws nothing
/// Cancellation     none: the function runs to its end; the next `co_await` throws then
/// Lifetime         the function is taken over, kept until it has ended, and destroyed where the task runs. Where the
///                  task is dropped (`method_options::on_cancel`) or given up meanwhile, as at the end of a session
///                  that is stopped, it is destroyed on the thread that has run it. Objects that it refers to live as
///                  long: variables of such a task do not
/// Threads          the function runs on one of `there`'s
template <class F>
    requires std::invocable<F&>
task<std::invoke_result_t<F&>> on(boost::asio::any_io_executor there, F function)
{
    return detail::task_elsewhere<F>::run(std::move(there), std::move(function));
}

} // namespace partyline
