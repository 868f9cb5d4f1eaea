#pragma once

#include <partyline/rpc/detail/check_handler.hpp>
#include <partyline/rpc/detail/function_traits.hpp>
#include <partyline/rpc/detail/handler_result.hpp>
#include <partyline/rpc/detail/parameter_list.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/session/detail/is_empty_function.hpp>
#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace partyline::detail {

/// A handler's arguments, read from the params of a request. `Whole`: the one argument stands for all params.
template <class Arguments, bool Whole>
struct request_arguments;

template <class... T>
struct request_arguments<std::tuple<T...>, false> : argument_values<T...> {
    using argument_values<T...>::argument_values;
};

template <class T>
struct request_arguments<std::tuple<T>, true> : whole_argument<T> {
    using whole_argument<T>::whole_argument;
};

/// Whether the params are one value, and not read from text.
template <class Arguments, bool Whole>
inline constexpr bool reads_value = false;
template <class T>
inline constexpr bool reads_value<std::tuple<T>, true> = !is_raw<T> && !described_struct<T> && !is_whole_params<T>;

/// Calls `function` with the arguments moved out of `values`, which stays alive until the call returns.
template <class F, class Context, class Arguments>
decltype(auto) invoke_handler(F& function, Context& context, Arguments& values)
{
    using types = typename handler_signature<F>::arguments;
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
        if constexpr (handler_signature<F>::takes_context)
            return function(context, take<std::tuple_element_t<I, types>>(std::get<I>(values))...);
        else
            return function(take<std::tuple_element_t<I, types>>(std::get<I>(values))...);
    }(std::make_index_sequence<std::tuple_size_v<Arguments>>());
}

template <class F, bool Whole>
class plain_handler final : public handler {
public:
    plain_handler(F function, parameter_list parameters)
        : handler(kind::plain, reads_value<typename handler_signature<F>::arguments, Whole>),
          function_(std::move(function)), parameters_(std::move(parameters))
    {
    }

    void call(request_context& context, json_view params, result_writer& out) override
    {
        using signature = handler_signature<F>;
        request_arguments<typename signature::arguments, Whole> given(context, params, parameters_);
        if (given.are_refused()) [[unlikely]]
            return out.refuse(given.refusal());
        if constexpr (std::is_void_v<typename signature::result>) {
            invoke_handler(function_, context, given.values());
            out.write(boost::json::value());
        } else
            write_result(context, out, invoke_handler(function_, context, given.values()));
    }

private:
    F function_;
    parameter_list parameters_;
};

/// Passes on the result of a task, or of an awaitable in a task.
template <class T>
void deliver_result(task_promise_base& ended, [[maybe_unused]] const request_context& context, result_writer& out)
{
    if constexpr (std::is_void_v<T>) {
        static_cast<task_promise<T>&>(ended).take();
        out.write(boost::json::value());
    } else
        write_result(context, out, static_cast<task_promise<T>&>(ended).take());
}

/// Runs Asio's coroutine as a task. (Of a class, since of a coroutine by itself g++ 12 warns where the type has no
/// linkage.)
template <class T>
struct adopting_task {
    static task<T> adopt(boost::asio::awaitable<T> call) { co_return co_await std::move(call); }
};

template <class F, bool Whole>
class coroutine_handler final : public handler {
    using signature = handler_signature<F>;
    using arguments = request_arguments<typename signature::arguments, Whole>;
    using values_type = typename arguments::values_type;
    using result = typename signature::result;

public:
    coroutine_handler(F function, parameter_list parameters)
        : handler(kind::task, reads_value<typename signature::arguments, Whole>), function_(std::move(function)),
          parameters_(std::move(parameters))
    {
    }

    task_root start(request_context& context, json_view params) override
    {
        arguments given(context, params, parameters_);
        if (given.are_refused()) [[unlikely]]
            return refused_task(given.refusal());
        return {make_task(context, given.values()), &deliver_result<result>};
    }

private:
    task<result> make_task(request_context& context, values_type& values)
    {
        using returned = typename function_traits<F>::result;
        if constexpr (signature::takes_references)
            return run(function_, context, std::move(values));
        else if constexpr (std::is_same_v<returned, task<result>>)
            return invoke_handler(function_, context, values);
        else
            return adopting_task<result>::adopt(invoke_handler(function_, context, values));
    }

    // Keeps the arguments in its own frame, for a function that takes them by reference. Else its own coroutine does.
    static task<result> run(F& function, request_context& context, values_type values)
    {
        co_return co_await invoke_handler(function, context, values);
    }

    F function_;
    parameter_list parameters_;
};

template <class... T>
parameter_list list_parameters(std::type_identity<std::tuple<T...>>)
{
    return parameter_list(sizeof...(T), required_count({!is_optional<T>...}));
}

template <class... T>
parameter_list list_parameters(std::type_identity<std::tuple<T...>>, const parameter_names& names)
{
    return parameter_list(sizeof...(T), required_count({!is_optional<T>...}), names);
}

/// The members of a struct that stands for the whole params are its parameters.
template <class T, class... Member>
parameter_list list_members(boost::mp11::mp_list<Member...>)
{
    static constexpr std::array<std::string_view, sizeof...(Member)> names{name_of_member<T, Member>()...};
    constexpr std::size_t required =
        required_count({!is_optional<member_type<T, Member>> && !is_defaulted_member<T, Member>()...});
    return parameter_list(required, names, rule_of<unknown_members, T>());
}

template <class F, bool Whole>
std::unique_ptr<handler> make_bound_handler(F function, parameter_list parameters)
{
    if (is_empty_function(function))
        throw std::invalid_argument("the function is empty");
    if constexpr (handler_signature<F>::is_coroutine)
        return std::make_unique<coroutine_handler<F, Whole>>(std::move(function), std::move(parameters));
    else
        return std::make_unique<plain_handler<F, Whole>>(std::move(function), std::move(parameters));
}

/// Makes a handler of a function; method_table.hpp says what can be one. Throws `std::invalid_argument` when it is
/// empty.
template <class F>
std::unique_ptr<handler> make_handler(F function)
{
    if constexpr (check_handler<F>()) {
        using arguments = typename handler_signature<F>::arguments;
        constexpr auto type = std::type_identity<arguments>();
        if constexpr (std::tuple_size_v<arguments> != 1)
            return make_bound_handler<F, false>(std::move(function), list_parameters(type));
        else {
            using only = std::tuple_element_t<0, arguments>;
            if constexpr (described_struct<only>)
                return make_bound_handler<F, true>(std::move(function), list_members<only>(member_list<only>()));
            else
                return make_bound_handler<F, takes_whole<only>>(std::move(function), list_parameters(type));
        }
    } else
        return nullptr;
}

/// Makes a handler whose arguments come by position or under these names. Throws `std::invalid_argument` when there are
/// not as many names as arguments, or two are the same.
template <class F>
std::unique_ptr<handler> make_handler(F function, const parameter_names& names)
{
    if constexpr (check_handler<F>()) {
        constexpr auto type = std::type_identity<typename handler_signature<F>::arguments>();
        return make_bound_handler<F, false>(std::move(function), list_parameters(type, names));
    } else
        return nullptr;
}

} // namespace partyline::detail
