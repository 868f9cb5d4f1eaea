#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/parameter_place.hpp>
#include <partyline/rpc/detail/text_cursor.hpp>

#include <boost/json/conversion.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

namespace partyline::detail {

// Boost.JSON converts too, but its errors name neither the place nor what was expected there.

// The is_… functions say whether the read_… functions would succeed: a variant asks before it reads.

PARTYLINE_EXPORT bool is_signed_within(const boost::json::value&, std::int64_t min, std::int64_t max) noexcept;
PARTYLINE_EXPORT bool is_unsigned_within(const boost::json::value&, std::uint64_t max) noexcept;
PARTYLINE_EXPORT std::int64_t read_signed(const boost::json::value&, const parameter_place&, std::int64_t min,
                                          std::int64_t max);
PARTYLINE_EXPORT std::uint64_t read_unsigned(const boost::json::value&, const parameter_place&, std::uint64_t max);
/// Refuses what is not between -`max` and `max`.
PARTYLINE_EXPORT double read_double(const boost::json::value&, const parameter_place&, double max);
PARTYLINE_EXPORT bool read_bool(const boost::json::value&, const parameter_place&);
PARTYLINE_EXPORT const boost::json::string& read_string(const boost::json::value&, const parameter_place&);
PARTYLINE_EXPORT const boost::json::array& read_array(const boost::json::value&, const parameter_place&);
PARTYLINE_EXPORT const boost::json::object& read_object(const boost::json::value&, const parameter_place&);

/// Text that may name a file: without NUL characters, where system calls would end it.
PARTYLINE_EXPORT std::string read_path(const boost::json::value& value, const parameter_place& place);

/// "a value convertible to std::filesystem::path"
PARTYLINE_EXPORT std::string convertible_to(const std::type_info& type);

/// Has a conversion of its own, by `tag_invoke` as Boost.JSON looks for it.
template <class T>
concept has_own_conversion = requires(const boost::json::value& value) {
    tag_invoke(boost::json::value_to_tag<T>(), value);
} || requires(const boost::json::value& value) { tag_invoke(boost::json::try_value_to_tag<T>(), value); };

/// Reads one argument, or a part of one, as a `T`. `read` throws `rpc_error` -32602 naming the place; `expected` says
/// in plain words what is read. What it returns lives in default storage. Some have `fits`: whether `read` would
/// succeed. Most have `read_text`: the same from text, into what `T()` is, as far as a `text_cursor` goes.
///
/// This one reads the types that nothing else is known about, the way Boost.JSON converts them.
template <class T>
struct argument_reader {
    using fallback = T;

    static std::string expected() { return convertible_to(typeid(T)); }

    static T read(const boost::json::value& value, const parameter_place& place)
    {
        static_assert(boost::json::has_value_to<T>::value,
                      "no way to read this type: describe it (BOOST_DESCRIBE_STRUCT) or give it a "
                      "tag_invoke(boost::json::try_value_to_tag<T>, const boost::json::value&)");
        auto result = boost::json::try_value_to<T>(value);
        if (!result)
            throw_wrong_kind(place, expected(), value);
        return std::move(*result);
    }
};

template <>
struct argument_reader<bool> {
    static std::string expected() { return "boolean"; }
    static bool fits(const boost::json::value& value) noexcept { return value.is_bool(); }
    static bool read(const boost::json::value& value, const parameter_place& place) { return read_bool(value, place); }
    static bool read_text(text_cursor& from, bool& into) noexcept { return from.read_bool(into); }
};

template <std::signed_integral T>
    requires(sizeof(T) <= sizeof(std::int64_t))
struct argument_reader<T> {
    using bounds = std::numeric_limits<T>;

