#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/json_source.hpp>
#include <partyline/rpc/detail/shape.hpp>

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

/// "a value convertible to std::filesystem::path"
PARTYLINE_EXPORT std::string convertible_to(const std::type_info& type);

PARTYLINE_EXPORT bool read_array(json_source& from, boost::json::array& into);
PARTYLINE_EXPORT bool read_object(json_source& from, boost::json::object& into);
/// Text that may name a file: without NUL characters, where system calls would end it.
PARTYLINE_EXPORT bool read_path(json_source& from, std::string& into);

/// The type that a `T` is read into: `T` itself, where it has a default constructor and can be assigned.
template <class T>
struct slot_for {
    using type = std::optional<T>;
};
template <std::default_initializable T>
    requires std::is_move_assignable_v<T>
struct slot_for<T> {
    using type = T;
};
template <class T>
struct slot_for<std::optional<T>> {
    using type = std::optional<T>;
};
template <class T>
using read_slot = typename slot_for<T>::type;

/// Takes a value that has been read out of its slot.
template <class T>
T&& take(T& slot)
{
    return std::move(slot);
}
template <class T>
T&& take(std::type_identity_t<std::optional<T>>& slot)
{
    return std::move(*slot);
}

/// Puts a value that has been read into its slot.
template <class T>
void put(T& slot, std::type_identity_t<T>&& read)
{
    slot = std::move(read);
}
template <class T>
void put(std::optional<T>& slot, std::type_identity_t<T>&& read)
{
    slot.emplace(std::move(read));
}

/// Reads a `T`, into a new slot: `read_slot<T>()`. `read` returns whether it could: see `json_source`. `expected` names
/// the expected value in plain words.
///
/// This one reads the types that nothing else is known about, the way Boost.JSON converts them.
template <class T, shape Shape = read_shape<T>>
struct argument_reader {
    using fallback = T;

    static std::string expected() { return convertible_to(typeid(T)); }

    static bool read(json_source& from, read_slot<T>& into)
    {
        static_assert(boost::json::has_value_to<T>::value,
                      "no way to read this type: describe it (BOOST_DESCRIBE_STRUCT) or give it a "
                      "tag_invoke(boost::json::try_value_to_tag<T>, const boost::json::value&)");
        const boost::json::value* const value = from.value();
        if (!value)
            return from.refuse_kind(&expected);
        auto result = boost::json::try_value_to<T>(*value);
        if (!result)
            return from.refuse_kind(&expected);
        put(into, std::move(*result));
        return true;
    }
};

template <class T>
struct argument_reader<T, shape::boolean> {
    static std::string expected() { return "boolean"; }
    static bool read(json_source& from, T& into) { return from.read_bool(into); }
};

template <class T>
struct argument_reader<T, shape::integer> {
    using bounds = std::numeric_limits<T>;

    static std::string expected() { return "integer"; }
    static bool read(json_source& from, T& into)
    {
        std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> number = 0;
        bool is_read = false;
        if constexpr (std::is_signed_v<T>)
            is_read = from.read_signed(number, bounds::min(), bounds::max());
        else
            is_read = from.read_unsigned(number, bounds::max());
        into = static_cast<T>(number);
        return is_read;
    }
};

template <class T>
struct argument_reader<T, shape::number> {
    static std::string expected() { return "number"; }
    static bool read(json_source& from, T& into)
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

template <class T>
struct argument_reader<T, shape::text> {
    static std::string expected() { return "string"; }
    static bool read(json_source& from, T& into)
    {
        if constexpr (std::is_same_v<T, std::string>)
            return from.read_string(into);
        else {
            std::string_view text;
            if (!from.read_string(text))
                return false;
            into = text;
            return true;
        }
    }
};

template <>
struct argument_reader<std::string_view> {
    static std::string expected() { return "string"; }
    static bool read(json_source& from, std::string_view& into) { return from.read_view(into); }
};

template <class T>
struct argument_reader<T, shape::array> {
    static std::string expected() { return "array"; }
    static bool read(json_source& from, T& into) { return read_array(from, into); }
};

template <class T>
struct argument_reader<T, shape::object> {
    static std::string expected() { return "object"; }
    static bool read(json_source& from, T& into) { return read_object(from, into); }
};

template <class T>
struct argument_reader<T, shape::any> {
    static std::string expected() { return "any value"; }
    static bool read(json_source& from, T& into) { return from.read_value(into); }
};

template <>
struct argument_reader<json_view> {
    static std::string expected() { return "any value"; }
    static bool read(json_source& from, json_view& into) { return from.read_raw(into); }
};

template <>
struct argument_reader<json_text> {
    static std::string expected() { return "any value"; }
    static bool read(json_source& from, json_text& into)
    {
        json_view text;
        if (!from.read_raw(text))
            return false;
        into = json_text(text);
        return true;
    }
};

} // namespace partyline::detail
