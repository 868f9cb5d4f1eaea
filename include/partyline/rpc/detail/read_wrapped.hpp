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
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<type>* into)
    {
        std::optional<Rep> count;
        return argument_reader<Rep>::read(value, place, into ? &count : nullptr) && (!into || put(into, *count));
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
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        const boost::json::string* const text = read_path(value, place);
        return text && (!into || put(into, std::string(text->data(), text->size())));
    }
    static bool read_text(text_cursor& from, T& into)
    {
        std::string_view text;
        if (!from.read_string(text) || text.find('\0') != text.npos)
            return false;
        into = T(std::string(text));
        return true;
    }
};

/// Absent and null are both no value.
template <class T>
struct argument_reader<std::optional<T>> {
    static std::string expected() { return argument_reader<T>::expected() + " or null"; }
    static bool read(const boost::json::value& value, const parameter_place& place,
                     std::optional<std::optional<T>>* into)
    {
        std::optional<T>* const inner = into ? &into->emplace() : nullptr;
        return value.is_null() || argument_reader<T>::read(value, place, inner);
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
bool read_member(const boost::json::value* value, const parameter_place& place, std::optional<T>* into)
{
    if (value)
        return argument_reader<T>::read(*value, place, into);
    if constexpr (is_optional<T>)
        return put(into);
    else
        return refuse_missing(place, &argument_reader<T>::expected);
}

} // namespace partyline::detail
