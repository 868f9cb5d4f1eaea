#pragma once

#include <partyline/session/call_result.hpp>
#include <partyline/session/detail/operation_source.hpp>

#include <boost/asio/async_result.hpp>

#include <memory>
#include <utility>

namespace partyline {

namespace detail {

struct operation_access;

} // namespace detail

/// An operation that gives a `T` and is still to be started: by `co_await`, or by calling it with a completion token of
/// Asio's. `co_await` returns the `T`, or throws:
///
///     try {
///         const mcp::tool_answer sum = co_await client.call_tool("add", named("a", 2, "b", 40));
///         show(sum.text());
///     } catch (const partyline::rpc_error& answered) { // by the peer
///         show(answered.error().message);
///     } catch (const boost::system::system_error& failed) { // here
///         show(failed.what());
///     }
///
/// With a callback nothing is thrown; an error that the peer answers is in the `call_result`:
///
///     client.call_tool("add", named("a", 2, "b", 40))([](error_code, partyline::call_result<mcp::tool_answer> sum) {
///         show(sum ? sum->text() : sum.message());
///     });
///
/// A `task` can await it, and a `boost::asio::awaitable` with any executor. To have the error as a value there:
/// `co_await operation(boost::asio::as_tuple(boost::asio::deferred))`. (`use_future`, `use_awaitable` and `deferred` by
/// itself throw a local failure as `system_error` of its code alone.)
///
/// An operation that is never started is destroyed with its arguments, and has no effect. An operation is started once;
/// to start it again, or after a move from it, throws `std::logic_error`.
///
/// Completes with   void(error_code, call_result<T>); never from within
/// Throws           (where it is awaited) the error that the peer answered as `rpc_error`; anything else as
///                  `boost::system::system_error`, whose text has the details
/// Executor         the handler's associated one; by default that of the object that made the operation
/// Fails with, cancellation, lifetime, threads   as documented for the function that made the operation
template <class T>
class [[nodiscard("an operation begins when it is awaited, or called with a completion token")]] operation {
public:
    /// The type of the result.
    using value_type = T;

    /// Starts the operation.
    template <class Token>
        requires boost::asio::completion_token_for<Token, detail::token_signature_t<T, Token>>
    auto operator()(Token&& token) &&
    {
        using signature = detail::token_signature_t<T, Token>;
        return boost::asio::async_initiate<Token, signature>(detail::start_operation<signature>(), token,
                                                             std::move(source_));
    }

private:
    friend struct detail::operation_access;

    explicit operation(std::unique_ptr<detail::operation_source<T>> source) noexcept : source_(std::move(source)) {}

    std::unique_ptr<detail::operation_source<T>> source_; // null when it was started
};

namespace detail {

/// Access for the functions that make operations.
struct operation_access {
    template <class T>
    static operation<T> make(std::unique_ptr<operation_source<T>> source) noexcept
    {
        return operation<T>(std::move(source));
    }
};

} // namespace detail
} // namespace partyline
