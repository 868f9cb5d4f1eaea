#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace partyline::detail {

/// "array of 3 elements"
PARTYLINE_EXPORT std::string array_of(std::size_t size);

/// Whether an insertion reports that a key has been there before.
template <class T>
concept has_unique_keys = requires(T map, typename T::key_type key, typename T::mapped_type value) {
    { map.emplace(std::move(key), std::move(value)).second } -> std::convertible_to<bool>;
};

template <class T>
struct argument_reader<T, shape::map> {
    static std::string expected() { return "object"; }
    static bool read(json_source& from, T& into)
    {
        using type = typename T::mapped_type;
        if (!from.begin_object() || (!has_unique_keys<T> && !from.knows_names()))
            return false;
        std::string_view name;
        for (std::size_t left = from.most_names(); from.next_member(name); --left) {
            typename T::key_type key(name);
            read_slot<type> value = read_slot<type>();
            if (left == 0 || !argument_reader<type>::read(from, value) ||
                !add(from, into, std::move(key), take<type>(value)))
                return false;
        }
        return !from.has_failed();
    }

private:
    // Of duplicate names, the last one counts.
    static bool add(const json_source& from, T& into, typename T::key_type&& key, typename T::mapped_type&& value)
    {
        if constexpr (has_unique_keys<T>)
            return into.emplace(std::move(key), std::move(value)).second || from.knows_names();
        else {
            into.emplace(std::move(key), std::move(value));
            return true;
        }
    }
};

template <class T>
struct argument_reader<T, shape::sequence> {
    static std::string expected() { return "array"; }
    static bool read(json_source& from, T& into)
    {
        if (!from.begin_array())
            return false;
        constexpr std::size_t few = 4;
        if constexpr (requires { into.reserve(few); } && sizeof(typename T::value_type) <= 64)
            into.reserve(few);
        while (from.next_element())
            if (!read_element(from, into))
                return false;
        return true;
    }

private:
    static bool read_element(json_source& from, T& into)
    {
        using type = typename T::value_type;
        if constexpr (std::is_same_v<read_slot<type>, type> && requires {
                          { into.emplace_back() } -> std::same_as<type&>;
                      })
            return argument_reader<type>::read(from, into.emplace_back());
        else {
            read_slot<type> element = read_slot<type>();
            if (!argument_reader<type>::read(from, element))
                return false;
            into.insert(into.end(), take<type>(element));
            return true;
        }
    }
};

template <class T>
struct argument_reader<T, shape::fixed_array> {
    static constexpr std::size_t size = std::tuple_size_v<T>;

    static std::string expected() { return array_of(size); }
    static bool read(json_source& from, T& into)
    {
        if (!from.begin_array(size))
            return false;
        for (auto& element : into)
            if (!from.next_element() || !argument_reader<typename T::value_type>::read(from, element))
                return false;
        return !from.next_element();
    }
};

template <class T>
struct argument_reader<T, shape::tuple> {
    static constexpr std::size_t size = std::tuple_size_v<T>;

    static std::string expected() { return array_of(size); }
    static bool read(json_source& from, read_slot<T>& into)
    {
        return from.begin_array(size) && read(from, into, std::make_index_sequence<size>());
    }

private:
    template <std::size_t... I>
    static bool read(json_source& from, read_slot<T>& into, std::index_sequence<I...>)
    {
        std::tuple<read_slot<std::tuple_element_t<I, T>>...> parts;
        const bool is_read = (read_part<std::tuple_element_t<I, T>>(from, std::get<I>(parts)) && ...);
        if (!is_read || from.next_element())
            return false;
        put(into, T(take<std::tuple_element_t<I, T>>(std::get<I>(parts))...));
        return true;
    }

    template <class Part>
    static bool read_part(json_source& from, read_slot<Part>& into)
    {
        return from.next_element() && argument_reader<Part>::read(from, into);
    }
};

} // namespace partyline::detail
