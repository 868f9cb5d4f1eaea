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
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace partyline::detail {

// Boost.JSON converts too, but its errors name neither the place nor what was expected there.

// What reads says whether it has; where it has not, a problem has been noted.

PARTYLINE_EXPORT bool read_signed(const boost::json::value& value, const parameter_place& place, std::int64_t min,
                                  std::int64_t max, std::int64_t& into);
PARTYLINE_EXPORT bool read_unsigned(const boost::json::value& value, const parameter_place& place, std::uint64_t max,
                                    std::uint64_t& into);
/// Refuses what is not between -`max` and `max`.
PARTYLINE_EXPORT bool read_double(const boost::json::value& value, const parameter_place& place, double max,
                                  double& into);

// Null where it is something else.

PARTYLINE_EXPORT const bool* read_bool(const boost::json::value& value, const parameter_place& place);
PARTYLINE_EXPORT const boost::json::string* read_string(const boost::json::value& value, const parameter_place& place);
PARTYLINE_EXPORT const boost::json::array* read_array(const boost::json::value& value, const parameter_place& place);
PARTYLINE_EXPORT const boost::json::object* read_object(const boost::json::value& value, const parameter_place& place);
/// Text that may name a file: without NUL characters, where system calls would end it.
PARTYLINE_EXPORT const boost::json::string* read_path(const boost::json::value& value, const parameter_place& place);

/// "a value convertible to std::filesystem::path"
PARTYLINE_EXPORT std::string convertible_to(const std::type_info& type);

/// Has a conversion of its own, by `tag_invoke` as Boost.JSON looks for it.
template <class T>
concept has_own_conversion = requires(const boost::json::value& value) {
    tag_invoke(boost::json::value_to_tag<T>(), value);
} || requires(const boost::json::value& value) { tag_invoke(boost::json::try_value_to_tag<T>(), value); };

/// Hands over what has been read, where it is wanted.
template <class T, class... From>
bool put(std::optional<T>* into, From&&... from)
{
    if (into)
        into->emplace(std::forward<From>(from)...);
    return true;
}

/// Reads one argument, or a part of one, as a `T`. `read` says whether it could, and if so puts it, in default storage,
/// into what is empty; null: it is only asked whether it could. Else it notes a problem with the place. A struct whose
/// members have problems is taken for read all the same, so that all of them are told. `expected` says in plain words
/// what is read. Most have `read_text`: the same from text, into what `T()` is, as far as a `text_cursor` goes.
///
/// This one reads the types that nothing else is known about, the way Boost.JSON converts them.
template <class T>
struct argument_reader {
    using fallback = T;

    static std::string expected() { return convertible_to(typeid(T)); }

    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        static_assert(boost::json::has_value_to<T>::value,
                      "no way to read this type: describe it (BOOST_DESCRIBE_STRUCT) or give it a "
                      "tag_invoke(boost::json::try_value_to_tag<T>, const boost::json::value&)");
        auto result = boost::json::try_value_to<T>(value);
        return result ? put(into, std::move(*result)) : refuse_kind(place, &expected, value);
    }
};

template <>
struct argument_reader<bool> {
    static std::string expected() { return "boolean"; }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<bool>* into)
    {
        const bool* const found = read_bool(value, place);
        return found && put(into, *found);
    }
    static bool read_text(text_cursor& from, bool& into) noexcept { return from.read_bool(into); }
};

template <std::signed_integral T>
    requires(sizeof(T) <= sizeof(std::int64_t))
struct argument_reader<T> {
    using bounds = std::numeric_limits<T>;

    static std::string expected() { return "integer"; }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        std::int64_t number = 0;
        return read_signed(value, place, bounds::min(), bounds::max(), number) && put(into, static_cast<T>(number));
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
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        std::uint64_t number = 0;
        return read_unsigned(value, place, std::numeric_limits<T>::max(), number) && put(into, static_cast<T>(number));
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
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        double number = 0;
        return read_double(value, place, max, number) && put(into, static_cast<T>(number));
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
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<std::string>* into)
    {
        const boost::json::string* const string = read_string(value, place);
        return string && put(into, string->data(), string->size());
    }
    static bool read_text(text_cursor& from, std::string& into) { return from.read_string(into); }
};

template <>
struct argument_reader<boost::json::string> {
    static std::string expected() { return "string"; }
    static bool read(const boost::json::value& value, const parameter_place& place,
                     std::optional<boost::json::string>* into)
    {
        const boost::json::string* const string = read_string(value, place);
        return string && put(into, *string, boost::json::storage_ptr());
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
    static bool read(const boost::json::value& value, const parameter_place& place,
                     std::optional<boost::json::array>* into)
    {
        const boost::json::array* const array = read_array(value, place);
        return array && put(into, *array, boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::array& into)
    {
        boost::json::value value;
        if (!from.read_value(value) || !value.is_array())
            return false;
        into = std::move(value.get_array());
        return true;
    }
};

template <>
struct argument_reader<boost::json::object> {
    static std::string expected() { return "object"; }
    static bool read(const boost::json::value& value, const parameter_place& place,
                     std::optional<boost::json::object>* into)
    {
        const boost::json::object* const object = read_object(value, place);
        return object && put(into, *object, boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::object& into)
    {
        boost::json::value value;
        if (!from.read_value(value) || !value.is_object())
            return false;
        into = std::move(value.get_object());
        return true;
    }
};

template <>
struct argument_reader<boost::json::value> {
    static std::string expected() { return "any value"; }
    static bool read(const boost::json::value& value, const parameter_place&, std::optional<boost::json::value>* into)
    {
        return put(into, value, boost::json::storage_ptr());
    }
    static bool read_text(text_cursor& from, boost::json::value& into) { return from.read_value(into); }
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
