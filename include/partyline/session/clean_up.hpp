#pragma once

#include <partyline/session/task.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace partyline {

/// Awaits `work`, and then `clean_up`, however the work ended: with a result, an exception or a cancel.
///
///     partyline::task<int> build(partyline::request_context& context)
///     {
///         folder scratch; // makes nothing yet: compile() makes it, so that there is no cancel in between
///         co_return co_await partyline::with_clean_up(compile(context, scratch), remove(scratch));
///     }
///
/// (A coroutine that has been cancelled throws at its next `co_await`, or is destroyed there, and nothing can be
/// awaited in a destructor or a `catch`: this function is the place for that.)
///
/// Completes with   the result or the exception of the work; or the exception of the clean-up, if that throws
/// Cancellation     reaches the work. The clean-up is not cancelled: it has to end by itself. A cancel that comes
///                  meanwhile takes effect when the clean-up has ended: the next `co_await` of the calling coroutine
///                  throws. A session that is stopped waits for it for `session_options::cancel_grace`. A cancel is
///                  thrown through the work, and on from here, also where `method_options::on_cancel` has tasks dropped
/// Before           a coroutine that has been cancelled already throws where it awaits this, and neither begins: so the
///                  work itself acquires the things to be cleaned up
/// Within           the clean-up may notify and call the peer, but not when the request has been answered at its
///                  deadline, was cancelled by the peer under a profile that does not answer those, or the session is
///                  ending: calls fail at once then
/// Lifetime         the objects that both refer to outlive this; the coroutine of the clean-up has not begun before the
///                  work ends. Where an io_context is destroyed with an operation that either awaits, both are
///                  destroyed, and nothing more runs
/// After it         a cancel that came before the clean-up is forgotten: mostly the work has thrown because of it
template <class T>
task<T> with_clean_up(task<T> work, task<void> clean_up)
{
    detail::task_runner& by = co_await detail::this_runner;
    if (by.must_interrupt())
        throw boost::system::system_error(boost::asio::error::operation_aborted);
    std::exception_ptr thrown;
    std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> result;
    by.keep_frames();
    try {
        if constexpr (std::is_void_v<T>)
            co_await std::move(work);
        else
            result.emplace(co_await std::move(work));
    } catch (...) {
        thrown = std::current_exception();
    }
    by.unkeep_frames();
    by.shield();
    try {
        co_await std::move(clean_up);
    } catch (...) {
        thrown = std::current_exception();
    }
    by.unshield();
    if (thrown)
        std::rethrow_exception(thrown);
    if constexpr (!std::is_void_v<T>)
        co_return std::move(*result);
}

/// Awaits coroutines of Asio's in the same way. After it, the calling coroutine's filters of cancellation are those
/// that `co_spawn` gives.
template <class T>
boost::asio::awaitable<T> with_clean_up(boost::asio::awaitable<T> work, boost::asio::awaitable<void> clean_up)
{
    namespace this_coro = boost::asio::this_coro;
    std::exception_ptr thrown;
    std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> result;
    try {
        if constexpr (std::is_void_v<T>)
            co_await std::move(work);
        else
            result.emplace(co_await std::move(work));
    } catch (...) {
        thrown = std::current_exception();
    }
    // A cancel that has come is forgotten; a further one is noted, and not passed on.
    const bool throws = co_await this_coro::throw_if_cancelled();
    co_await this_coro::throw_if_cancelled(false);
    co_await this_coro::reset_cancellation_state(boost::asio::enable_total_cancellation(),
                                                 boost::asio::disable_cancellation());
    try {
        co_await std::move(clean_up);
    } catch (...) {
        thrown = std::current_exception();
    }
    const boost::asio::cancellation_state after = co_await this_coro::cancellation_state;
    if (after.cancelled() == boost::asio::cancellation_type::none)
        co_await this_coro::reset_cancellation_state();
    co_await this_coro::throw_if_cancelled(throws);
    if (thrown)
        std::rethrow_exception(thrown);
    if constexpr (!std::is_void_v<T>)
        co_return std::move(*result);
}

/// Refuses a clean-up that has been sent at once, such as `notify()`: `notify()` is no coroutine that begins later.
template <class Work, class Said>
    requires(std::derived_from<Said, boost::asio::awaitable<void>> && !std::same_as<Said, boost::asio::awaitable<void>>)
Work with_clean_up(Work work, Said)
{
    static_assert(std::is_void_v<Said>, "a clean-up that is notify() or progress() has been said before the work "
                                        "begins: put it into a coroutine");
    return work;
}

} // namespace partyline
