#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/checked_value.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string_view>
#include <type_traits>

namespace partyline {

namespace detail {

template <class T>
boost::json::value struct_to_params(const T& from)
{
    return checked_value(from);
}

template <class T>
boost::json::value to_told_value(const T& from, empty_optionals empty)
{
    return checked_value(from, empty);
}

/// An argument as JSON; the view of a message becomes the value that it is.
template <class T>
boost::json::value to_argument(const T& from)
{
    static_assert(!std::is_same_v<T, json_text>, "raw text can be the params as a whole, not one of them");
    if constexpr (std::is_same_v<T, json_text>)
        return {};
    else
        return checked_value(from);
}

inline void add_named(boost::json::object&) {}

template <class T, class... Rest>
void add_named(boost::json::object& to, std::string_view name, const T& value, const Rest&... rest)
{
    if constexpr (is_optional<T>) {
        if (value)
            to.insert_or_assign(name, to_argument(*value));
    } else
        to.insert_or_assign(name, to_argument(value));
    add_named(to, rest...);
}

} // namespace detail

/// Params by position: `args(2, 40)`. Each can have any type that a handler's result can have; an empty `std::optional`
/// is null.
/// (An ordinary function, so it is safe in `co_await client.call<int>("add", args(2, 40))`; g++ 12 does not compile
/// braces there.)
///
///     const int sum = co_await peer.call<int>("add", args(2, 40));
///     const point at{3, 4}; // a described struct
///     co_await peer.call<void>("draw", args(at, "red", std::vector<int>(3, 1)));
template <class... T>
call_params args(const T&... values)
{
    boost::json::array all;
    all.reserve(sizeof...(T));
    (all.push_back(detail::to_argument(values)), ...);
    return call_params(std::move(all));
}

/// Params by name: `named("a", 2, "b", 40)`. An empty `std::optional` is left out; of two that have the same name the
/// last one counts.
///
///     std::optional<int> limit; // is left out
///     co_await peer.call<void>("search", named("pattern", "TODO", "limit", limit));
template <class... NameAndValue>
call_params named(const NameAndValue&... pairs)
{
    static_assert(sizeof...(NameAndValue) % 2 == 0, "a name has no value: named(\"a\", 1, \"b\", 2)");
    boost::json::object all;
    all.reserve(sizeof...(NameAndValue) / 2);
    detail::add_named(all, pairs...);
    return call_params(std::move(all));
}

} // namespace partyline
