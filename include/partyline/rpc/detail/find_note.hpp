#pragma once

#include <partyline/rpc/detail/wire_text.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/bases.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/describe/modifiers.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace partyline::detail {

template <class T>
inline constexpr bool is_item_list = false;
template <std::size_t... Place, class... Item>
inline constexpr bool is_item_list<items_at<std::index_sequence<Place...>, Item...>> = true;

/// Whether a type says something of itself. It may have a member that is called `notes` and is something else.
template <class T>
concept has_own_notes = requires { requires is_item_list<decltype(T::notes())>; };

/// The notes about a type; mostly none.
template <class T>
constexpr auto notes_about()
{
    if constexpr (requires { notes_of(of<T>()); }) // first, since a base may have `notes()`
        return notes_of(of<T>());
    else if constexpr (has_own_notes<T>)
        return T::notes();
    else
        return item_list<>();
}

template <class Pointer>
struct class_of;
template <class T, class Member>
struct class_of<Member T::*> {
    using type = T;
};

/// Whether this is a note about a subject of that type.
template <class Note, class Subject>
inline constexpr bool is_about = false;
template <class Subject, class... Rule>
inline constexpr bool is_about<subject_note<Subject, Rule...>, Subject> = true;

template <auto Subject, class Note>
constexpr bool is_note_about([[maybe_unused]] const Note& one)
{
    if constexpr (is_about<Note, std::remove_const_t<decltype(Subject)>>)
        return one.subject == Subject;
    else
        return false;
}

/// How many notes are about a subject (one at most, or `check_notes` refuses the type), and where the last of them
/// stands.
struct found_note {
    std::size_t count = 0;
    std::size_t place = 0;
};

template <auto Subject, std::size_t... Place, class... Note>
constexpr found_note find_among([[maybe_unused]] const items_at<std::index_sequence<Place...>, Note...>& all)
{
    found_note found;
    ((is_note_about<Subject>(item_at<Place>(all)) ? void(found = {found.count + 1, Place}) : void()), ...);
    return found;
}

/// Once for each subject, since to compare each with all of the notes is what takes the compiler longest.
template <class Owner, auto Subject>
inline constexpr found_note place_of_note = find_among<Subject>(notes_about<Owner>());

/// Calls `function(note)` for each note of `Owner` about this subject.
template <class Owner, auto Subject, class Function>
constexpr void visit_notes_of([[maybe_unused]] Function function)
{
    constexpr found_note found = place_of_note<Owner, Subject>;
    if constexpr (found.count != 0)
        function(item_at<found.place>(notes_about<Owner>()));
}

template <class Owner, auto Pointer, class Function, template <class...> class List, class... Base>
constexpr void visit_notes_of_bases(Function function, List<Base...>);

/// Visits the notes about a member of `T`, whose class may be a base of `T`: those of bases first, so that later ones
/// win.
template <class T, auto Pointer, class Function>
constexpr void visit_member_notes(Function function)
{
    using owner = typename class_of<std::remove_const_t<decltype(Pointer)>>::type;
    if constexpr (!std::is_same_v<owner, T>)
        visit_notes_of_bases<owner, Pointer>(function,
                                             boost::describe::describe_bases<T, boost::describe::mod_public>());
    visit_notes_of<T, Pointer>(function);
}
template <class Owner, auto Pointer, class Function, template <class...> class List, class... Base>
constexpr void visit_notes_of_bases([[maybe_unused]] Function function, List<Base...>)
{
    const auto visit = [&]<class One>(std::type_identity<One>) {
        if constexpr (std::is_base_of_v<Owner, One>)
            visit_member_notes<One, Pointer>(function);
    };
    (visit(std::type_identity<typename Base::type>()), ...);
}

template <class Enumerator, template <class...> class List, class... Each>
constexpr bool is_first_of_its_value(List<Each...>)
{
    bool is_before = true;
    bool is_first = true;
    ((is_before = is_before && !std::is_same_v<Each, Enumerator>,
      is_first = is_first && !(is_before && Each::value == Enumerator::value)),
     ...);
    return is_first;
}

/// Whether notes can be about this enumerator: they are about a value, and so about the first that has it.
template <class E, class Enumerator>
constexpr bool has_notes()
{
    if constexpr (place_of_note<E, Enumerator::value>.count == 0)
        return false;
    else
        return is_first_of_its_value<Enumerator>(boost::describe::describe_enumerators<E>());
}

/// Calls `function(note)` for each note of `E` about this enumerator.
template <class E, class Enumerator, class Function>
constexpr void visit_enumerator_notes([[maybe_unused]] Function function)
{
    if constexpr (has_notes<E, Enumerator>())
        visit_notes_of<E, Enumerator::value>(function);
}

/// Whether one of a note's rules is of this kind.
template <class Rule, class Note>
inline constexpr bool has_rule = false;
template <class Rule, class Subject, class... Own>
inline constexpr bool has_rule<Rule, subject_note<Subject, Own...>> = (std::is_same_v<Rule, Own> || ...);

/// The name of a member in JSON.
template <class T, class Member>
constexpr std::string_view name_of_member()
{
    std::string_view name = Member::name;
    visit_member_notes<T, Member::pointer>([&](const auto& note) {
        visit_items(note.rules, [&]<class Rule>(const Rule& rule) {
            if constexpr (std::is_same_v<Rule, wire_name>)
                name = rule.name;
        });
    });
    return name;
}

template <class T, class Member>
constexpr wire_text wire_text_of_member()
{
    constexpr std::string_view name = name_of_member<T, Member>();
    return {name, is_plain_text(name)};
}

template <class T, class Member>
constexpr bool is_defaulted_member()
{
    bool is_so = false;
    visit_member_notes<T, Member::pointer>(
        [&]<class Note>(const Note&) { is_so = is_so || has_rule<defaulted_rule, Note>; });
    return is_so;
}

template <class E, class Enumerator>
constexpr std::string_view name_of_enumerator()
{
    std::string_view name = Enumerator::name;
    visit_enumerator_notes<E, Enumerator>(
        [&](const auto& note) { visit_items(note.rules, [&](const wire_name& rule) { name = rule.name; }); });
    return name;
}

/// A rule in the notes of a type about the type as a whole, if there is one.
template <class Rule, class T>
constexpr std::optional<Rule> rule_of()
{
    std::optional<Rule> found;
    visit_items(notes_about<T>(), [&]<class Note>(const Note& one) {
        if constexpr (std::is_same_v<Note, Rule>)
            found = one;
    });
    return found;
}

template <class E>
inline constexpr bool are_numbers = rule_of<as_numbers_rule, E>().has_value();

} // namespace partyline::detail
