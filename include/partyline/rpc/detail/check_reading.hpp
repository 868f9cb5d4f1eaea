#pragma once

#include <partyline/rpc/detail/check_notes.hpp>
#include <partyline/rpc/detail/parts_of.hpp>
#include <partyline/rpc/detail/read_argument.hpp>

#include <boost/json/value_to.hpp>

#include <string_view>
#include <type_traits>

namespace partyline::detail {

// Checks of types that are to be read.

/// Whether a type has a reader, or a conversion of Boost.JSON's.
template <class T>
struct has_reader : std::bool_constant<true> {};
template <class T>
    requires requires { typename argument_reader<T>::fallback; }
struct has_reader<T> : std::bool_constant<boost::json::has_value_to<T>::value> {};

template <class T>
struct is_no_raw_text : std::bool_constant<!is_raw<T>> {};
template <class T>
struct is_no_string_view : std::bool_constant<!std::is_same_v<T, std::string_view>> {};
template <class T>
    requires(read_shape<T> == shape::map)
struct is_no_string_view<T> : is_no_string_view<typename T::key_type> {};

/// Whether a type can be read, of params or of the result of a call.
template <class T>
constexpr bool check_reading()
{
    constexpr bool are_notes_sound = is_throughout<is_sound, T>();
    constexpr bool is_without_raw = is_throughout<is_no_raw_text, T>();
    constexpr bool is_without_views = is_throughout<is_no_string_view, T>();
    constexpr bool is_readable = is_throughout<has_reader, T>();
    static_assert(is_without_raw, "raw text is read by itself, a result as json_text: it is no part of another type");
    static_assert(is_without_views, "text in what is read is a std::string, not a view: what it would show is gone");
    static_assert(!is_without_raw || !is_without_views || is_readable,
                  "no way to read this type, or a part of it: describe it (BOOST_DESCRIBE_STRUCT, "
                  "BOOST_DESCRIBE_ENUM) or give it a "
                  "tag_invoke(boost::json::try_value_to_tag<T>, const boost::json::value&)");
    return are_notes_sound && is_without_raw && is_without_views && is_readable;
}

} // namespace partyline::detail
