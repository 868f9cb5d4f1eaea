#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/detail/task_memory.hpp>
#include <partyline/session/detail/typed_completion.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/version.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace partyline::detail {

template <class T>
using code_signature_t = void(error_code, call_result<T>);
template <class T>
using code_handler = boost::asio::any_completion_handler<code_signature_t<T>>;
template <class T>
using exception_handler = boost::asio::any_completion_handler<throwing_signature_t<T>>;

/// Starts an operation, by one of these functions, once. The source is destroyed when the function has returned.
template <class T>
class operation_source {
public:
    virtual ~operation_source() = default;

    virtual void start(code_handler<T> done) = 0;
    virtual void start_throwing(exception_handler<T> done) = 0;

    static void* operator new(std::size_t size) { return take_task_memory(size); }
    static void operator delete(void* memory, std::size_t size) noexcept { give_task_memory(memory, size); }
};

/// The exception of an operation that is started a second time, or after it was moved from.
PARTYLINE_EXPORT std::exception_ptr empty_operation();

#if BOOST_VERSION < 108200
/// The return type of the completion signature that `boost::asio::awaitable` is given, in place of `void`: see below.
struct asio_awaited;
template <class T>
struct awaited_signature {
    using type = asio_awaited(std::exception_ptr, T);
};
template <>
struct awaited_signature<void> {
    using type = void(std::exception_ptr);
};
#else
template <class T>
struct awaited_signature {
    using type = throwing_signature_t<T>;
};
#endif

/// Whether a function is a completion handler of this signature. (A function that returns something is a token that can
/// be called, as `use_future` and `deferred` can.)
template <class Handler, class Signature>
inline constexpr bool is_completed_by = false;
template <class Handler, class... Results>
inline constexpr bool is_completed_by<Handler, void(Results...)> = requires(Handler handler, Results... results) {
    { std::move(handler)(std::move(results)...) } -> std::same_as<void>;
};

/// Resumes a coroutine that awaits an operation: takes an exception, and no code.
template <class Handler, class T>
concept awaiting_handler =
    (!std::is_invocable_v<Handler, error_code, call_result<T>>) && is_completed_by<Handler, throwing_signature_t<T>>;

/// The completion signature of an operation with a token: with an exception where Asio's coroutines ask for the
/// signature, and where one of them is resumed; else with a code.
template <class T, class Token>
struct token_signature {
    using type = code_signature_t<T>;
};
template <class T, awaiting_handler<T> Token>
struct token_signature<T, Token> {
    using type = throwing_signature_t<T>;
};
template <class T>
struct token_signature<T, boost::asio::detail::completion_signature_probe> : awaited_signature<T> {};
template <class T, class Token>
using token_signature_t = typename token_signature<T, std::remove_cvref_t<Token>>::type;

/// Initiates an operation that completes with this.
template <class Signature>
struct start_operation {
    // Misuse is thrown by `co_await`: a coroutine of Asio's whose operation throws at once is destroyed instead.
    template <class Handler, class T>
    void operator()(Handler&& handler, std::unique_ptr<operation_source<T>> source) const
    {
        if (source)
            source->start_throwing(exception_handler<T>(std::forward<Handler>(handler)));
        else if constexpr (std::is_void_v<T>)
            boost::asio::post(boost::asio::append(std::forward<Handler>(handler), empty_operation()));
        else
            boost::asio::post(boost::asio::append(std::forward<Handler>(handler), empty_operation(), T()));
    }
};

template <class T>
struct start_operation<void(error_code, call_result<T>)> {
    template <class Handler>
    void operator()(Handler&& handler, std::unique_ptr<operation_source<T>> source) const
    {
        if (!source)
            std::rethrow_exception(empty_operation());
        source->start(code_handler<T>(std::forward<Handler>(handler)));
    }
};

} // namespace partyline::detail

#if BOOST_VERSION < 108200
/// Boost 1.81 does not compile `co_await` of what completes with `void(std::exception_ptr, T)`, since `resume` of this
/// handler looks for the exception at the wrong place.
template <class T, class Executor>
class boost::asio::detail::awaitable_async_op_handler<partyline::detail::asio_awaited(std::exception_ptr, T), Executor>
    : public awaitable_async_op_handler<void(std::exception_ptr, T), Executor> {
    using faulty = awaitable_async_op_handler<void(std::exception_ptr, T), Executor>;

public:
    using result_type = typename faulty::result_type;
    using faulty::faulty;

    static T resume(result_type& result)
    {
        if (*result.ex_)
            std::rethrow_exception(std::exchange(*result.ex_, nullptr));
        return std::move(*result.value_);
    }
};
#endif
