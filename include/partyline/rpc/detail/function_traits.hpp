#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace partyline::detail {

/// Result and parameters of anything that has one fixed signature; for a generic lambda or an overloaded operator()
/// there is no `result`.
template <class F>
struct function_traits {};

template <class R, class... Parameters>
struct function_traits<R (*)(Parameters...)> {
    using result = R;
    using parameters = std::tuple<Parameters...>;
};

template <class R, class... P>
struct function_traits<R (*)(P...) noexcept> : function_traits<R (*)(P...)> {};

template <class C, class R, class... P>
struct function_traits<R (C::*)(P...)> : function_traits<R (*)(P...)> {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) const> : function_traits<R (*)(P...)> {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...)&> : function_traits<R (*)(P...)> {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) const&> : function_traits<R (*)(P...)> {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) noexcept> : function_traits<R (*)(P...)> {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) const noexcept> : function_traits<R (*)(P...)> {};

template <class F>
    requires requires { &F::operator(); }
struct function_traits<F> : function_traits<decltype(&F::operator())> {};

/// `T` of an `awaitable<T>`; for anything else the type itself.
template <class R>
struct awaited {
    using type = R;
    static constexpr bool is_awaitable = false;
};

template <class T>
struct awaited<boost::asio::awaitable<T>> {
    using type = T;
    static constexpr bool is_awaitable = true;
};

/// A handler's parameters without the context, as they are kept: without reference and const.
template <class Parameters>
struct split_parameters {
    static constexpr bool takes_context = false;
    static constexpr bool takes_references = false;
    using arguments = std::tuple<>;
};

template <class... P>
struct split_parameters<std::tuple<P...>> {
    static constexpr bool takes_context = false;
    static constexpr bool takes_references = (std::is_reference_v<P> || ...);
    using arguments = std::tuple<std::remove_cvref_t<P>...>;
};

template <class... P>
struct split_parameters<std::tuple<request_context&, P...>> : split_parameters<std::tuple<P...>> {
    static constexpr bool takes_context = true;
};

template <class... P>
struct split_parameters<std::tuple<const request_context&, P...>>
    : split_parameters<std::tuple<request_context&, P...>> {};

/// Views into the request's text, which is gone when a coroutine goes on after its first suspension.
template <class T>
inline constexpr bool is_view =
    std::is_same_v<T, json_view> || std::is_same_v<T, std::string_view> || std::is_same_v<T, boost::json::string_view>;
template <class T>
inline constexpr bool is_view<std::optional<T>> = is_view<T>;

/// Whether an argument can be bound to a parameter `P` while it lives in the handler's frame.
template <class P>
inline constexpr bool is_bindable = !std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;

/// Everything about a handler's signature that is known at compile time, and the rules for it.
template <class F>
struct handler_signature {
    static_assert(
        requires { typename function_traits<F>::result; },
        "a handler needs one fixed signature: a function, a lambda without auto, an object with one operator()");

    using traits = function_traits<F>;
    using split = split_parameters<typename traits::parameters>;
    using arguments = typename split::arguments;
    using result = std::remove_cvref_t<typename awaited<typename traits::result>::type>;

    static constexpr bool is_coroutine = awaited<typename traits::result>::is_awaitable;
    static constexpr bool takes_context = split::takes_context;
    static constexpr bool takes_references = split::takes_references;
    static constexpr std::size_t count = std::tuple_size_v<arguments>;

    template <class... P>
    static constexpr bool check(std::type_identity<std::tuple<P...>>)
    {
        static_assert((!std::is_base_of_v<request_context, P> && ...),
                      "request_context& is taken by reference, as the first parameter");
        static_assert(!is_coroutine || (!is_view<P> && ...),
                      "a coroutine outlives what std::string_view and json_view show: take std::string or json_text");
        static_assert(!is_coroutine || !is_view<result>, "a coroutine returns json_text or a string, not a view");
        return true;
    }

    template <class... P>
    static constexpr bool check_binding(std::type_identity<std::tuple<P...>>)
    {
        static_assert(((is_bindable<P> || std::is_same_v<P, request_context&>) && ...),
                      "arguments are taken by value or by reference to const");
        return true;
    }

    static_assert(check(std::type_identity<arguments>()));
    static_assert(check_binding(std::type_identity<typename traits::parameters>()));
};

} // namespace partyline::detail
