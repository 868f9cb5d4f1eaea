#pragma once

#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <boost/mp11/list.hpp>

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace partyline::detail {

/// The types that a type is made of, in JSON: those of members, elements, alternatives. Empty for one that is a whole.
template <class T>
struct parts_of {
    using type = boost::mp11::mp_list<>;
};
template <class T>
struct parts_of<std::optional<T>> {
    using type = boost::mp11::mp_list<T>;
};
template <class T, std::size_t Count>
struct parts_of<std::array<T, Count>> {
    using type = boost::mp11::mp_list<T>;
};
template <class... T>
struct parts_of<std::tuple<T...>> {
    using type = boost::mp11::mp_list<T...>;
};
template <class A, class B>
struct parts_of<std::pair<A, B>> {
    using type = boost::mp11::mp_list<A, B>;
};
template <class... T>
struct parts_of<std::variant<T...>> {
    using type = boost::mp11::mp_list<T...>;
};
template <map_like T>
struct parts_of<T> {
    using type = boost::mp11::mp_list<typename T::mapped_type>;
};
template <sequence_like T>
struct parts_of<T> {
    using type = boost::mp11::mp_list<typename T::value_type>;
};
template <described_struct T>
struct parts_of<T> {
    template <class Member>
    using type_of = member_type<T, Member>;
    using type = boost::mp11::mp_transform<type_of, member_list<T>>;
};
template <class T>
using parts_of_t = typename parts_of<T>::type;

/// Whether `Is<T>::value` holds for this type and all that it is made of. A type may contain itself.
template <template <class> class Is, class T, class... Outer>
constexpr bool is_throughout()
{
    if constexpr ((std::is_same_v<T, Outer> || ...))
        return true;
    else if constexpr (!Is<T>::value)
        return false;
    else
        return []<class... Part>(boost::mp11::mp_list<Part...>) {
            return (is_throughout<Is, Part, T, Outer...>() && ...);
        }(parts_of_t<T>());
}

/// Whether a type contains itself.
template <class T, class... Outer>
constexpr bool is_recursive()
{
    if constexpr ((std::is_same_v<T, Outer> || ...))
        return true;
    else
        return []<class... Part>(boost::mp11::mp_list<Part...>) {
            return (is_recursive<Part, T, Outer...>() || ...);
        }(parts_of_t<T>());
}

} // namespace partyline::detail
