#pragma once

#include <partyline/rpc/detail/argument_reader.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::detail {

// Types that stand for a value of another one: durations, paths, what may be empty.

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

/// A number of the type's own unit.
template <class Rep, class Period>
struct argument_reader<std::chrono::duration<Rep, Period>> {
    using type = std::chrono::duration<Rep, Period>;

    static std::string expected() { return argument_reader<Rep>::expected(); }
    static bool could_be(const boost::json::value& value) noexcept { return value.is_number(); }
    static type read(const boost::json::value& value, const parameter_place& place)
    {
        return type(argument_reader<Rep>::read(value, place));
    }
    static bool read_text(text_cursor& from, type& into)
    {
        Rep count = Rep();
        if (!detail::read_text(from, count))
            return false;
        into = type(count);
        return true;
    }
};

/// `std::filesystem::path`, whose header is long: its own form is text, on POSIX.
template <class T>
concept path_like = requires(const T& path) {
    typename T::format;
    { path.native() } -> std::convertible_to<const std::string&>;
};

template <path_like T>
struct argument_reader<T> {
    static std::string expected() { return "string"; }
    static bool could_be(const boost::json::value& value) noexcept { return value.is_string(); }
    static T read(const boost::json::value& value, const parameter_place& place) { return T(read_path(value, place)); }
    static bool read_text(text_cursor& from, T& into)
    {
        std::string_view text;
        if (!from.read_string(text) || text.find('\0') != text.npos)
            return false;
        into = T(std::string(text));
        return true;
    }
};

/// Whether it is worth trying to read a value: false only where that must fail.
template <class Reader>
bool could_be(const boost::json::value& value)
{
    if constexpr (requires { Reader::could_be(value); })
        return Reader::could_be(value);
    else if constexpr (requires { Reader::fits(value); })
        return Reader::fits(value);
    else
        return true;
}

/// Absent and null are both no value.
template <class T>
struct argument_reader<std::optional<T>> {
    static std::string expected() { return argument_reader<T>::expected() + " or null"; }
    static bool could_be(const boost::json::value& value)
    {
        return value.is_null() || detail::could_be<argument_reader<T>>(value);
    }
    static std::optional<T> read(const boost::json::value& value, const parameter_place& place)
    {
        if (value.is_null())
            return std::nullopt;
        return argument_reader<T>::read(value, place);
    }
    static bool read_text(text_cursor& from, std::optional<T>& into)
        requires std::default_initializable<T>
    {
        return from.read_null() || detail::read_text(from, into.emplace());
    }
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Reads a member that may be missing: `value` is null then.
template <class T>
T read_member(const boost::json::value* value, const parameter_place& place)
{
    if (value)
        return argument_reader<T>::read(*value, place);
    if constexpr (is_optional<T>)
        return std::nullopt;
    else
        throw_missing(place, argument_reader<T>::expected());
}

} // namespace partyline::detail
