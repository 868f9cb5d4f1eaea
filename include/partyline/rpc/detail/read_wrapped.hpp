#pragma once

#include <partyline/rpc/detail/argument_reader.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::detail {

// Types that stand for a value of another one: durations, paths, what may be empty.

/// A number of the type's own unit.
template <class T>
struct argument_reader<T, shape::duration> {
    using count_type = typename T::rep;

    static std::string expected() { return argument_reader<count_type>::expected(); }
    static bool read(json_source& from, T& into)
    {
        count_type count = count_type();
        if (!argument_reader<count_type>::read(from, count))
            return false;
        into = T(count);
        return true;
    }
};

template <class T>
struct argument_reader<T, shape::path> {
    static std::string expected() { return "string"; }
    static bool read(json_source& from, T& into)
    {
        std::string text;
        if (!read_path(from, text))
            return false;
        into = T(std::move(text));
        return true;
    }
};

/// A member that is left out and null both mean no value.
template <class T>
struct argument_reader<T, shape::optional> {
    using held = typename T::value_type;

    static std::string expected() { return argument_reader<held>::expected() + " or null"; }
    static bool read(json_source& from, T& into)
    {
        if (from.read_null())
            return true;
        if constexpr (std::is_same_v<read_slot<held>, held>)
            return argument_reader<held>::read(from, into.emplace());
        else
            return argument_reader<held>::read(from, into);
    }
};

} // namespace partyline::detail
