#pragma once

#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/function_traits.hpp>
#include <partyline/rpc/detail/handler_result.hpp>
#include <partyline/rpc/detail/schema_type.hpp>

#include <array>
#include <tuple>
#include <type_traits>

namespace partyline::detail {

/// A parameter of a handler, for its description.
struct parameter_schema {
    schema_link type;
    bool is_required;
};

/// A handler's signature as constant tables. Schemas are made of them only on request.
struct signature_schema {
    array_view<const parameter_schema> parameters = {};
    schema_link whole = nullptr; // of the one type that stands for all params; null where it is none of these
    bool has_positions = true;   // the members of `whole` can be given by position, too
    schema_link result = nullptr;
};

/// A type that contains itself has no schema without `$ref`: then no schema is given.
template <class T>
schema_type schema_or_any()
{
    if constexpr (is_raw<T> || is_recursive<T>())
        return {};
    else if constexpr (is_view<T>)
        return schema_of<std::string>();
    else
        return schema_of<T>();
}

template <class T>
schema_type schema_of_result()
{
    if constexpr (std::is_void_v<T>)
        return {.what = schema_type::kind::null};
    else if constexpr (value_or_error<T>)
        return schema_of_result<typename T::value_type>();
    else
        return schema_or_any<T>();
}

template <class T>
struct whole_of {
    using type = T;
};
template <class T>
struct whole_of<whole_params<T>> {
    using type = T;
};

template <class F, bool HasNames, class... T>
signature_schema list_parameter_types(std::type_identity<std::tuple<T...>>)
{
    constexpr schema_link result = &schema_of_result<typename handler_signature<F>::result>;
    if constexpr (sizeof...(T) == 1 && !HasNames && (takes_whole<T> && ...))
        return {{}, (&schema_or_any<typename whole_of<T>::type>, ...), (described_struct<T> && ...), result};
    else {
        static constexpr std::array<parameter_schema, sizeof...(T)> parameters{
            parameter_schema{&schema_or_any<T>, !is_optional<T>}...};
        return {parameters, nullptr, true, result};
    }
}

template <class F, bool HasNames>
signature_schema signature_of()
{
    return list_parameter_types<F, HasNames>(std::type_identity<typename handler_signature<F>::arguments>());
}

} // namespace partyline::detail
