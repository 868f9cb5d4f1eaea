// What schemas ask of arrays.
#include "mcp/schema/check/checker.hpp"
#include "mcp/schema/check/value_order.hpp"
#include "mcp/schema/check/words.hpp"
#include "rpc/wording.hpp"

#include <algorithm>

namespace json = boost::json;

namespace partyline::mcp::detail {

using partyline::detail::counted;

bool checker::check_array(const node& asked, const subject& at)
{
    const json::array* const elements = at.value.if_array();
    if (!asked.array || !elements)
        return true;
    const array_rules& rules = *asked.array;
    if (!rules.count.contain(elements->size())) // before its elements are looked at
        return at.fails(
            [&] { return told(words_of("array", rules.count, "element"), counted(elements->size(), "element")); });
    const bool do_fit = check_elements(rules, *elements, at);
    if (!do_fit && !at.wants_problems())
        return false;
    return check_wanted(rules, *elements, at) && (!rules.is_unique || check_unique(*elements, at)) && do_fit;
}

bool checker::check_elements(const array_rules& rules, const json::array& elements, const subject& at)
{
    bool do_fit = true;
    const std::size_t count = rules.others ? elements.size() : std::min(rules.first.size(), elements.size());
    for (std::size_t i = 0; i < count && (do_fit || at.wants_problems()); ++i) {
        const value_place place(at.place, i);
        const node_id id = i < rules.first.size() ? rules.first[i] : *rules.others;
        do_fit = fits(id, at.part(elements[i], place)) && do_fit;
        at.mark(i);
    }
    return do_fit;
}

bool checker::check_wanted(const array_rules& rules, const json::array& elements, const subject& at)
{
    if (!rules.wanted)
        return true;
    std::size_t count = 0;
    for (std::size_t i = 0; i < elements.size() && !budget_.is_used_up(); ++i) {
        const value_place place(at.place, i);
        if (!fits(*rules.wanted, {elements[i], place, nullptr, nullptr}))
            continue;
        ++count;
        at.mark(i);
    }
    return rules.wanted_count.contain(count) || at.fails([&] {
        const std::string such = "element that is " + words_of(nodes_, *rules.wanted);
        return told(words_of("array", rules.wanted_count, such), counted(count, "such element"));
    });
}

bool checker::check_unique(const json::array& elements, const subject& at)
{
    const auto equal = find_equal(elements, budget_);
    return !equal || at.fails([&] {
        const std::string numbers = std::to_string(equal->first) + " and " + std::to_string(equal->second);
        return told("array whose elements differ", "equal elements " + numbers);
    });
}

bool checker::check_unseen_items(node_id id, const subject& at)
{
    const json::array* const elements = at.value.if_array();
    bool do_fit = true;
    for (std::size_t i = 0; elements && i < elements->size() && (do_fit || at.wants_problems()); ++i) {
        const value_place place(at.place, i);
        if (at.seen->has(i))
            continue;
        do_fit = fits(id, at.part((*elements)[i], place)) && do_fit;
        at.mark(i);
    }
    return do_fit;
}

} // namespace partyline::mcp::detail
