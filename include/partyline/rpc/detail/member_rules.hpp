#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/find_note.hpp>
#include <partyline/rpc/detail/json_source.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace partyline::detail {

/// A number as it stands in a rule or an argument.
using rule_number = std::variant<std::int64_t, std::uint64_t, double>;

template <class Number>
rule_number to_rule_number(Number number) noexcept
{
    if constexpr (std::floating_point<Number>)
        return static_cast<double>(number);
    else if constexpr (std::is_signed_v<Number>)
        return static_cast<std::int64_t>(number);
    else
        return static_cast<std::uint64_t>(number);
}

/// The bounds that a rule gives; one of them may be missing.
struct rule_bounds {
    std::optional<rule_number> min;
    std::optional<rule_number> max;
};

template <class N>
rule_bounds bounds_of(const range<N>& rule) noexcept
{
    return {to_rule_number(rule.min), to_rule_number(rule.max)};
}
template <class N>
rule_bounds bounds_of(const at_least<N>& rule) noexcept
{
    return {to_rule_number(rule.min), std::nullopt};
}
template <class N>
rule_bounds bounds_of(const at_most<N>& rule) noexcept
{
    return {std::nullopt, to_rule_number(rule.max)};
}

template <class A, class B>
constexpr bool is_less(A a, B b) noexcept
{
    if constexpr (std::floating_point<A> || std::floating_point<B>)
        return a < b;
    else
        return std::cmp_less(+a, +b); // characters are numbers here
}

/// Notes a problem and returns false: "integer from 1 to 1000", "number of at least 0".
PARTYLINE_EXPORT bool refuse_out_of_bounds(json_source& from, const rule_bounds& bounds, rule_number got);
/// Refuse values that are shorter or longer: "string of 1 to 64 characters", "array of at least 1 element", "object of
/// at most 5 members".
PARTYLINE_EXPORT bool check_text_length(json_source& from, std::string_view text, const length& rule);
PARTYLINE_EXPORT bool check_count(json_source& from, std::string_view kind, std::size_t count, const length& rule);
/// Refuses a string that is none of these.
PARTYLINE_EXPORT bool check_text(json_source& from, std::string_view text, array_view<const std::string_view> texts);

/// A bound in the type of what it bounds: 0.1 is less than a float can say of it.
template <class Value, class Number>
constexpr auto bound_for(Number bound) noexcept
{
    if constexpr (std::floating_point<Value>)
        return static_cast<Value>(bound);
    else
        return bound;
}

/// Whether a rule is about the values of a member.
template <class Rule>
inline constexpr bool is_check = is_bound<Rule> || std::is_same_v<Rule, length> || is_one_of<Rule>;

template <class Value, class Rule>
bool check_value(json_source& from, const Value& value, const Rule& rule)
{
    if constexpr (is_bound<Rule>) {
        bool is_within = true;
        if constexpr (requires { rule.min; })
            is_within = !is_less(value, bound_for<Value>(rule.min));
        if constexpr (requires { rule.max; })
            is_within = is_within && !is_less(bound_for<Value>(rule.max), value);
        return is_within || refuse_out_of_bounds(from, bounds_of(rule), to_rule_number(value));
    } else if constexpr (std::is_same_v<Rule, length>) {
        if constexpr (textual<Value>)
            return check_text_length(from, value, rule);
        else
            return check_count(
                from, requires { typename Value::mapped_type; } ? "object" : "array", value.size(), rule);
    } else if constexpr (is_one_of<Rule>)
        return check_text(from, value, rule.texts);
}

/// Whether the notes of a member restrict its values.
template <class T, class Member>
constexpr bool has_checks()
{
    bool is_so = false;
    visit_member_notes<T, Member::pointer>([&](const auto& note) {
        visit_items(note.rules, [&]<class Rule>(const Rule&) { is_so = is_so || is_check<Rule>; });
    });
    return is_so;
}

/// Refuses a member that its notes do not allow.
template <class T, class Member, class Value>
bool check_member([[maybe_unused]] json_source& from, [[maybe_unused]] const Value& value)
{
    bool is_allowed = true;
    visit_member_notes<T, Member::pointer>([&](const auto& note) {
        visit_items(note.rules, [&]<class Rule>(const Rule& rule) {
            if constexpr (!is_check<Rule>)
                return;
            else if constexpr (std::is_same_v<Value, bare_t<Value>>)
                is_allowed = is_allowed && check_value(from, value, rule);
            else if (value)
                is_allowed = is_allowed && check_value(from, *value, rule);
        });
    });
    return is_allowed;
}

} // namespace partyline::detail
