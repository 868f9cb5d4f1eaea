#pragma once

#include <partyline/rpc/detail/to_value.hpp>
#include <partyline/session/handler.hpp>

#include <boost/json/value.hpp>

#include <type_traits>
#include <utility>

namespace partyline::detail {

/// A handler's result as a value; see `to_value`.
template <class T>
boost::json::value to_result(T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (is_value_already<type>)
        return boost::json::value(std::forward<T>(result));
    else
        return to_value(result);
}

/// Hands the result of a plain handler on: text as it is, anything else as a value.
template <class T>
void write_result(result_writer& out, T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<type, boost::json::value> || std::is_same_v<type, json_view> ||
                  std::is_same_v<type, json_text>)
        out.write(result);
    else
        out.write(to_result(std::forward<T>(result)));
}

} // namespace partyline::detail
