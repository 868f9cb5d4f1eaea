#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/to_value.hpp>
#include <partyline/session/handler.hpp>

#include <boost/json/value.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace partyline::detail {

/// A `boost::system::result` or `std::expected`: a value, or an error that the request is answered with.
template <class R>
concept value_or_error = requires(const R& result) {
    typename R::value_type;
    typename R::error_type;
    { result.has_value() } -> std::same_as<bool>;
    result.error();
};

/// Whether this context's results have nulls for what is empty.
empty_optionals empty_policy(const request_context& context);

/// A handler's result as a value; see `to_value`.
template <class T>
boost::json::value to_result(const request_context& context, T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (value_or_error<type>) {
        if (!result.has_value())
            throw rpc_error(std::forward<T>(result).error());
        if constexpr (std::is_void_v<typename type::value_type>)
            return boost::json::value();
        else
            return to_result(context, *std::forward<T>(result));
    } else if constexpr (is_value_already<type>)
        return boost::json::value(std::forward<T>(result));
    else
        return to_value(result, empty_policy(context));
}

/// Hands the result of a plain handler on: text as it is, anything else as a value.
template <class T>
void write_result(const request_context& context, result_writer& out, T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<type, boost::json::value> || std::is_same_v<type, json_view> ||
                  std::is_same_v<type, json_text>)
        out.write(result);
    else
        out.write(to_result(context, std::forward<T>(result)));
}

} // namespace partyline::detail
