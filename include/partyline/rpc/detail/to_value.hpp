#pragma once

#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace partyline::detail {

/// What `json::value` has a constructor for: the full conversion would only cost compile time.
template <class T>
inline constexpr bool is_value_already =
    std::is_integral_v<T> || std::is_same_v<T, double> || std::is_same_v<T, std::string> ||
    std::is_same_v<T, boost::json::value> || std::is_same_v<T, boost::json::string> ||
    std::is_same_v<T, boost::json::array> || std::is_same_v<T, boost::json::object>;

/// Has a conversion of its own, by `tag_invoke` as Boost.JSON looks for it.
template <class T>
concept has_own_writing =
    requires(boost::json::value& into, const T& from) { tag_invoke(boost::json::value_from_tag(), into, from); };

template <class T>
concept written_struct = std::is_class_v<T> && boost::describe::has_describe_members<T>::value && !has_own_writing<T>;
template <class T>
concept written_enum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value && !has_own_writing<T>;
/// Of the elements of a range, or void. (The header for ranges takes longer to compile than all of this.)
template <class T>
struct element_of {
    using type = void;
};
template <class T>
    requires requires(const T& range) {
        range.begin() != range.end();
        *range.begin();
    }
struct element_of<T> {
    using type = std::iter_value_t<decltype(std::declval<const T&>().begin())>;
};
template <class T, std::size_t Count>
struct element_of<T[Count]> {
    using type = T;
};
template <class T>
using element_of_t = typename element_of<T>::type;
template <class T>
concept has_elements = !std::is_void_v<element_of_t<T>>;

template <class T>
concept written_map = has_elements<T> && !has_own_writing<T> && requires {
    typename T::mapped_type;
    requires std::is_convertible_v<const typename T::key_type&, std::string_view> || path_like<typename T::key_type>;
};
template <class T>
concept written_sequence = has_elements<T> && !has_own_writing<T> && !written_map<T> && !textual<T> &&
                           !std::is_same_v<element_of_t<T>, T>; // its parts would never end

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

/// Whether there is a way to write a type, but for what it is made of.
template <class T>
concept writable =
    is_value_already<T> || written_struct<T> || written_enum<T> || is_duration<T> || path_like<T> || is_optional<T> ||
    is_variant<T> || is_tuple<T> || written_map<T> || written_sequence<T> || boost::json::has_value_from<T>::value;
template <class T>
struct has_writer : std::bool_constant<writable<T>> {};

/// A value as JSON, as a handler's arguments are read: described types with what their notes say, and what holds them.
/// Anything else as Boost.JSON converts it. `empty` is for types that don't say it themselves.
template <class T>
boost::json::value to_value(const T& from, empty_optionals empty = empty_optionals::left_out);

/// A member of a described struct, as writing it needs it.
struct member_value {
    void (*append)(boost::json::object& to, const void* from, empty_optionals empty);
};

/// Appends each member.
boost::json::object write_members(const void* from, array_view<const member_value> members, empty_optionals empty);

template <class T, class Member>
void append_member(boost::json::object& to, const void* from, empty_optionals empty)
{
    const auto& member = static_cast<const T*>(from)->*Member::pointer;
    if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
        if (!member && rule_of<empty_optionals, T>().value_or(empty) == empty_optionals::left_out)
            return;
    }
    to.emplace(name_of_member<T, Member>(), to_value(member, empty));
}

template <class T, class... Member>
boost::json::value struct_to_value(const T& from, empty_optionals empty, boost::mp11::mp_list<Member...>)
{
    static constexpr std::array<member_value, sizeof...(Member)> members{member_value{&append_member<T, Member>}...};
    return write_members(&from, members, empty);
}

template <class T, class... Enumerator>
boost::json::value enum_to_value(T from, boost::mp11::mp_list<Enumerator...>)
{
    std::optional<std::string_view> name; // the first; one that comes later is another name of the same value
    ((from == Enumerator::value && !name ? void(name = name_of_enumerator<T, Enumerator>()) : void()), ...);
    if (are_numbers<T> || !name)
        return static_cast<std::int64_t>(from);
    return boost::json::value(*name);
}

template <class Key>
std::string_view key_text(const Key& key)
{
    if constexpr (path_like<Key>)
        return key.native();
    else
        return key;
}

template <class T>
boost::json::value map_to_value(const T& from, empty_optionals empty)
{
    boost::json::object object;
    object.reserve(std::size(from));
    for (const auto& [name, value] : from)
        object.emplace(key_text(name), to_value(value, empty));
    return object;
}

template <class T>
boost::json::value sequence_to_value(const T& from, empty_optionals empty)
{
    boost::json::array array;
    for (const auto& element : from)
        array.push_back(to_value<element_of_t<T>>(element, empty)); // also of a std::vector<bool>
    return array;
}

/// A null pointer is null: a peer may have a say in which it is.
inline boost::json::value text_to_value(const char* text)
{
    return text ? boost::json::value(text) : boost::json::value();
}

template <class T>
boost::json::value to_value(const T& from, [[maybe_unused]] empty_optionals empty)
{
    if constexpr (is_value_already<T>)
        return boost::json::value(from);
    else if constexpr (std::is_convertible_v<T, const char*>)
        return text_to_value(from);
    else if constexpr (written_struct<T>)
        return struct_to_value(from, empty, member_list<T>());
    else if constexpr (written_enum<T>)
        return enum_to_value(from, enumerator_list<T>());
    else if constexpr (is_duration<T>)
        return to_value(from.count());
    else if constexpr (path_like<T>)
        return boost::json::value(from.native());
    else if constexpr (is_optional<T>)
        return from ? to_value(*from, empty) : boost::json::value();
    else if constexpr (is_variant<T>)
        return std::visit([&](const auto& held) { return to_value(held, empty); }, from);
    else if constexpr (is_tuple<T>)
        return std::apply(
            [&](const auto&... part) { return boost::json::value(boost::json::array{to_value(part, empty)...}); },
            from);
    else if constexpr (written_map<T>)
        return map_to_value(from, empty);
    else if constexpr (written_sequence<T>)
        return sequence_to_value(from, empty);
    else
        return boost::json::value_from(from);
}

} // namespace partyline::detail
