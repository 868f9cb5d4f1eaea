#pragma once

#include <partyline/session/handler.hpp>

#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace partyline::detail {

/// What `json::value` has a constructor for: the full conversion would only cost compile time.
template <class T>
inline constexpr bool is_value_already =
    std::is_integral_v<T> || std::is_same_v<T, double> || std::is_same_v<T, std::string> ||
    std::is_same_v<T, boost::json::value> || std::is_same_v<T, boost::json::string> ||
    std::is_same_v<T, boost::json::array> || std::is_same_v<T, boost::json::object>;

/// A handler's result as a value, converted as Boost.JSON does it; what lies in it is moved.
template <class T>
boost::json::value to_result(T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (is_value_already<type>)
        return boost::json::value(std::forward<T>(result));
    else
        return boost::json::value_from(std::forward<T>(result));
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
