#pragma once

#include <partyline/rpc/detail/find_note.hpp>
#include <partyline/rpc/detail/member_rules.hpp>

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/mp11/list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace partyline::detail {

// Checks of the notes of a type as a whole, each with a sentence. notes.hpp has the checks of a single rule.

template <std::size_t Count>
constexpr bool are_distinct(std::array<std::string_view, Count> names)
{
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
}

template <class T, class... Member>
constexpr bool have_distinct_members(boost::mp11::mp_list<Member...>)
{
    return are_distinct(std::array<std::string_view, sizeof...(Member)>{name_of_member<T, Member>()...});
}

template <class E, class... Enumerator>
constexpr bool have_distinct_enumerators(boost::mp11::mp_list<Enumerator...>)
{
    return are_distinct(std::array<std::string_view, sizeof...(Enumerator)>{name_of_enumerator<E, Enumerator>()...});
}

/// Whether the notes of `T` may have this one: of a member of its own or of a base, or of the type as a whole.
template <class T, class Note>
inline constexpr bool is_own_note = false;
template <class T>
    requires std::is_class_v<T>
inline constexpr bool is_own_note<T, unknown_members> = true;
template <class T>
    requires std::is_class_v<T>
inline constexpr bool is_own_note<T, empty_optionals> = true;
template <class T>
    requires std::is_enum_v<T>
inline constexpr bool is_own_note<T, as_numbers_rule> = true;
template <class T, class Owner, class Member, class... Rule>
inline constexpr bool is_own_note<T, subject_note<Member Owner::*, Rule...>> = std::is_base_of_v<Owner, T>;
template <class T, class Enum, class... Rule>
    requires std::is_enum_v<Enum>
inline constexpr bool is_own_note<T, subject_note<Enum, Rule...>> = std::is_same_v<T, Enum>;

template <class T, class Places, class... Note>
constexpr bool are_own_notes(const items_at<Places, Note...>&)
{
    return (is_own_note<T, Note> && ...);
}

template <class Note>
inline constexpr bool has_subject = false;
template <class Subject, class... Rule>
inline constexpr bool has_subject<subject_note<Subject, Rule...>> = true;

template <class Places, class... Note>
constexpr std::size_t count_subjects(const items_at<Places, Note...>&)
{
    return (std::size_t(has_subject<Note>) + ... + 0);
}

/// How many notes are about a member or an enumerator that is described.
template <class T, class Described>
constexpr std::size_t count_notes()
{
    if constexpr (std::is_enum_v<T>)
        return has_notes<T, Described>() ? place_of_note<T, Described::value>.count : 0;
    else
        return place_of_note<T, Described::pointer>.count;
}

/// Whether what the notes are about is among the members or enumerators that are described.
template <class T, class... Described>
constexpr bool are_described_subjects(boost::mp11::mp_list<Described...>)
{
    return (count_notes<T, Described>() + ... + 0) == count_subjects(notes_about<T>());
}

/// How many notes of the type as a whole are of this kind.
template <class Rule, class Places, class... Note>
constexpr std::size_t count_whole(const items_at<Places, Note...>&)
{
    return (std::size_t(std::is_same_v<Rule, Note>) + ... + 0);
}

template <class T, class... Described>
constexpr bool is_each_said_once(boost::mp11::mp_list<Described...>)
{
    return ((count_notes<T, Described>() <= 1) && ...) && count_whole<unknown_members>(notes_about<T>()) <= 1 &&
           count_whole<empty_optionals>(notes_about<T>()) <= 1 && count_whole<as_numbers_rule>(notes_about<T>()) <= 1;
}

template <class Rule>
constexpr bool is_possible(const Rule& rule)
{
    if constexpr (requires { rule.min <= rule.max; })
        return rule.min <= rule.max;
    else
        return true;
}

/// Whether a bound leaves integers of the type that it bounds.
template <class Integer, class Rule>
constexpr bool leaves_integers(const Rule& rule)
{
    using type = std::numeric_limits<Integer>;
    bool is_so = true;
    if constexpr (requires { rule.min; })
        is_so = !is_less(type::max(), rule.min);
    if constexpr (requires { rule.max; })
        is_so = is_so && !is_less(rule.max, type::min());
    return is_so;
}

template <class Subject>
struct type_of_subject {
    using type = void;
};
template <class T, class Member>
struct type_of_subject<Member T::*> {
    using type = bare_t<Member>;
};

/// Whether all rules of a note leave something that is allowed.
template <class Note>
constexpr bool has_possible_rules(const Note& note)
{
    bool is_so = true;
    if constexpr (has_subject<Note>) {
        using type = typename type_of_subject<decltype(Note::subject)>::type;
        visit_items(note.rules, [&]<class Rule>(const Rule& rule) {
            is_so = is_so && is_possible(rule);
            if constexpr (is_bound<Rule> && std::is_integral_v<type>)
                is_so = is_so && leaves_integers<type>(rule);
        });
    }
    return is_so;
}

template <class T>
constexpr bool have_possible_rules()
{
    bool is_so = true;
    visit_items(notes_about<T>(), [&](const auto& note) { is_so = is_so && has_possible_rules(note); });
    return is_so;
}

/// Whether `notes` is a function of the type. Anything else of that name, such as an enumerator, has no special
/// meaning.
template <class T>
constexpr bool has_function_notes()
{
    if constexpr (!std::is_class_v<T>) {
        return false;
    } else if constexpr (requires { &T::notes; }) {
        using found = decltype(&T::notes);
        return std::is_member_function_pointer_v<found> || std::is_function_v<std::remove_pointer_t<found>>;
    } else
        return false;
}

/// Checks the notes of a described type, of which `Described` are the members or enumerators.
template <class T, class Described>
constexpr bool check_notes()
{
    constexpr bool is_hidden = has_function_notes<T>() && !has_own_notes<T>;
    static_assert(
        !is_hidden,
        "notes() of a type is public, static and constexpr, has no parameters, and returns partyline::notes(...)");
    constexpr bool are_own = are_own_notes<T>(notes_about<T>());
    constexpr bool are_described = !are_own || are_described_subjects<T>(Described());
    constexpr bool is_said_once = is_each_said_once<T>(Described());
    constexpr bool is_satisfiable = have_possible_rules<T>();
    static_assert(are_own,
                  "the notes of a type speak of what is not its own: of another type's members or enumerators, "
                  "or of rules without a member");
    static_assert(are_described, "a note is about a member or an enumerator that BOOST_DESCRIBE_STRUCT or "
                                 "BOOST_DESCRIBE_ENUM does not name: it would have no effect");
    static_assert(is_said_once, "two notes are about the same: all that is said of a member stands in one note");
    static_assert(is_satisfiable, "a rule allows no value: its minimum is above its maximum, or its member's type "
                                  "has none within its bounds");
    return !is_hidden && are_own && are_described && is_said_once && is_satisfiable;
}

/// Whether the enumerators fit what their numbers are read as.
template <class E, class... Enumerator>
constexpr bool have_integers(boost::mp11::mp_list<Enumerator...>)
{
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return std::is_signed_v<std::underlying_type_t<E>> ||
           ((static_cast<std::uint64_t>(Enumerator::value) <= most) && ...);
}

/// Whether a described struct or enum can be read and written.
template <class T>
struct is_sound : std::true_type {};

template <class T>
    requires(std::is_class_v<T> && boost::describe::has_describe_members<T>::value)
struct is_sound<T> {
    using members = boost::mp11::mp_rename<
        boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>,
        boost::mp11::mp_list>;
    static constexpr bool is_distinct = have_distinct_members<T>(members());
    static_assert(is_distinct, "two members have the same name in JSON");
    static constexpr bool value = check_notes<T, members>() && is_distinct;
};

template <class E>
    requires(std::is_enum_v<E> && boost::describe::has_describe_enumerators<E>::value)
struct is_sound<E> {
    using enumerators = boost::mp11::mp_rename<boost::describe::describe_enumerators<E>, boost::mp11::mp_list>;
    static constexpr bool is_distinct = have_distinct_enumerators<E>(enumerators());
    static_assert(is_distinct, "two enumerators have the same name in JSON");
    static constexpr bool are_readable = !are_numbers<E> || have_integers<E>(enumerators());
    static_assert(are_readable, "an enumerator that is a number in JSON is none above 9223372036854775807");
    static constexpr bool value = check_notes<E, enumerators>() && is_distinct && are_readable;
};

} // namespace partyline::detail
