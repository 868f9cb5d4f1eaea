#pragma once

#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include <optional>
#include <ranges>
#include <span>
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
template <class T>
concept written_map = std::ranges::range<T> && !has_own_writing<T> && requires {
    typename T::mapped_type;
    requires std::is_convertible_v<const typename T::key_type&, std::string_view>;
};
template <class T>
concept written_sequence = std::ranges::range<T> && !has_own_writing<T> && !written_map<T> && !textual<T>;

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

/// A value as JSON, as a handler's arguments are read: described types with what their notes say, and what holds them.
/// Anything else as Boost.JSON converts it.
template <class T>
boost::json::value to_value(const T& from);

/// A member of a described struct, as writing it needs it. One that is an empty `std::optional` is left out.
struct member_value {
    void (*append)(boost::json::object& to, const void* from);
};

/// Appends each member.
boost::json::object write_members(const void* from, std::span<const member_value> members);

template <class T, class Member>
void append_member(boost::json::object& to, const void* from)
{
    const auto& member = static_cast<const T*>(from)->*Member::pointer;
    if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
        if (member)
            to.emplace(name_of_member<T, Member>(), to_value(*member));
    } else
        to.emplace(name_of_member<T, Member>(), to_value(member));
}

template <class T, class... Member>
boost::json::value struct_to_value(const T& from, boost::mp11::mp_list<Member...>)
{
    static constexpr std::array<member_value, sizeof...(Member)> members{member_value{&append_member<T, Member>}...};
    return write_members(&from, members);
}

template <class T, class... Enumerator>
boost::json::value enum_to_value(T from, boost::mp11::mp_list<Enumerator...>)
{
    std::string_view name;
    ((from == Enumerator::value ? void(name = name_of_enumerator<T, Enumerator>()) : void()), ...);
    if (are_numbers<T> || name.empty()) // no enumerator has this value
        return static_cast<std::int64_t>(from);
    return boost::json::value(name);
}

template <class T>
boost::json::value to_value(const T& from)
{
    if constexpr (is_value_already<T>)
        return boost::json::value(from);
    else if constexpr (written_struct<T>)
        return struct_to_value(
            from,
            boost::mp11::mp_rename<
                boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>,
                boost::mp11::mp_list>());
    else if constexpr (written_enum<T>)
        return enum_to_value(from,
                             boost::mp11::mp_rename<boost::describe::describe_enumerators<T>, boost::mp11::mp_list>());
    else if constexpr (is_optional<T>)
        return from ? to_value(*from) : boost::json::value();
    else if constexpr (is_variant<T>)
        return std::visit([](const auto& held) { return to_value(held); }, from);
    else if constexpr (is_tuple<T>)
        return std::apply([](const auto&... part) { return boost::json::value(boost::json::array{to_value(part)...}); },
                          from);
    else if constexpr (written_map<T>) {
        boost::json::object object;
        object.reserve(std::size(from));
        for (const auto& [name, value] : from)
            object.emplace(std::string_view(name), to_value(value));
        return object;
    } else if constexpr (written_sequence<T>) {
        boost::json::array array;
        for (const auto& element : from)
            array.push_back(to_value<std::ranges::range_value_t<T>>(element)); // also of a std::vector<bool>
        return array;
    } else
        return boost::json::value_from(from);
}

} // namespace partyline::detail
