#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/check_notes.hpp>
#include <partyline/rpc/detail/parts_of.hpp>
#include <partyline/rpc/detail/to_value.hpp>

#include <boost/json/value.hpp>

#include <type_traits>

namespace partyline::detail {

/// `to_value` for users' values: for a type that can't be written, the first compile error is a sentence.
template <class T>
boost::json::value checked_value(const T& from, empty_optionals empty = empty_optionals::left_out)
{
    if constexpr (is_value_already<T> || std::is_convertible_v<T, const char*>)
        return to_value(from);
    else if constexpr (std::is_same_v<T, json_view> || std::is_same_v<T, json_text>)
        return from.to_value();
    else {
        constexpr bool are_notes_sound = is_throughout<is_sound, T>();
        constexpr bool is_writable = is_throughout<has_writer, T>();
        static_assert(
            is_writable,
            "no way to write this type, or a part of it, as JSON: describe it "
            "(BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM) or give it a tag_invoke(boost::json::value_from_tag, "
            "boost::json::value&, const T&)");
        if constexpr (is_writable && are_notes_sound)
            return to_value(from, empty);
        else
            return {};
    }
}

} // namespace partyline::detail
