#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace partyline::detail {

/// The array in `value`, of exactly `size` elements; expected "array of 3 elements". Null where it is something else.
PARTYLINE_EXPORT const boost::json::array* read_array_of(const boost::json::value& value, const parameter_place& place,
                                                         std::size_t size);
/// "array of 3 elements"
PARTYLINE_EXPORT std::string array_of(std::size_t size);

// Whether a type has a conversion of its own is looked for last: that is what takes the compiler longest.

/// A map from names to values. Best one that is ordered, as `std::map` is: the hash of `std::unordered_map` has no
/// secret, so a peer can choose names that collide in it, and make it take quadratic time.
template <class T>
concept map_like = requires(T map, std::string name, typename T::mapped_type value) {
    requires std::is_constructible_v<typename T::key_type, std::string_view>;
    map.emplace(std::move(name), std::move(value));
} && !has_own_conversion<T>;

/// A container of any number of values. The same goes for sets that hash, and for sorted vectors, where inserting
/// moves.
template <class T>
concept sequence_like = !requires { typename T::mapped_type; } && requires(T sequence, typename T::value_type value) {
    sequence.insert(sequence.end(), std::move(value));
} && !std::is_constructible_v<T, std::string_view> && !has_own_conversion<T>;

/// Says whether a key has been there before.
template <class T>
concept has_unique_keys = requires(T map, typename T::key_type key, typename T::mapped_type value) {
    { map.emplace(std::move(key), std::move(value)).second } -> std::convertible_to<bool>;
};

/// Whether the names of more members than these collide is looked at where a value is made of them.
inline constexpr std::size_t most_unwatched = 80;

template <map_like T>
struct argument_reader<T> {
    static std::string expected() { return "object"; }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        using type = typename T::mapped_type;
        const boost::json::object* const members = read_object(value, place);
        if (!members)
            return false;
        T* const map = into ? &into->emplace() : nullptr;
        for (const boost::json::key_value_pair& member : *members) {
            const std::string_view name = member.key();
            typename T::key_type key(name);
            std::optional<type> given;
            if (!argument_reader<type>::read(member.value(), parameter_place(place, name), map ? &given : nullptr))
                return false;
            if (map)
                map->emplace(std::move(key), std::move(*given));
        }
        return true;
    }
    static bool read_text(text_cursor& from, T& into)
        requires std::default_initializable<typename T::mapped_type> && has_unique_keys<T>
    {
        if (!from.begin_object())
            return false;
        std::string_view name;
        for (std::size_t left = most_unwatched; from.next_member(name); --left) {
            typename T::key_type key(name);
            typename T::mapped_type value = typename T::mapped_type();
            if (left == 0 || !detail::read_text(from, value) || !into.emplace(std::move(key), std::move(value)).second)
                return false;
        }
        return !from.has_failed();
    }
};

template <sequence_like T>
struct argument_reader<T> {
    static std::string expected() { return "array"; }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        using type = typename T::value_type;
        const boost::json::array* const elements = read_array(value, place);
        if (!elements)
            return false;
        T* const sequence = into ? &into->emplace() : nullptr;
        // No more than the first elements that will be there are worth: they may be large, and each two bytes of text.
        constexpr std::size_t most = 4096 / sizeof(type) + 1;
        if constexpr (requires { sequence->reserve(most); })
            if (sequence)
                sequence->reserve(std::min(elements->size(), most));
        for (std::size_t i = 0; i != elements->size(); ++i) {
            std::optional<type> given;
            if (!argument_reader<type>::read((*elements)[i], parameter_place(place, i), sequence ? &given : nullptr))
                return false;
            if (sequence)
                sequence->insert(sequence->end(), std::move(*given));
        }
        return true;
    }
    static bool read_text(text_cursor& from, T& into)
        requires std::default_initializable<typename T::value_type>
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
    static bool read_element(text_cursor& from, T& into)
    {
        using type = typename T::value_type;
        if constexpr (requires {
                          { into.emplace_back() } -> std::same_as<type&>;
                      })
            return detail::read_text(from, into.emplace_back());
        else {
            type element = type();
            if (!detail::read_text(from, element))
                return false;
            into.insert(into.end(), std::move(element));
            return true;
        }
    }
};

template <class T, std::size_t N>
struct argument_reader<std::array<T, N>> {
    static std::string expected() { return array_of(N); }
    static bool read(const boost::json::value& value, const parameter_place& place,
                     std::optional<std::array<T, N>>* into)
    {
        const boost::json::array* const elements = read_array_of(value, place, N);
        if (!elements)
            return false;
        std::array<T, N>* const array = into ? &into->emplace() : nullptr;
        for (std::size_t i = 0; i != N; ++i) {
            std::optional<T> given;
            if (!argument_reader<T>::read((*elements)[i], parameter_place(place, i), array ? &given : nullptr))
                return false;
            if (array)
                (*array)[i] = std::move(*given);
        }
        return true;
    }
    static bool read_text(text_cursor& from, std::array<T, N>& into)
        requires std::default_initializable<T>
    {
        if (!from.begin_array())
            return false;
        for (T& element : into)
            if (!from.next_element() || !detail::read_text(from, element))
                return false;
        return !from.next_element();
    }
};

template <class Tuple, class... T>
struct tuple_reader {
    static std::string expected() { return array_of(sizeof...(T)); }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<Tuple>* into)
    {
        const boost::json::array* const elements = read_array_of(value, place, sizeof...(T));
        return elements && read(*elements, place, into, std::index_sequence_for<T...>());
    }
    static bool read_text(text_cursor& from, Tuple& into)
        requires(std::default_initializable<T> && ...)
    {
        const auto read_part = [&](auto& part) { return from.next_element() && detail::read_text(from, part); };
        return from.begin_array() && std::apply([&](auto&... part) { return (read_part(part) && ...); }, into) &&
               !from.next_element();
    }

private:
    template <std::size_t... I>
    static bool read([[maybe_unused]] const boost::json::array& elements, [[maybe_unused]] const parameter_place& place,
                     std::optional<Tuple>* into, std::index_sequence<I...>)
    {
        std::tuple<std::optional<T>...> given;
        const bool is_read =
            (argument_reader<T>::read(elements[I], parameter_place(place, I), into ? &std::get<I>(given) : nullptr) &&
             ...);
        return is_read && (!into || put(into, std::move(*std::get<I>(given))...));
    }
};

template <class... T>
struct argument_reader<std::tuple<T...>> : tuple_reader<std::tuple<T...>, T...> {};

template <class A, class B>
struct argument_reader<std::pair<A, B>> : tuple_reader<std::pair<A, B>, A, B> {};

} // namespace partyline::detail
