#pragma once

/// What can be said of a member of a described struct, or of an enumerator, besides its type. Reading params honours
/// it; it stands with the type, once:
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
/// with `using partyline::note;` before it. `notes` is public, static and constexpr: it is not found else. A member is
/// required unless it is a `std::optional` or `defaulted`: an initialiser alone does not make it optional.
///
/// For a type that can't be changed, and for enums, a function beside it, in the same namespace, found by
/// argument-dependent lookup (for an enum within a struct, a friend of that):
///
///     constexpr auto notes_of(partyline::of<unit>)
///     {
///         return partyline::notes(note(unit::utf_16, partyline::wire_name("utf-16")));
///     }
///
/// What is said of a type as a whole stands there by itself: `as_numbers`, `unknown_members::ignored` and
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

/// The member may be left out: it keeps what its initialiser gives it then, also for null.
struct defaulted_rule {};
/// Stands in a note: `note(&me::limit, partyline::defaulted)`.
inline constexpr defaulted_rule defaulted;

/// A number from `min` to `max`.
template <class Number>
struct range {
    /// Both are allowed.
    constexpr range(Number from, Number to) : min(from), max(to) {}

    /// The least that is allowed.
    Number min;
    /// The most that is allowed.
    Number max;
};

/// A number that is not less than `min`.
template <class Number>
struct at_least {
    /// This one is allowed.
    constexpr explicit at_least(Number from) : min(from) {}

    /// The least that is allowed.
    Number min;
};

/// A number that is not more than `max`.
template <class Number>
struct at_most {
    /// This one is allowed.
    constexpr explicit at_most(Number to) : max(to) {}

    /// The most that is allowed.
    Number max;
};

/// How many characters a string has (Unicode code points), or elements a container.
struct length {
    /// Both are allowed; without `to` there is no upper bound.
    constexpr explicit length(std::size_t from, std::size_t to = std::size_t(-1)) : min(from), max(to) {}

    /// The least that is allowed.
    std::size_t min;
    /// The most that is allowed.
    std::size_t max;
};

/// What `one_of` makes.
template <std::size_t Count>
struct one_of_rule {
    /// In the order in which they are listed in a schema.
    std::array<std::string_view, Count> texts;
};
/// A string that is one of these.
template <std::convertible_to<std::string_view>... Text>
constexpr one_of_rule<sizeof...(Text)> one_of(Text... texts)
{
    return {{std::string_view(texts)...}};
}

/// What a string is, for whoever has to write it: "email", "uri", "date", "date-time". It is not checked.
struct format {
    /// The name that JSON Schema has for it.
    constexpr explicit format(std::string_view what) : name(what) {}

    /// As it stands in a schema.
    std::string_view name;
};

/// What a member or an enumerator is called in JSON, where C++ can't spell that or has another name for it.
struct wire_name {
    /// The name as it stands in JSON, not empty.
    constexpr explicit wire_name(std::string_view what) : name(what) {}

    /// As it stands in JSON.
    std::string_view name;
};

/// Stands in `notes()` of an enum by itself: its enumerators are numbers in JSON.
struct as_numbers_rule {};
/// Stands in `notes()` of an enum.
inline constexpr as_numbers_rule as_numbers;

/// Whose notes a function `notes_of` gives.
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
/// What an optional member holds, or the member itself.
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

/// Says this of a member.
template <class T, class Member, class... Rule>
    requires(!std::is_function_v<Member>)
constexpr auto note(Member T::* member, std::string_view text, Rule... rules)
{
    (detail::check_rule<Member, Rule>(), ...);
    return detail::subject_note<Member T::*, Rule...>{member, text, {{rules}...}};
}
/// The same without a text.
template <class T, class Member, class First, class... Rule>
    requires(!std::is_function_v<Member> && !std::convertible_to<First, std::string_view>)
constexpr auto note(Member T::* member, First first, Rule... rules)
{
    return note(member, std::string_view(), first, rules...);
}

/// Says this of an enumerator; of those that have the same value, of the first.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto note(Enum value, std::string_view text)
{
    return detail::subject_note<Enum>{value, text, {}};
}
/// The same with another name for it in JSON.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto note(Enum value, std::string_view text, wire_name name)
{
    return detail::subject_note<Enum, wire_name>{value, text, {{name}}};
}
/// Says only what an enumerator is called in JSON.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto note(Enum value, wire_name name)
{
    return note(value, std::string_view(), name);
}

/// All that is said of one type.
template <class... Note>
constexpr detail::item_list<Note...> notes(Note... each)
{
    return {{each}...};
}

} // namespace partyline
