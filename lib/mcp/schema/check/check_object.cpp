// What schemas ask of objects.
#include "mcp/schema/check/checker.hpp"
#include "mcp/schema/check/words.hpp"
#include "rpc/wording.hpp"

#include <boost/json/string.hpp>

#include <algorithm>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

using partyline::detail::counted;

// Members are looked up in the schema's table, which no peer fills, and not the other way round.
const node_id* find_member(const object_rules& rules, std::string_view name)
{
    const auto is_before = [](const auto& row, std::string_view wanted) { return row.first < wanted; };
    const auto found = std::lower_bound(rules.members.begin(), rules.members.end(), name, is_before);
    return found != rules.members.end() && found->first == name ? &found->second : nullptr;
}

} // namespace

bool checker::check_object(const node& asked, const subject& at)
{
    const json::object* const members = at.value.if_object();
    if (!asked.object || !members)
        return true;
    const object_rules& rules = *asked.object;
    if (!rules.count.contain(members->size())) // before its members are looked at
        return at.fails(
            [&] { return told(words_of("object", rules.count, "member"), counted(members->size(), "member")); });
    bool do_fit = check_required(rules, rules.required, at);
    if (do_fit || at.wants_problems())
        do_fit = check_members(rules, *members, at) && do_fit;
    if (do_fit || at.wants_problems())
        do_fit = check_dependents(rules, *members, at) && do_fit;
    return do_fit;
}

bool checker::check_members(const object_rules& rules, const json::object& members, const subject& at)
{
    const bool has_rules = !rules.members.empty() || !rules.patterns.empty() || rules.others || rules.name;
    if (!has_rules)
        return true;
    bool do_fit = true;
    std::size_t position = 0;
    for (const json::key_value_pair& member : members) {
        do_fit = check_member(rules, member, position++, at) && do_fit;
        if ((!do_fit && !at.wants_problems()) || budget_.is_used_up())
            return false;
    }
    return do_fit;
}

bool checker::check_member(const object_rules& rules, const json::key_value_pair& member, std::size_t position,
                           const subject& at)
{
    const value_place place(at.place, member.key());
    const subject part = at.part(member.value(), place);
    budget_.take();
    bool does_fit = !rules.name || check_name(*rules.name, member.key(), at);
    const node_id* const known = find_member(rules, member.key());
    if (known)
        does_fit = fits(*known, part) && does_fit;
    bool is_known = known != nullptr;
    for (const auto& [form, id] : rules.patterns) {
        if (!form.is_found_in(member.key(), budget_))
            continue;
        is_known = true;
        does_fit = fits(id, part) && does_fit;
    }
    if (!is_known && rules.others)
        does_fit = fits(*rules.others, part) && does_fit;
    if (is_known || rules.others)
        at.mark(position);
    return does_fit;
}

bool checker::check_name(node_id id, std::string_view name, const subject& at)
{
    const json::value text(name);
    return fits(id, {text, at.place, nullptr, nullptr}) ||
           at.fails([&] { return told("object whose names are each " + words_of(nodes_, id), shown(text)); });
}

bool checker::check_required(const object_rules& rules, const object_rules::names& names, const subject& at)
{
    bool are_there = true;
    for (const std::string_view name : names) {
        budget_.take();
        if (at.value.get_object().contains(name))
            continue;
        const node_id* const known = find_member(rules, name);
        const value_place place(at.place, name);
        are_there = at.fails_at(place, [&] { return told(known ? words_of(nodes_, *known) : "value", "nothing"); });
        if (!at.wants_problems())
            return false;
    }
    return are_there;
}

bool checker::check_dependents(const object_rules& rules, const json::object& members, const subject& at)
{
    bool do_fit = true;
    budget_.take(rules.required_with.size() + rules.fits_with.size());
    for (const auto& [name, names] : rules.required_with) {
        if (members.contains(name))
            do_fit = check_required(rules, names, at) && do_fit;
    }
    for (const auto& [name, id] : rules.fits_with) {
        if (members.contains(name) && (do_fit || at.wants_problems()))
            do_fit = fits(id, at) && do_fit;
    }
    return do_fit;
}

bool checker::check_unseen_members(node_id id, const subject& at)
{
    const json::object* const members = at.value.if_object();
    bool do_fit = true;
    std::size_t position = 0;
    for (auto member = members ? members->begin() : nullptr; members && member != members->end();
         ++member, ++position) {
        const value_place place(at.place, member->key());
        if (at.seen->has(position))
            continue;
        do_fit = fits(id, at.part(member->value(), place)) && do_fit;
        at.mark(position);
        if (!do_fit && !at.wants_problems())
            return false;
    }
    return do_fit;
}

} // namespace partyline::mcp::detail
