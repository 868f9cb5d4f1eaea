#pragma once

/// Notes about members of a described struct, or about enumerators, besides their types. Reading params honours notes.
/// They are written with the type, once:
///
///     struct search_args {
///         std::string pattern;
///         int limit = 50;
///
///         static constexpr auto notes()
///         {
///             using me = search_args;
///             return partyline::notes(note(&me::pattern, "Text to look for", partyline::length(1)),
///                                     note(&me::limit, "At most so many matches", partyline::defaulted,
///                                          partyline::range(1, 1000)));
///         }
///     };
///     BOOST_DESCRIBE_STRUCT(search_args, (), (pattern, limit))
///
/// with `using partyline::note;` before it. `notes` is public, static and constexpr: otherwise it is not found. A
/// member is required unless it is a `std::optional` or `defaulted`: an initialiser alone does not make it optional.
///
/// For a type that can't be changed, and for enums, a function beside it, in the same namespace, found by
/// argument-dependent lookup (for an enum within a struct, a friend of that):
///
///     constexpr auto notes_of(partyline::of<unit>)
///     {
///         return partyline::notes(note(unit::utf_16, partyline::wire_name("utf-16")));
///     }
///
/// Notes about a type as a whole are listed there by themselves: `as_numbers`, `unknown_members::ignored` and
/// `empty_optionals::null`, for which see session/binding.hpp.

#include <partyline/rpc/detail/item_list.hpp>
#include <partyline/session/binding.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace partyline {

/// The member may be left out, or null: then it keeps the value of its initialiser.
struct defaulted_rule {};
/// The rule in a note: `note(&me::limit, partyline::defaulted)`.
inline constexpr defaulted_rule defaulted;

/// A number from `min` to `max`.
template <class Number>
struct range {
    /// Both bounds are allowed values.
    constexpr range(Number from, Number to) : min(from), max(to) {}

    /// The least allowed value.
    Number min;
    /// The greatest allowed value.
    Number max;
};

/// A number that is not less than `min`.
template <class Number>
struct at_least {
    /// The bound itself is an allowed value.
    constexpr explicit at_least(Number from) : min(from) {}

    /// The least allowed value.
    Number min;
};

/// A number that is not more than `max`.
template <class Number>
struct at_most {
    /// The bound itself is an allowed value.
    constexpr explicit at_most(Number to) : max(to) {}

    /// The greatest allowed value.
    Number max;
};

/// The number of characters of a string (Unicode code points), or of elements of a container.
struct length {
    /// Both bounds are allowed values; without `to` there is no upper bound.
    constexpr explicit length(std::size_t from, std::size_t to = std::size_t(-1)) : min(from), max(to) {}

    /// The least allowed value.
    std::size_t min;
    /// The greatest allowed value.
    std::size_t max;
};

/// The result of `one_of`.
template <std::size_t Count>
struct one_of_rule {
    /// The texts, in the order in which a schema lists them.
    std::array<std::string_view, Count> texts;
};
/// A string that is one of these.
template <std::convertible_to<std::string_view>... Text>
constexpr one_of_rule<sizeof...(Text)> one_of(Text... texts)
{
    return {{std::string_view(texts)...}};
}

/// The format of a string, for callers: "email", "uri", "date", "date-time". It is not checked.
struct format {
    /// The name of the format in JSON Schema.
    constexpr explicit format(std::string_view what) : name(what) {}

    /// The name of the format, as a schema has it.
    std::string_view name;
};

/// The name of a member or an enumerator in JSON, where C++ can't spell that name or has another one.
struct wire_name {
    /// The name as it stands in JSON, not empty.
    constexpr explicit wire_name(std::string_view what) : name(what) {}

    /// The name as it stands in JSON.
    std::string_view name;
};

/// Stands in `notes()` of an enum by itself: its enumerators are numbers in JSON.
struct as_numbers_rule {};
/// Stands in `notes()` of an enum.
inline constexpr as_numbers_rule as_numbers;

/// The type whose notes a function `notes_of` returns.
template <class T>
struct of {};

namespace detail {

template <class Subject, class... Rule>
struct subject_note {
    Subject subject; // a pointer to a member, or an enumerator
    std::string_view text;
    item_list<Rule...> rules;
};

template <class T>
struct bare {
    using type = T;
};
template <class T>
struct bare<std::optional<T>> {
    using type = T;
};
/// The type of the value of an optional member, or of the member itself.
template <class T>
using bare_t = typename bare<T>::type;

template <class T>
concept numeric = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept textual = std::is_convertible_v<T, std::string_view>;
template <class T>
concept sized = requires(const T& container) {
    container.size();
    container.begin();
};

template <class Rule>
inline constexpr bool is_bound = false;
template <class N>
inline constexpr bool is_bound<range<N>> = true;
template <class N>
inline constexpr bool is_bound<at_least<N>> = true;
template <class N>
inline constexpr bool is_bound<at_most<N>> = true;

template <class Rule>
inline constexpr bool is_one_of = false;
template <std::size_t Count>
inline constexpr bool is_one_of<one_of_rule<Count>> = true;

template <class Rule>
inline constexpr bool is_rule =
    is_bound<Rule> || is_one_of<Rule> || std::is_same_v<Rule, length> || std::is_same_v<Rule, format> ||
    std::is_same_v<Rule, wire_name> || std::is_same_v<Rule, defaulted_rule> || std::is_same_v<Rule, as_numbers_rule>;

template <class Member, class Rule>
constexpr void check_rule()
{
    using type = bare_t<Member>;
    static_assert(is_rule<Rule>, "this is no rule of a member: rpc/notes.hpp has those that there are");
    static_assert(!is_bound<Rule> || numeric<type>, "range, at_least and at_most are for members that are numbers");
    static_assert(!std::is_same_v<Rule, length> || textual<type> || sized<type>,
                  "length is for members that are strings or containers");
    static_assert(!is_one_of<Rule> || textual<type>, "one_of is for members that are strings");
    static_assert(!std::is_same_v<Rule, format> || textual<type>, "format is for members that are strings");
    static_assert(!std::is_same_v<Rule, defaulted_rule> || std::is_same_v<type, Member>,
                  "a member that is a std::optional may be left out anyway: it needs no defaulted");
    static_assert(!std::is_same_v<Rule, as_numbers_rule>, "as_numbers stands by itself, in the notes of an enum");
}

} // namespace detail

/// Makes a note about a member.
template <class T, class Member, class... Rule>
    requires(!std::is_function_v<Member>)
constexpr auto note(Member T::* member, std::string_view text, Rule... rules)
{
    (detail::check_rule<Member, Rule>(), ...);
    return detail::subject_note<Member T::*, Rule...>{member, text, {{rules}...}};
}
/// A note without a text.
template <class T, class Member, class First, class... Rule>
    requires(!std::is_function_v<Member> && !std::convertible_to<First, std::string_view>)
constexpr auto note(Member T::* member, First first, Rule... rules)
{
    return note(member, std::string_view(), first, rules...);
}

/// Describes an enumerator; of several with the same value, the first.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto note(Enum value, std::string_view text)
{
    return detail::subject_note<Enum>{value, text, {}};
}
/// A note with another name in JSON.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto note(Enum value, std::string_view text, wire_name name)
{
    return detail::subject_note<Enum, wire_name>{value, text, {{name}}};
}
/// Sets only the name of an enumerator in JSON.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto note(Enum value, wire_name name)
{
    return note(value, std::string_view(), name);
}

/// Makes the notes about one type.
template <class... Note>
constexpr detail::item_list<Note...> notes(Note... each)
{
    return {{each}...};
}

} // namespace partyline
