#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/parts_of.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/rpc/detail/to_value.hpp>
#include <partyline/session/binding.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace partyline::detail {

// Templates make constant tables of a type; one compiled function makes the schema of them. (To build the objects in
// templates takes three times as long to compile.)

struct schema_type;
/// A function, since types may stand before those that they are made of.
using schema_link = schema_type (*)();

/// A member of a described struct.
struct schema_member {
    std::string_view name;
    std::string_view text;
    schema_link type;
    bool is_required = true;  // in params
    bool is_optional = false; // a std::optional
    /// Adds the member's rules to the schema of its type; null: there are none.
    void (*refine)(boost::json::object& schema) = nullptr;
    /// The value of the member when it is left out; null where there is none.
    boost::json::value (*initial)() = nullptr;
};

struct schema_enumerator {
    std::string_view name;
    std::string_view text;
    std::int64_t number;
};

struct schema_type {
    enum class kind : std::uint8_t {
        any,
        null,
        boolean,
        integer,
        number,
        string,
        object,
        map,
        array,
        tuple,
        names,
        numbers,
        choice
    };

    kind what = kind::any;
    std::optional<rule_number> min = {}; // of an integer
    std::optional<rule_number> max = {};
    array_view<const schema_member> members = {};         // of an object
    array_view<const schema_enumerator> enumerators = {}; // of names and numbers
    array_view<const schema_link> parts = {}; // the element of a map or an array; those of a tuple or a choice
    std::optional<std::size_t> size = {};     // of an array of just so many
    std::string_view text = {};               // what else is to be said of it
    bool is_nullable = false;                 // may hold nothing, which a result has as null
    binding_policy policy = {};               // what an object's notes say of its members
};

/// The use of a schema. `policy` is for types whose notes do not set it.
struct schema_use {
    bool is_result = false;
    binding_policy policy = {};
};

/// The schema of params describes them as a client has to write them: nothing is nullable. The schema of a result
/// describes it as it is written: a member of a struct is present, unless it is an empty `std::optional` that is left
/// out; other empty values are null.
PARTYLINE_EXPORT boost::json::object make_schema(const schema_type& of, const schema_use& how = {});

// Additions of rules to a schema.

PARTYLINE_EXPORT void refine_bounds(boost::json::object& schema, const rule_bounds& bounds);
PARTYLINE_EXPORT void refine_length(boost::json::object& schema, const length& rule);
PARTYLINE_EXPORT void refine_texts(boost::json::object& schema, array_view<const std::string_view> texts);
PARTYLINE_EXPORT void refine_format(boost::json::object& schema, std::string_view name);

template <class T>
schema_type schema_of();

template <class T, class Member>
constexpr std::string_view text_of_member()
{
    std::string_view text;
    visit_member_notes<T, Member::pointer>([&](const auto& note) {
        if (!note.text.empty())
            text = note.text;
    });
    return text;
}

template <class E, class Enumerator>
constexpr schema_enumerator describe_enumerator()
{
    schema_enumerator one{name_of_enumerator<E, Enumerator>(), {}, static_cast<std::int64_t>(Enumerator::value)};
    visit_enumerator_notes<E, Enumerator>([&](const auto& note) { one.text = note.text; });
    return one;
}

template <class T, class Member>
boost::json::value initial_member()
{
    const T initial{};
    return to_value(initial.*Member::pointer);
}

template <class T, class Member>
void refine_member(boost::json::object& schema)
{
    visit_member_notes<T, Member::pointer>([&](const auto& note) {
        visit_items(note.rules, [&]<class Rule>(const Rule& rule) {
            if constexpr (is_bound<Rule>)
                refine_bounds(schema, bounds_of(rule));
            else if constexpr (std::is_same_v<Rule, length>)
                refine_length(schema, rule);
            else if constexpr (is_one_of<Rule>)
                refine_texts(schema, rule.texts);
            else if constexpr (std::is_same_v<Rule, format>)
                refine_format(schema, rule.name);
        });
    });
}

template <class T, class Member>
constexpr schema_member describe_member()
{
    using type = member_type<T, Member>;
    constexpr bool is_defaulted = is_defaulted_member<T, Member>();
    schema_member one{name_of_member<T, Member>(),         text_of_member<T, Member>(), &schema_of<bare_t<type>>,
                      !is_optional<type> && !is_defaulted, is_optional<type>,           &refine_member<T, Member>};
    if constexpr (is_defaulted && is_throughout<has_writer, type>())
        one.initial = &initial_member<T, Member>;
    return one;
}

