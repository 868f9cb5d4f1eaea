#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/to_value.hpp>
#include <partyline/session/detail/task_root.hpp>
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

/// Whether results of this type become text where they are made. Others are values, or become such by conversions of
/// their own.
template <class T>
inline constexpr bool becomes_text = written_in_parts<T>;
template <value_or_error T>
inline constexpr bool becomes_text<T> = becomes_text<typename T::value_type>;

/// Whether this context's results have nulls for empty optionals.
PARTYLINE_EXPORT empty_optionals empty_policy(const request_context& context);

/// Returns the output of `write` for a result, as text that is known to be valid. Throws `rpc_error` -32603 where the
/// result has no text; for a notification, which has no answer, it returns null then.
PARTYLINE_EXPORT json_text make_text(const request_context& context, write_function write, const void* result);
/// Appends that text to `out`.
PARTYLINE_EXPORT void append_text(byte_buffer& out, const request_context& context, write_function write,
                                  const void* result);

/// Passes the output of `write` for a result to `out`: as text, or as a value where it has no text, so that `out` can
/// say why.
PARTYLINE_EXPORT void write_parts(const request_context& context, result_writer& out, write_function write,
                                  const void* result);

/// A handler's result as a value, see `to_value`, or as text.
template <class Result, class T>
Result to_result(const request_context& context, T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (value_or_error<type>) {
        if (!result.has_value())
            throw rpc_error(std::forward<T>(result).error());
        if constexpr (std::is_void_v<typename type::value_type>)
            return boost::json::value();
        else
            return to_result<Result>(context, *std::forward<T>(result));
    } else if constexpr (std::is_same_v<Result, json_text>)
        return make_text(context, &write_any<type>, &result);
    else if constexpr (is_value_already<type>)
        return boost::json::value(std::forward<T>(result));
    else
        return to_value(result, empty_policy(context));
}

/// A task that has ended, and refuses its request.
PARTYLINE_EXPORT task_root refused_task(error_object error);

/// Hands the result of a plain handler on: text as it is, what is taken apart as text, anything else as a value; an
/// error refuses the request.
template <class T>
void write_result(const request_context& context, result_writer& out, T&& result)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<type, boost::json::value> || std::is_same_v<type, json_view> ||
                  std::is_same_v<type, json_text>)
        out.write(result);
    else if constexpr (value_or_error<type>) {
        if (!result.has_value())
            out.refuse(rpc_error(std::forward<T>(result).error()).error());
        else if constexpr (std::is_void_v<typename type::value_type>)
            out.write(boost::json::value());
        else
            write_result(context, out, *std::forward<T>(result));
    } else if constexpr (!becomes_text<type>)
        out.write(to_result<boost::json::value>(context, std::forward<T>(result)));
    else
        write_parts(context, out, &write_any<type>, &result);
}

} // namespace partyline::detail
