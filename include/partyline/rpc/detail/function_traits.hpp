#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/parameter_names.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

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
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) & noexcept> : function_traits<R (*)(P...)> {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) const & noexcept> : function_traits<R (*)(P...)> {};

/// A function that can be called on a temporary alone: a handler is called once for each request.
struct function_for_one_call {
    static constexpr bool is_for_one_call = true;
};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) &&> : function_for_one_call {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) const&&> : function_for_one_call {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) && noexcept> : function_for_one_call {};
template <class C, class R, class... P>
struct function_traits<R (C::*)(P...) const && noexcept> : function_for_one_call {};

template <class F>
    requires requires { &F::operator(); }
struct function_traits<F> : function_traits<decltype(&F::operator())> {};

template <class F>
concept member_function = std::is_member_function_pointer_v<F>;

/// A text by itself, where a function is added: it is neither names, which stand in braces, nor options.
template <class T>
concept lone_text = std::convertible_to<const T&, std::string_view>;

/// Points at the object of a member function.
template <class T>
concept object_pointer = !lone_text<T> && requires(const T& pointer) {
    *pointer;
    pointer == nullptr;
};

/// Throws `std::invalid_argument`: `method "add": the object is null`, where "method" is the kind.
[[noreturn]] PARTYLINE_EXPORT void refuse_null_object(std::string_view kind, std::string_view name);

/// A member function with its object, which is not null; `kind` and `name` say what is being added.
template <member_function F, object_pointer Pointer>
auto with_object(F function, Pointer object, std::string_view kind, std::string_view name)
{
    if (object == nullptr)
        refuse_null_object(kind, name);
    return std::bind_front(function, std::move(object));
}

/// `Tuple` without its first `Count` types.
template <std::size_t Count, class Tuple>
struct without_first {
    using type = Tuple;
};
template <std::size_t Count, class First, class... Rest>
    requires(Count > 0)
struct without_first<Count, std::tuple<First, Rest...>> : without_first<Count - 1, std::tuple<Rest...>> {};

/// The result of `std::bind_front`, whose type has no standard name. With a member function, the first bound argument
/// is the object.
template <template <class...> class Binder, class F, class... Bound>
    requires std::is_same_v<Binder<F, Bound...>, decltype(std::bind_front(std::declval<F>(), std::declval<Bound>()...))>
struct function_traits<Binder<F, Bound...>> {
    using result = typename function_traits<F>::result;
    using parameters =
        typename without_first<sizeof...(Bound) - member_function<F>, typename function_traits<F>::parameters>::type;
};

/// `T` of a `task<T>` or an `awaitable<T>`; for anything else the type itself.
template <class R>
struct awaited {
    using type = R;
    static constexpr bool is_coroutine = false;
};

template <class T>
struct awaited<task<T>> {
    using type = T;
    static constexpr bool is_coroutine = true;
};

template <class T>
struct awaited<boost::asio::awaitable<T>> {
    using type = T;
    static constexpr bool is_coroutine = true;
};

/// Whether a first parameter of this type, by reference, is the context of its request, and no argument. A layer above
/// has contexts of its own.
template <class T>
inline constexpr bool is_handler_context = std::is_same_v<T, request_context>;

/// A handler's parameters without the context, as they are kept: without reference and const.
template <class Parameters>
struct split_parameters {
    static constexpr bool takes_context = false;
    static constexpr bool takes_references = false;
    using context = void;
    using parameters = std::tuple<>;
    using arguments = std::tuple<>;
};

template <class... P>
struct split_parameters<std::tuple<P...>> {
    static constexpr bool takes_context = false;
    static constexpr bool takes_references = (std::is_reference_v<P> || ...);
    using context = void;
    using parameters = std::tuple<P...>;
    using arguments = std::tuple<std::remove_cvref_t<P>...>;
};

template <class Context, class... P>
    requires is_handler_context<std::remove_const_t<Context>>
struct split_parameters<std::tuple<Context&, P...>> : split_parameters<std::tuple<P...>> {
    static constexpr bool takes_context = true;
    using context = std::remove_const_t<Context>;
};

/// Views into the request's text, which is gone when a coroutine goes on after its first suspension.
template <class T>
inline constexpr bool is_view =
    std::is_same_v<T, json_view> || std::is_same_v<T, std::string_view> || std::is_same_v<T, boost::json::string_view>;
template <class T>
inline constexpr bool is_view<std::optional<T>> = is_view<T>;

/// Whether an argument can be bound to a parameter `P` while it lives in the handler's frame.
template <class P>
inline constexpr bool is_bindable = !std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;

/// Everything about a handler's signature that is known at compile time. See check_handler.hpp for the rules.
template <class F>
struct handler_signature {
    using traits = function_traits<F>;
    using split = split_parameters<typename traits::parameters>;
    using arguments = typename split::arguments;
    using result = std::remove_cvref_t<typename awaited<typename traits::result>::type>;

    using context = typename split::context; // void where it takes none

    static constexpr bool is_coroutine = awaited<typename traits::result>::is_coroutine;
    static constexpr bool takes_context = split::takes_context;
    static constexpr bool takes_references = split::takes_references;
    static constexpr std::size_t count = std::tuple_size_v<arguments>;
};

/// The names of the parameters that `Signature` counts: any number where a function has no one signature.
template <class F, template <class> class Signature>
struct names_by {
    using type = names_for<any_count>;
};
template <class F, template <class> class Signature>
    requires requires { typename function_traits<F>::result; }
struct names_by<F, Signature> {
    using type = names_for<Signature<F>::count>;
};
/// The names of a handler's parameters.
template <class F>
using names_of = typename names_by<F, handler_signature>::type;

} // namespace partyline::detail