template <class T, class... Member>
schema_type schema_of_struct(boost::mp11::mp_list<Member...>)
{
    static constexpr std::array<schema_member, sizeof...(Member)> members{describe_member<T, Member>()...};
    constexpr binding_policy policy{rule_of<unknown_members, T>(), rule_of<empty_optionals, T>()};
    return {.what = schema_type::kind::object, .members = members, .policy = policy};
}

template <class E, class... Enumerator>
schema_type schema_of_enum(boost::mp11::mp_list<Enumerator...>)
{
    static constexpr std::array<schema_enumerator, sizeof...(Enumerator)> all{describe_enumerator<E, Enumerator>()...};
    return {.what = are_numbers<E> ? schema_type::kind::numbers : schema_type::kind::names, .enumerators = all};
}

template <class... Part>
schema_type schema_of_parts(schema_type::kind what, boost::mp11::mp_list<Part...>)
{
    static constexpr std::array<schema_link, sizeof...(Part)> parts{&schema_of<Part>...};
    return {.what = what, .parts = parts};
}

template <class T>
schema_type schema_of_fixed_array()
{
    schema_type array = schema_of_parts(schema_type::kind::array, parts_of_t<T>());
    array.size = std::tuple_size_v<T>;
    return array;
}

/// The bounds of a type that was chosen for them: of an integer of one or two bytes, and 0 of an unsigned one. Those of
/// `int` and wider types say nothing of what is meant, and are checked when a value is read.
template <class T>
schema_type schema_of_integer()
{
    constexpr bool is_narrow = sizeof(T) <= sizeof(std::int16_t);
    schema_type type{.what = schema_type::kind::integer};
    using limits = std::numeric_limits<T>;
    if (is_narrow || std::is_unsigned_v<T>)
        type.min = to_rule_number(limits::min());
    if (is_narrow)
        type.max = to_rule_number(limits::max());
    return type;
}

template <class Period>
constexpr std::string_view name_of_period()
{
    std::string_view name = "";
    const auto look = [&]<class Known>(std::type_identity<Known>, std::string_view called) {
        if (std::ratio_equal_v<Period, Known>)
            name = called;
    };
    look(std::type_identity<std::nano>(), "nanoseconds");
    look(std::type_identity<std::micro>(), "microseconds");
    look(std::type_identity<std::milli>(), "milliseconds");
    look(std::type_identity<std::ratio<1>>(), "seconds");
    look(std::type_identity<std::ratio<60>>(), "minutes");
    look(std::type_identity<std::ratio<3600>>(), "hours");
    look(std::type_identity<std::ratio<86400>>(), "days");
    return name;
}

template <class T>
schema_type schema_of_duration()
{
    schema_type number = schema_of<typename T::rep>();
    number.text = name_of_period<typename T::period>();
    return number;
}

template <class T>
schema_type schema_of_optional()
{
    schema_type held = schema_of<typename T::value_type>();
    held.is_nullable = true;
    return held;
}

template <class T>
schema_type schema_of()
{
    using kind = schema_type::kind;
    constexpr shape what = read_shape<T>;
    if constexpr (what == shape::optional)
        return schema_of_optional<T>();
    else if constexpr (what == shape::boolean)
        return {.what = kind::boolean};
    else if constexpr (what == shape::integer)
        return schema_of_integer<T>();
    else if constexpr (what == shape::number)
        return {.what = kind::number};
    else if constexpr (what == shape::structure)
        return schema_of_struct<T>(member_list<T>());
    else if constexpr (textual<T> || what == shape::path)
        return {.what = kind::string};
    else if constexpr (what == shape::object)
        return {.what = kind::map};
    else if constexpr (what == shape::array)
        return {.what = kind::array};
    else if constexpr (what == shape::enumeration)
        return schema_of_enum<T>(enumerator_list<T>());
    else if constexpr (what == shape::duration)
        return schema_of_duration<T>();
    else if constexpr (what == shape::fixed_array)
        return schema_of_fixed_array<T>();
    else if constexpr (what == shape::tuple)
        return schema_of_parts(kind::tuple, parts_of_t<T>());
    else if constexpr (what == shape::variant)
        return schema_of_parts(kind::choice, parts_of_t<T>());
    else if constexpr (what == shape::map)
        return schema_of_parts(kind::map, parts_of_t<T>());
    else if constexpr (what == shape::sequence)
        return schema_of_parts(kind::array, parts_of_t<T>());
    else
        return {};
}

} // namespace partyline::detail
