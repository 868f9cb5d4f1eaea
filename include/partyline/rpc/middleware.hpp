#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/function_traits.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/detail/is_empty_function.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/value.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace partyline {

/// The result of a request before it is sent: a value, or text, which is the form of described structs, containers and
/// all else that is written piece by piece. By default null.
class PARTYLINE_EXPORT request_result {
public:
    request_result() = default;
    /// A value; one that has no JSON text is an error when it is written: -32603.
    request_result(boost::json::value result) : result_(std::move(result)) {}
    /// Text, which is checked when it is written unless it came in a message.
    request_result(json_text result) : result_(std::move(result)) {}

    /// The result as a value: text is parsed. Throws as `json_text::to_value`.
    boost::json::value to_value() &&;
    /// The result as text. Throws `rpc_error` for a value that has none.
    json_text to_text() &&;

    /// The value; null where it is text.
    const boost::json::value* if_value() const noexcept { return std::get_if<boost::json::value>(&result_); }
    /// The text; null where it is a value.
    const json_text* if_text() const noexcept { return std::get_if<json_text>(&result_); }

private:
    std::variant<boost::json::value, json_text> result_;
};

namespace detail {
class wrapped_handler;
}

/// The next middleware, and at last the handler.
class PARTYLINE_EXPORT next_handler {
public:
    next_handler(const next_handler&) = delete;
    next_handler& operator=(const next_handler&) = delete;

    /// Serves the request.
    ///
    /// Completes with   request_result, which may be changed or replaced
    /// Fails with       the exception of the handler: an `rpc_error`, `operation_aborted` after a cancel;
    ///                  std::logic_error where `next` has been called before: a request is served once
    /// Lifetime         awaited before the middleware ends
    /// Cancellation     that of the request, by itself
    /// Threads          where the middleware began: the request's executor. A plain function or handler after this one
    ///                  runs when `next` is called, and not when the result is awaited.
    task<request_result> operator()();
    /// Serves the request with other params than those that came. Fails, too, with std::invalid_argument for a value
    /// that can't be params.
    task<request_result> operator()(const call_params& params);

private:
    friend class detail::wrapped_handler;
    next_handler(const detail::wrapped_handler& chain, request_context& context, json_view params,
                 std::size_t at) noexcept
        : chain_(chain), context_(context), params_(params), at_(at)
    {
    }

    const detail::wrapped_handler& chain_;
    request_context& context_;
    json_view params_;
    const std::size_t at_;
    bool is_called_ = false;
    std::string replaced_; // the params in place of those that came
};

/// Middleware in front of handlers: see `method_table::around_requests`, which makes these of functions.
class PARTYLINE_EXPORT middleware {
public:
    /// `is_coroutine`: `around` is called, and `before` is not. Else the other way round.
    explicit middleware(bool is_coroutine) noexcept : is_coroutine_(is_coroutine) {}
    virtual ~middleware() = default;
    middleware(const middleware&) = delete;
    middleware& operator=(const middleware&) = delete;

    /// Whether `around` is called, or `before`.
    bool is_coroutine() const noexcept { return is_coroutine_; }

    /// Called for middleware that is no coroutine: looks at a request, and may answer it. The params are valid during
    /// the call.
    virtual std::optional<request_result> before(request_context& context, json_view params);
    /// Called for a coroutine: serves the request, by way of `next` or not. All three arguments are valid until it has
    /// ended.
    virtual task<request_result> around(request_context& context, json_view params, next_handler& next);

private:
    bool is_coroutine_;
};

namespace detail {

template <class F>
concept wraps_request = std::invocable<F&, request_context&, json_view, next_handler&>;
template <class F>
concept looks_at_params = std::invocable<F&, request_context&, json_view>;
template <class F>
concept looks_at_request = std::invocable<F&, request_context&>;

/// Calls a function that runs before the handler, with or without the params.
template <class F>
decltype(auto) look(F& function, request_context& context, json_view params)
{
    if constexpr (looks_at_params<F>)
        return function(context, params);
    else
        return function(context);
}

template <class F>
class plain_middleware final : public middleware {
public:
    explicit plain_middleware(F function) : middleware(false), function_(std::move(function)) {}

    std::optional<request_result> before(request_context& context, json_view params) override
    {
        using result = decltype(look(function_, context, params));
        static_assert(
            std::disjunction_v<std::is_void<result>, std::is_convertible<result, std::optional<request_result>>>,
            "a middleware that is a plain function returns void, or an optional result that answers the "
            "request where there is one");
        if constexpr (std::is_void_v<result>) {
            look(function_, context, params);
            return std::nullopt;
        } else
            return look(function_, context, params);
    }

private:
    F function_;
};

template <class F>
class coroutine_middleware final : public middleware {
public:
    explicit coroutine_middleware(F function) : middleware(true), function_(std::move(function)) {}

    task<request_result> around(request_context& context, json_view params, next_handler& next) override
    {
        if constexpr (wraps_request<F>)
            co_return co_await function_(context, params, next);
        else if constexpr (std::is_void_v<typename awaited<decltype(look(function_, context, params))>::type>) {
            co_await look(function_, context, params);
            co_return co_await next();
        } else {
            std::optional<request_result> answer = co_await look(function_, context, params);
            if (answer)
                co_return std::move(*answer);
            co_return co_await next();
        }
    }

private:
    F function_;
};

/// Whether a function that runs before the handler is a coroutine.
template <class F>
constexpr bool looks_as_coroutine()
{
    return awaited<decltype(look(std::declval<F&>(), std::declval<request_context&>(), json_view()))>::is_coroutine;
}

template <class F>
std::shared_ptr<middleware> make_middleware(F function)
{
    constexpr bool is_known = wraps_request<F> || looks_at_params<F> || looks_at_request<F>;
    static_assert(is_known, "a middleware is called with (request_context&), (request_context&, json_view params) or "
                            "(request_context&, json_view params, next_handler&)");
    if constexpr (wraps_request<F>)
        return std::make_shared<coroutine_middleware<F>>(std::move(function));
    else if constexpr (is_known) {
        if constexpr (looks_as_coroutine<F>())
            return std::make_shared<coroutine_middleware<F>>(std::move(function));
        else
            return std::make_shared<plain_middleware<F>>(std::move(function));
    } else
        return nullptr;
}

} // namespace detail

/// The middleware that requests pass on their way to a handler; the first function is outermost. Copies share the
/// functions, which may be called for several requests at a time.
///
///     partyline::request_middleware_list common;
///     common.add(partyline::trace_requests);
///     tools.around_requests(common);
///     admin.around_requests(common);
class PARTYLINE_EXPORT request_middleware_list {
public:
    /// Adds a function, see `method_table::around_requests`. Throws `std::invalid_argument` for an empty one.
    template <class F>
    void add(F function)
    {
        if (detail::is_empty_function(function))
            insert(nullptr);
        else
            insert(detail::make_middleware(std::move(function)));
    }
    /// Adds all functions of another list after those of this one.
    void add(const request_middleware_list& others);

    /// Whether the list is empty.
    bool empty() const noexcept { return all_.empty(); }
    /// The number of functions.
    std::size_t size() const noexcept { return all_.size(); }
    /// The function at `index`, which is less than `size()`; 0 is the outermost.
    middleware& operator[](std::size_t index) const noexcept { return *all_[index]; }

private:
    void insert(std::shared_ptr<middleware> added);

    std::vector<std::shared_ptr<middleware>> all_;
};

} // namespace partyline
