#pragma once

#include <partyline/rpc/notes.hpp>

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace partyline::detail {

/// What is said of a type; nothing, mostly.
template <class T>
constexpr auto notes_about()
{
    if constexpr (requires { T::notes(); })
        return T::notes();
    else if constexpr (requires { notes_of(of<T>()); })
        return notes_of(of<T>());
    else
        return std::tuple<>();
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

/// Calls `function(note)` for what the notes of `Owner` say of this subject.
template <class Owner, auto Subject, class Function>
constexpr void visit_notes_of(Function function)
{
    const auto look = [&]<class Note>(const Note& one) {
        if constexpr (is_about<Note, std::remove_const_t<decltype(Subject)>>)
            if (one.subject == Subject)
                function(one);
    };
    std::apply([&](const auto&... each) { (look(each), ...); }, notes_about<Owner>());
}

/// The same for a member of `T`, whose class may be a base of it and have notes of its own.
template <class T, auto Pointer, class Function>
constexpr void visit_member_notes(Function function)
{
    using owner = typename class_of<std::remove_const_t<decltype(Pointer)>>::type;
    visit_notes_of<T, Pointer>(function);
    if constexpr (!std::is_same_v<owner, T>)
        visit_notes_of<owner, Pointer>(function);
}

/// Calls `function(rule)` for each rule of a note.
template <class Note, class Function>
constexpr void visit_rules(const Note& note, Function function)
{
    std::apply([&](const auto&... rule) { (function(rule), ...); }, note.rules);
}

/// Whether one of a note's rules is of this kind.
template <class Rule, class Note>
inline constexpr bool has_rule = false;
template <class Rule, class Subject, class... Own>
inline constexpr bool has_rule<Rule, subject_note<Subject, Own...>> = (std::is_same_v<Rule, Own> || ...);

/// What a member is called in JSON.
template <class T, class Member>
constexpr std::string_view name_of_member()
{
    std::string_view name = Member::name;
    visit_member_notes<T, Member::pointer>([&](const auto& note) {
        visit_rules(note, [&]<class Rule>(const Rule& rule) {
            if constexpr (std::is_same_v<Rule, wire_name>)
                name = rule.name;
        });
    });
    return name;
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
    visit_notes_of<E, Enumerator::value>(
        [&](const auto& note) { visit_rules(note, [&](const wire_name& rule) { name = rule.name; }); });
    return name;
}

/// What the notes of a type say of it as a whole, if they do.
template <class Rule, class T>
constexpr std::optional<Rule> rule_of()
{
    std::optional<Rule> found;
    const auto look = [&]<class Note>(const Note& one) {
        if constexpr (std::is_same_v<Note, Rule>)
            found = one;
    };
    std::apply([&](const auto&... each) { (look(each), ...); }, notes_about<T>());
    return found;
}

template <class E>
inline constexpr bool are_numbers = rule_of<as_numbers_rule, E>().has_value();

} // namespace partyline::detail
