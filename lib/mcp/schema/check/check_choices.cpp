// What else a schema asks of the same value: references, alternatives, conditions.
#include "mcp/schema/check/checker.hpp"
#include "mcp/schema/check/meant_problems.hpp"
#include "mcp/schema/check/words.hpp"

#include <algorithm>
#include <cstddef>

namespace partyline::mcp::detail {
bool checker::check_choices(const node& asked, const subject& at)
{
    if (!asked.choice)
        return true;
    const choice_rules& rules = *asked.choice;
    using part = bool (checker::*)(const choice_rules&, const subject&);
    static constexpr part parts[] = {&checker::check_all, &checker::check_any, &checker::check_one,
                                     &checker::check_none, &checker::check_condition};
    bool does_fit = true;
    for (const part next : parts) {
        does_fit = (this->*next)(rules, at) && does_fit;
        if (!does_fit && !at.wants_problems())
            return false;
    }
    return does_fit;
}

bool checker::check_all(const choice_rules& rules, const subject& at)
{
    bool does_fit = !rules.same || fits(*rules.same, at);
    for (const node_id id : rules.all) {
        if (!does_fit && !at.wants_problems())
            return false;
        does_fit = fits(id, at) && does_fit;
    }
    return does_fit;
}

// What a schema has seen that does not fit counts for nothing.
bool checker::fits_apart(node_id id, const subject& at)
{
    if (!at.seen)
        return fits(id, at);
    seen_parts seen(at.value);
    budget_.take(1 + seen.size() / 64);
    const bool does_fit = fits(id, at.asked_by(&seen));
    if (does_fit)
        at.seen->add(seen);
    return does_fit;
}

bool checker::check_any(const choice_rules& rules, const subject& at)
{
    bool does_fit = rules.any.empty();
    for (const node_id id : rules.any) {
        does_fit = fits_apart(id, at.told_to(nullptr)) || does_fit;
        if (does_fit && !at.seen)
            return true;
    }
    return does_fit || fails_all(rules.any, at);
}

bool checker::check_one(const choice_rules& rules, const subject& at)
{
    std::size_t count = 0;
    for (const node_id id : rules.one)
        count += count < 2 && fits_apart(id, at.told_to(nullptr));
    if (count == 1 || rules.one.empty())
        return true;
    if (count == 0)
        return fails_all(rules.one, at);
    const std::string expected = "value that fits one of " + std::to_string(rules.one.size()) + " schemas and no other";
    return at.fails([&] { return told(expected, kind_of(at.value) + " that fits two"); });
}

// The alternatives are asked once more for what they have to say.
bool checker::fails_all(const std::vector<node_id>& ids, const subject& at)
{
    if (!at.wants_problems())
        return false;
    std::vector<mismatches> tries(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        fits(ids[i], {at.value, at.place, nullptr, &tries[i]});
    const mismatches meant = meant_problems(tries, at.place.pointer());
    if (meant.empty())
        return at.fails([&] { return told(words_of_any(nodes_, ids), shown(at.value)); });
    const auto room = static_cast<std::ptrdiff_t>(std::min(max_mismatches - at.problems->size(), meant.size()));
    at.problems->insert(at.problems->end(), meant.begin(), meant.begin() + room);
    return false;
}

bool checker::check_none(const choice_rules& rules, const subject& at)
{
    if (!rules.none || !fits(*rules.none, {at.value, at.place, nullptr, nullptr}))
        return true;
    return at.fails([&] { return told("value that is not " + words_of(nodes_, *rules.none), shown(at.value)); });
}

bool checker::check_condition(const choice_rules& rules, const subject& at)
{
    if (!rules.condition)
        return true;
    const bool is_met = fits_apart(*rules.condition, at.told_to(nullptr));
    const std::optional<node_id>& asked = is_met ? rules.then_fits : rules.else_fits;
    return !asked || fits(*asked, at);
}

} // namespace partyline::mcp::detail
