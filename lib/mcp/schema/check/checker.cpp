#include "mcp/schema/check/checker.hpp"

#include "mcp/schema/check/number_order.hpp"
#include "mcp/schema/check/value_order.hpp"
#include "mcp/schema/check/words.hpp"
#include "rpc/wording.hpp"

#include <algorithm>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

std::uint8_t kind_bit(const json::value& value) noexcept
{
    switch (value.kind()) {
    case json::kind::null: return null_kind;
    case json::kind::bool_: return boolean_kind;
    case json::kind::string: return string_kind;
    case json::kind::array: return array_kind;
    case json::kind::object: return object_kind;
    default: return is_integral(value) ? integer_kind : fraction_kind;
    }
}

bool is_in_range(const json::value& number, const number_rules& rules) noexcept
{
    return (!rules.minimum || !is_less(number, *rules.minimum)) &&
           (!rules.maximum || !is_less(*rules.maximum, number)) && (!rules.above || is_less(*rules.above, number)) &&
           (!rules.below || is_less(number, *rules.below));
}

std::size_t count_characters(std::string_view text) noexcept
{
    const auto is_begin = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_begin));
}

} // namespace

bool checker::fits(node_id id, const subject& at)
{
    is_too_deep_ = is_too_deep_ || depth_ == max_check_depth;
    if (is_too_deep_ || !budget_.take())
        return false;
    ++depth_;
    const node& asked = nodes_[id];
    const bool has_to_see = asked.unseen_items || asked.unseen_members;
    const bool does_fit = has_to_see ? check_seen(asked, at) : check(asked, at);
    --depth_;
    return does_fit;
}

// What the schemas around this one have seen is none of its business; what it has seen is one of theirs.
bool checker::check_seen(const node& asked, const subject& at)
{
    seen_parts seen(at.value);
    budget_.take(seen.size() / bytes_of_a_step);
    const subject inner = at.asked_by(&seen);
    if (!check(asked, inner) || (asked.unseen_items && !check_unseen_items(*asked.unseen_items, inner)) ||
        (asked.unseen_members && !check_unseen_members(*asked.unseen_members, inner)))
        return false;
    if (at.seen)
        at.seen->add(seen);
    return true;
}

bool checker::check(const node& asked, const subject& at)
{
    if (asked.boolean && !*asked.boolean)
        return at.fails([&] { return told("nothing", kind_of(at.value)); });
    if ((asked.kinds & kind_bit(at.value)) == 0)
        return at.fails([&] { return told(words_of_kinds(asked.kinds), kind_of(at.value)); });
    static constexpr rule rules[] = {&checker::check_value, &checker::check_number, &checker::check_text,
                                     &checker::check_array, &checker::check_object, &checker::check_choices};
    bool does_fit = true;
    for (const rule next : rules) {
        does_fit = (this->*next)(asked, at) && does_fit;
        if (!does_fit && !at.wants_problems())
            return false;
    }
    return does_fit;
}

bool checker::check_value(const node& asked, const subject& at)
{
    if (asked.value && !are_equal(*asked.value, at.value, budget_))
        return at.fails([&] { return told(shown(*asked.value), shown(at.value)); });
    return !asked.values || is_one_of(asked.sorted_values, at.value, budget_) ||
           at.fails([&] { return told(words_of_values(*asked.values), shown(at.value)); });
}

bool checker::check_number(const node& asked, const subject& at)
{
    if (!asked.number || !at.value.is_number())
        return true;
    const number_rules& rules = *asked.number;
    const bool does_fit =
        is_in_range(at.value, rules) && (!rules.multiple_of || is_multiple(at.value, *rules.multiple_of));
    return does_fit || at.fails([&] { return told(words_of(rules, asked.kinds), shown(at.value)); });
}

bool checker::check_text(const node& asked, const subject& at)
{
    if (!asked.text || !at.value.is_string())
        return true;
    const std::string_view text = at.value.get_string();
    const text_rules& rules = *asked.text;
    budget_.take(text.size() / bytes_of_a_step);
    const std::size_t count = rules.length == count_bounds() ? 0 : count_characters(text);
    if (!rules.length.contain(count))
        return at.fails([&] { return told(words_of(rules), partyline::detail::counted(count, "character")); });
    return !rules.form || rules.form->is_found_in(text, budget_) ||
           at.fails([&] { return told(words_of(rules), shown(at.value)); });
}

} // namespace partyline::mcp::detail
