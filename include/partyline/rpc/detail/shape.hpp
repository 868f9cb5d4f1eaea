#pragma once

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/json/conversion.hpp>
#include <boost/json/value.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace partyline::detail {

/// The form of a type in JSON. Readers, writers, schemas and checks all use it.
enum class shape : std::uint8_t {
    other, ///< nothing is known of it: Boost.JSON converts it, if anything does
    boolean,
    integer,
    number,
    text,   ///< a string of std or Boost.JSON
    any,    ///< a value
    object, ///< one of Boost.JSON
    array,  ///< the same
    optional,
    variant,
    tuple,       ///< or a pair
    fixed_array, ///< of just so many elements
    duration,    ///< a number of its unit
    path,        ///< `std::filesystem::path`, whose header is long: its own form is text, on POSIX
    structure,   ///< described
    enumeration, ///< described
    map,
    sequence
};

/// The shape of types for which it is fixed.
template <class T>
inline constexpr shape fixed_shape = std::is_integral_v<T> && sizeof(T) <= sizeof(std::int64_t) ? shape::integer
                                     : std::is_floating_point_v<T>                              ? shape::number
                                                                                                : shape::other;
template <>
inline constexpr shape fixed_shape<bool> = shape::boolean;
template <>
inline constexpr shape fixed_shape<std::string> = shape::text;
template <>
inline constexpr shape fixed_shape<boost::json::string> = shape::text;
template <>
inline constexpr shape fixed_shape<boost::json::value> = shape::any;
template <>
inline constexpr shape fixed_shape<boost::json::object> = shape::object;
template <>
inline constexpr shape fixed_shape<boost::json::array> = shape::array;
template <class T>
inline constexpr shape fixed_shape<std::optional<T>> = shape::optional;
template <class... T>
inline constexpr shape fixed_shape<std::variant<T...>> = shape::variant;
template <class... T>
inline constexpr shape fixed_shape<std::tuple<T...>> = shape::tuple;
template <class A, class B>
inline constexpr shape fixed_shape<std::pair<A, B>> = shape::tuple;
template <class T, std::size_t Count>
inline constexpr shape fixed_shape<std::array<T, Count>> = shape::fixed_array;
template <class Rep, class Period>
inline constexpr shape fixed_shape<std::chrono::duration<Rep, Period>> = shape::duration;

template <class T>
inline constexpr bool is_optional = fixed_shape<T> == shape::optional;

template <class T>
concept path_like = requires(const T& path) {
    typename T::format;
    { path.native() } -> std::convertible_to<const std::string&>;
};

/// The shape of described types, whether or not they have conversions of their own.
template <class T, bool IsClass = std::is_class_v<T>, bool IsEnum = std::is_enum_v<T>>
inline constexpr shape described_shape = shape::other;
template <class T>
inline constexpr shape described_shape<T, true, false> =
    boost::describe::has_describe_members<T>::value ? shape::structure : shape::other;
template <class T>
inline constexpr shape described_shape<T, false, true> =
    boost::describe::has_describe_enumerators<T>::value ? shape::enumeration : shape::other;

// Whether a type has a conversion of its own, by `tag_invoke` as Boost.JSON looks for it, is looked for last: that is
// what takes the compiler longest.

template <class T>
concept has_own_conversion = requires(const boost::json::value& value) {
    tag_invoke(boost::json::value_to_tag<T>(), value);
} || requires(const boost::json::value& value) { tag_invoke(boost::json::try_value_to_tag<T>(), value); };
template <class T>
concept has_own_writing =
    requires(boost::json::value& into, const T& from) { tag_invoke(boost::json::value_from_tag(), into, from); };

/// A map from names to values. Best one that is ordered, as `std::map` is: the hash of `std::unordered_map` has no
/// secret, so a peer can choose names that collide in it, and make it take quadratic time.
template <class T>
concept map_like = requires(T map, std::string name, typename T::mapped_type value) {
    requires std::is_constructible_v<typename T::key_type, std::string_view>;
    map.emplace(std::move(name), std::move(value));
};

