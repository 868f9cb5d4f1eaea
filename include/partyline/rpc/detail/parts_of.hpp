#pragma once

#include <partyline/rpc/detail/shape.hpp>

#include <boost/mp11/list.hpp>
#include <boost/mp11/set.hpp>

namespace partyline::detail {

/// The types that a type consists of when it is read.
template <class T>
struct parts_of : parts_by_shape<T, read_shape<T>> {};
template <class T>
using parts_of_t = typename parts_of<T>::type;

/// A type and all that it is made of, each once, behind those of `Known`. (Each is looked at once: what is found on one
/// way is known on the next. Types that contain each other have factorially many ways.)
template <class Known, class T>
struct add_parts;

template <class Known, class... Part>
struct add_all_parts {
    using type = Known;
};
template <class Known, class First, class... Rest>
struct add_all_parts<Known, First, Rest...> : add_all_parts<typename add_parts<Known, First>::type, Rest...> {};

template <class Known, class... Part>
auto parts_added_to(boost::mp11::mp_list<Part...>) -> add_all_parts<Known, Part...>;

template <class Known, class T>
struct add_parts : decltype(parts_added_to<boost::mp11::mp_push_back<Known, T>>(parts_of_t<T>())) {};
template <class Known, class T>
    requires boost::mp11::mp_set_contains<Known, T>::value
struct add_parts<Known, T> {
    using type = Known;
};

template <class T>
using all_parts_of = typename add_parts<boost::mp11::mp_list<>, T>::type;

template <template <class> class Is, class... Part>
constexpr bool holds_for_all(boost::mp11::mp_list<Part...>*)
{
    return (Is<Part>::value && ...);
}

/// Whether `Is<T>::value` holds for this type and all that it is made of. A type may contain itself.
template <template <class> class Is, class T>
constexpr bool is_throughout()
{
    return holds_for_all<Is>(static_cast<all_parts_of<T>*>(nullptr));
}

/// Whether a type is among its own parts, or theirs.
template <class T>
struct is_its_own_part
    : boost::mp11::mp_set_contains<typename decltype(parts_added_to<boost::mp11::mp_list<>>(parts_of_t<T>()))::type,
                                   T> {};

template <class... Part>
constexpr bool has_own_part(boost::mp11::mp_list<Part...>*)
{
    return (is_its_own_part<Part>::value || ...);
}

/// Whether a type, or one that it is made of, contains itself.
template <class T>
constexpr bool is_recursive()
{
    return has_own_part(static_cast<all_parts_of<T>*>(nullptr));
}

} // namespace partyline::detail
