#pragma once

#include <partyline/rpc/detail/check_notes.hpp>
#include <partyline/rpc/detail/check_reading.hpp>
#include <partyline/rpc/detail/function_traits.hpp>
#include <partyline/rpc/detail/handler_result.hpp>
#include <partyline/rpc/detail/parts_of.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/rpc/detail/read_variant.hpp>

#include <boost/json/value_from.hpp>

#include <tuple>
#include <type_traits>

namespace partyline::detail {

// Checks of a handler, each with a sentence. Where one of them fails, nothing else is instantiated for the handler, so
// that the sentence is the only error.

/// Whether an argument of this type can be read.
template <class T>
constexpr bool check_argument()
{
    if constexpr (is_raw<T> || is_view<T> || is_optional_raw<T>)
        return true;
    else if constexpr (is_whole_params<T>)
        return check_reading<decltype(T::value)>();
    else
        return check_reading<T>();
}

/// Whether a result of this type can be written.
template <class T>
constexpr bool check_result()
{
    if constexpr (std::is_void_v<T> || is_raw<T>)
        return true;
    else if constexpr (value_or_error<T>) {
        constexpr bool has_error = std::is_constructible_v<rpc_error, typename T::error_type>;
        constexpr bool is_no_text = !is_raw<typename T::value_type>;
        static_assert(is_no_text, "a handler that returns a value or an error returns no raw text: throw the error");
        static_assert(has_error,
                      "a handler that returns a value or an error has rpc_error or error_object as the error");
        return has_error && is_no_text && check_result<typename T::value_type>();
    } else {
        constexpr bool is_writable = is_throughout<has_writer, T>();
        static_assert(is_writable, "no way to write this type, or a part of it, as a result: describe it "
                                   "(BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM) or give it a "
                                   "tag_invoke(boost::json::value_from_tag, boost::json::value&, const T&)");
        return is_throughout<is_sound, T>() && is_writable;
    }
}

template <class T>
inline constexpr bool is_any_context = is_handler_context<T> || std::is_base_of_v<request_context, T>;

/// Whether the parameters can be given their arguments. `P` is each of them, without the context that comes first.
template <class... P>
constexpr bool check_binding(std::type_identity<std::tuple<P...>>)
{
    constexpr bool has_context_first = (!is_any_context<std::remove_cvref_t<P>> && ...);
    constexpr bool is_each_bindable = !has_context_first || (is_bindable<P> && ...);
    static_assert(has_context_first, "a handler takes its context by reference, as the first parameter");
    static_assert(is_each_bindable, "arguments are taken by value or by reference to const");
    return has_context_first && is_each_bindable;
}

template <bool IsCoroutine, class... T>
constexpr bool check_arguments(std::type_identity<std::tuple<T...>>)
{
    constexpr bool has_no_views = !IsCoroutine || (!is_view<T> && ...);
    constexpr bool has_no_pointers = (!std::is_pointer_v<T> && ...);
    static_assert(has_no_views,
                  "a coroutine outlives what std::string_view and json_view show: take std::string or json_text");
    static_assert(has_no_pointers, "an argument is no pointer: a text is a std::string, and what may be left out a "
                                   "std::optional");
    if constexpr (has_no_views && has_no_pointers)
        return (check_argument<T>() && ...);
    else
        return false;
}

/// Whether a handler that takes a context takes this one.
template <class Signature, class Context>
constexpr bool check_context()
{
    constexpr bool has_known_context =
        std::is_void_v<typename Signature::context> || std::is_same_v<typename Signature::context, Context>;
    static_assert(has_known_context,
                  "this is the context of another kind of handler: methods have a "
                  "partyline::request_context&, what an MCP server offers a partyline::mcp::context&");
    return has_known_context;
}

template <class Signature, class Context>
constexpr bool check_signature()
{
    if constexpr (!check_context<Signature, Context>())
        return false;
    else if constexpr (check_binding(std::type_identity<typename Signature::split::parameters>())) {
        constexpr bool returns_no_view = !Signature::is_coroutine || !is_view<typename Signature::result>;
        static_assert(returns_no_view, "a coroutine returns json_text or a string, not a view");
        return returns_no_view &&
               check_arguments<Signature::is_coroutine>(std::type_identity<typename Signature::arguments>());
    } else
        return false;
}

/// Whether a function can be called with the parts of a request; its result is checked elsewhere.
template <class F, class Context>
constexpr bool check_function()
{
    constexpr bool has_object = !std::is_member_function_pointer_v<F>;
    constexpr bool is_for_all_calls = !requires { function_traits<F>::is_for_one_call; };
    constexpr bool has_signature = requires { typename function_traits<F>::result; } || !is_for_all_calls;
    static_assert(has_object, "a member function needs its object: add(\"name\", &type::function, &object)");
    static_assert(is_for_all_calls, "a handler is called for every request: its operator() has no && behind it");
    static_assert(has_signature,
                  "a handler needs one fixed signature: a function, a lambda without auto, an object with "
                  "one operator()");
    if constexpr (has_object && is_for_all_calls && has_signature)
        return check_signature<handler_signature<F>, Context>();
    else
        return false;
}

/// Whether a function can be the handler of a method.
template <class F>
constexpr bool check_handler()
{
    if constexpr (check_function<F, request_context>())
        return check_result<typename handler_signature<F>::result>();
    else
        return false;
}

} // namespace partyline::detail