/// A container of any number of values. The same goes for sets that hash, and for sorted vectors, where inserting
/// moves.
template <class T>
concept sequence_like = !requires { typename T::mapped_type; } && requires(T sequence, typename T::value_type value) {
    sequence.insert(sequence.end(), std::move(value));
} && !std::is_constructible_v<T, std::string_view>;

template <class T>
constexpr shape find_read_shape()
{
    if constexpr (described_shape<T> != shape::other)
        return has_own_conversion<T> ? shape::other : described_shape<T>;
    else if constexpr (path_like<T>)
        return shape::path;
    else if constexpr (map_like<T>)
        return has_own_conversion<T> ? shape::other : shape::map;
    else if constexpr (sequence_like<T>)
        return has_own_conversion<T> ? shape::other : shape::sequence;
    else
        return shape::other;
}

/// How a type is read.
template <class T, shape Fixed = fixed_shape<T>>
inline constexpr shape read_shape = Fixed;
template <class T>
inline constexpr shape read_shape<T, shape::other> = find_read_shape<T>();

/// The type of the elements of a range, or void. (The header for ranges takes longer to compile than all of this.)
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

/// A range of pairs of a name and a value, or of anything.
template <class T>
concept writes_names = !std::is_void_v<element_of_t<T>> && requires {
    typename T::mapped_type;
    requires std::is_convertible_v<const typename T::key_type&, std::string_view> || path_like<typename T::key_type>;
};
template <class T>
concept writes_elements = !std::is_void_v<element_of_t<T>> && !std::is_convertible_v<T, std::string_view> &&
                          !std::is_same_v<element_of_t<T>, T>; // its parts would never end

template <class T>
constexpr shape find_written_shape()
{
    if constexpr (std::is_convertible_v<T, const char*>)
        return shape::other;
    else if constexpr (described_shape<T> != shape::other)
        return has_own_writing<T> ? shape::other : described_shape<T>;
    else if constexpr (path_like<T>)
        return shape::path;
    else if constexpr (writes_names<T>)
        return has_own_writing<T> ? shape::other : shape::map;
    else if constexpr (writes_elements<T>)
        return has_own_writing<T> ? shape::other : shape::sequence;
    else
        return shape::other;
}

/// How a type is written.
template <class T, shape Fixed = fixed_shape<T>>
inline constexpr shape written_shape = Fixed;
template <class T>
inline constexpr shape written_shape<T, shape::other> = find_written_shape<T>();

template <class T>
concept described_struct = read_shape<T> == shape::structure;
template <class T>
concept described_enum = read_shape<T> == shape::enumeration;

template <class T>
using member_list = boost::mp11::mp_rename<
    boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>,
    boost::mp11::mp_list>;
template <class E>
using enumerator_list = boost::mp11::mp_rename<boost::describe::describe_enumerators<E>, boost::mp11::mp_list>;

template <class T, class Member>
using member_type = std::remove_cvref_t<decltype(std::declval<T&>().*Member::pointer)>;

/// The types that a type of some shape is made of, in JSON: those of members, elements, alternatives. Empty for one
/// that is a whole.
template <class T, shape Shape>
struct parts_by_shape {
    using type = boost::mp11::mp_list<>;
};
template <class T>
struct parts_by_shape<T, shape::optional> {
    using type = boost::mp11::mp_list<typename T::value_type>;
};
template <class T>
struct parts_by_shape<T, shape::fixed_array> : parts_by_shape<T, shape::optional> {};
template <class T>
struct parts_by_shape<T, shape::sequence> : parts_by_shape<T, shape::optional> {};
template <class T>
struct parts_by_shape<T, shape::map> {
    using type = boost::mp11::mp_list<typename T::mapped_type>;
};
template <class T>
struct parts_by_shape<T, shape::variant> {
    using type = boost::mp11::mp_rename<T, boost::mp11::mp_list>;
};
template <class T>
struct parts_by_shape<T, shape::tuple> : parts_by_shape<T, shape::variant> {};
template <class T>
struct parts_by_shape<T, shape::structure> {
    template <class Member>
    using type_of = member_type<T, Member>;
    using type = boost::mp11::mp_transform<type_of, member_list<T>>;
};

} // namespace partyline::detail