    static std::string expected() { return "integer"; }
    static bool fits(const boost::json::value& value) noexcept
    {
        return is_signed_within(value, bounds::min(), bounds::max());
    }
    static T read(const boost::json::value& value, const parameter_place& place)
    {
        return static_cast<T>(read_signed(value, place, bounds::min(), bounds::max()));
    }
    static bool read_text(text_cursor& from, T& into) noexcept
    {
        std::int64_t number = 0;
        const bool is_read = from.read_signed(number, bounds::min(), bounds::max());
        into = static_cast<T>(number);
        return is_read;
    }
};

template <std::unsigned_integral T>
    requires(sizeof(T) <= sizeof(std::uint64_t))
struct argument_reader<T> {
    static std::string expected() { return "integer"; }
    static bool fits(const boost::json::value& value) noexcept
    {
        return is_unsigned_within(value, std::numeric_limits<T>::max());
    }
    static T read(const boost::json::value& value, const parameter_place& place)
    {
        return static_cast<T>(read_unsigned(value, place, std::numeric_limits<T>::max()));
    }
    static bool read_text(text_cursor& from, T& into) noexcept
    {
        std::uint64_t number = 0;
        const bool is_read = from.read_unsigned(number, std::numeric_limits<T>::max());
        into = static_cast<T>(number);
        return is_read;
    }
};

template <std::floating_point T>
struct argument_reader<T> {
    static std::string expected() { return "number"; }
    static bool could_be(const boost::json::value& value) noexcept { return value.is_number(); }
    static T read(const boost::json::value& value, const parameter_place& place)
    {
        return static_cast<T>(read_double(value, place, max));
    }
    static bool read_text(text_cursor& from, T& into) noexcept
    {
        double number = 0;
        if (!from.read_double(number, max))
            return false;
        into = static_cast<T>(number);
        return true;
    }

private:
    static constexpr bool is_narrow = sizeof(T) < sizeof(double);
    static constexpr double max =
        is_narrow ? double(std::numeric_limits<T>::max()) : std::numeric_limits<double>::max();
};

template <>
struct argument_reader<std::string> {
    static std::string expected() { return "string"; }
    static bool fits(const boost::json::value& value) noexcept { return value.is_string(); }
    static std::string read(const boost::json::value& value, const parameter_place& place)
    {
        const boost::json::string& string = read_string(value, place);
        return std::string(string.data(), string.size());
    }
    static bool read_text(text_cursor& from, std::string& into) { return from.read_string(into); }
};

template <>
struct argument_reader<boost::json::string> {
    static std::string expected() { return "string"; }
    static bool fits(const boost::json::value& value) noexcept { return value.is_string(); }
    static boost::json::string read(const boost::json::value& value, const parameter_place& place)
    {
        return boost::json::string(read_string(value, place), boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::string& into)
    {
        std::string_view text;
        if (!from.read_string(text))
            return false;
        into = text;
        return true;
    }
};

template <>
struct argument_reader<boost::json::array> {
    static std::string expected() { return "array"; }
    static bool fits(const boost::json::value& value) noexcept { return value.is_array(); }
    static boost::json::array read(const boost::json::value& value, const parameter_place& place)
    {
        return boost::json::array(read_array(value, place), boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::array& into)
    {
        into = std::move(from.read_value().as_array()); // throws where it is none
        return true;
    }
};

template <>
struct argument_reader<boost::json::object> {
    static std::string expected() { return "object"; }
    static bool fits(const boost::json::value& value) noexcept { return value.is_object(); }
    static boost::json::object read(const boost::json::value& value, const parameter_place& place)
    {
        return boost::json::object(read_object(value, place), boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::object& into)
    {
        into = std::move(from.read_value().as_object()); // throws where it is none
        return true;
    }
};

template <>
struct argument_reader<boost::json::value> {
    static std::string expected() { return "any value"; }
    static boost::json::value read(const boost::json::value& value, const parameter_place&)
    {
        return boost::json::value(value, boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::value& into)
    {
        into = from.read_value();
        return true;
    }
};

/// Whether a type can be read from text, but for what it is made of.
template <class T>
    struct has_text_reader : std::bool_constant < requires(text_cursor& from, T& into) {
    argument_reader<T>::read_text(from, into);
}>{};

/// Reads what may turn out to be of a type that can't be read so.
template <class T>
bool read_text(text_cursor& from, T& into)
{
    if constexpr (has_text_reader<T>::value)
        return argument_reader<T>::read_text(from, into);
    else
        return false;
}

} // namespace partyline::detail
