#pragma once

#include <partyline/rpc/detail/find_note.hpp>
#include <partyline/rpc/detail/json_sink.hpp>
#include <partyline/rpc/detail/shape.hpp>

#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace partyline::detail {

/// Whether `json::value` has a constructor for the type: the full conversion would only cost compile time.
template <class T>
inline constexpr bool is_value_already =
    written_shape<T> != shape::other && written_shape<T> <= shape::array && !std::is_same_v<T, long double>;

/// Whether there is a way to write a type, but for what it is made of.
template <class T>
concept writable = written_shape<T> != shape::other || boost::json::has_value_from<T>::value;
template <class T>
struct has_writer : std::bool_constant<writable<T>> {};

/// Writes a value as JSON, as a handler's arguments are read: described types according to their notes, also within
/// other types. Anything else as Boost.JSON converts it.
template <class T>
void write_to(json_sink& to, const T& from);

template <class T, class Member>
void write_member(json_sink& to, const T& from)
{
    constexpr wire_text name = wire_text_of_member<T, Member>();
    const auto& member = from.*Member::pointer;
    if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
        if (!member && rule_of<empty_optionals, T>().value_or(to.empty()) == empty_optionals::left_out)
            return;
    }
    to.name(name.text, name.is_plain);
    write_to(to, member);
}

template <class T, class... Member>
void write_struct(json_sink& to, const T& from, boost::mp11::mp_list<Member...>)
{
    if (!to.begin_object(sizeof...(Member)))
        return;
    (write_member<T, Member>(to, from), ...);
    to.end_object();
}

template <class T, class... Enumerator>
void write_enum(json_sink& to, T from, boost::mp11::mp_list<Enumerator...>)
{
    std::optional<std::string_view> name; // the first; one that comes later is another name of the same value
    ((from == Enumerator::value && !name ? void(name = name_of_enumerator<T, Enumerator>()) : void()), ...);
    if (are_numbers<T> || !name)
        to.write_signed(static_cast<std::int64_t>(from));
    else
        to.write_string(*name);
}

template <class Key>
std::string_view key_text(const Key& key)
{
    if constexpr (path_like<Key>)
        return key.native();
    else
        return key;
}

/// Whether no name of a map can come twice: text is not unique by being a pointer, nor in a multimap.
template <class T>
inline constexpr bool has_unique_names =
    (std::is_same_v<typename T::key_type, std::string> || path_like<typename T::key_type>) &&
    requires(const T& map, const typename T::key_type& key) { map.at(key); };

template <class T>
boost::json::value to_value(const T& from, empty_optionals empty = empty_optionals::left_out);

template <class T>
void write_map(json_sink& to, const T& from)
{
    if constexpr (!has_unique_names<T>) {
        if (!to.knows_names())
            return to.write_value(to_value(from, to.empty()));
    }
    if (!to.begin_object(std::size(from)))
        return;
    for (const auto& [name, value] : from) {
        to.name(key_text(name), false);
        write_to(to, value);
    }
    to.end_object();
}

template <class T>
void write_sequence(json_sink& to, const T& from)
{
    if (!to.begin_array())
        return;
    for (const auto& element : from)
        write_to<element_of_t<T>>(to, element); // also of a std::vector<bool>
    to.end_array();
}

template <class T>
void write_tuple(json_sink& to, const T& from)
{
    if (!to.begin_array())
        return;
    std::apply([&](const auto&... part) { (write_to(to, part), ...); }, from);
    to.end_array();
}

/// A null pointer is null: a peer may have a say in which it is.
inline void write_string_or_null(json_sink& to, const char* text)
{
    text ? to.write_string(text) : to.write_null();
}

template <class T>
void write_already(json_sink& to, const T& from)
{
    constexpr shape kind = written_shape<T>;
    if constexpr (kind == shape::boolean)
        to.write_bool(from);
    else if constexpr (kind == shape::number)
        to.write_double(from);
    else if constexpr (kind == shape::text)
        to.write_string(from);
    else if constexpr (kind == shape::integer && std::is_signed_v<T>)
        to.write_signed(from);
    else if constexpr (kind == shape::integer)
        to.write_unsigned(from);
    else if constexpr (kind == shape::any)
        to.write_value(from);
    else
        to.write_value(boost::json::value(from));
}

template <class T>
void write_to(json_sink& to, const T& from)
{
    constexpr shape kind = written_shape<T>;
    if constexpr (is_value_already<T>)
        write_already(to, from);
    else if constexpr (std::is_convertible_v<T, const char*>)
        write_string_or_null(to, from);
    else if constexpr (kind == shape::structure)
        write_struct(to, from, member_list<T>());
    else if constexpr (kind == shape::enumeration)
        write_enum(to, from, enumerator_list<T>());
    else if constexpr (kind == shape::duration)
        write_to(to, from.count());
    else if constexpr (kind == shape::path)
        to.write_string(from.native());
    else if constexpr (kind == shape::optional)
        from ? write_to(to, *from) : to.write_null();
    else if constexpr (kind == shape::variant)
        std::visit([&](const auto& held) { write_to(to, held); }, from);
    else if constexpr (kind == shape::tuple)
        write_tuple(to, from);
    else if constexpr (kind == shape::map)
        write_map(to, from);
    else if constexpr (kind == shape::sequence || kind == shape::fixed_array)
        write_sequence(to, from);
    else
        to.write_value(boost::json::value_from(from));
}

/// `write_to` for code that does not know the type.
template <class T>
void write_any(json_sink& to, const void* from)
{
    write_to(to, *static_cast<const T*>(from));
}

/// Whether a type is taken apart here: else it is a value, or Boost.JSON makes one of it.
template <class T>
concept written_in_parts = written_shape<T> > shape::array;

/// Returns the output of `write_to`, as a value. `empty` is for types that do not set it themselves.
template <class T>
boost::json::value to_value(const T& from, [[maybe_unused]] empty_optionals empty)
{
    if constexpr (is_value_already<T>)
        return boost::json::value(from);
    else if constexpr (written_in_parts<T> || std::is_convertible_v<T, const char*>)
        return make_value(&write_any<T>, &from, empty);
    else
        return boost::json::value_from(from);
}

} // namespace partyline::detail
