#include <partyline/rpc/detail/member_rules.hpp>

#include "rpc/wording.hpp"

#include <algorithm>
#include <string>

namespace partyline::detail {
namespace {

std::string text_of(rule_number number)
{
    return std::visit([](auto n) { return number_text(n); }, number);
}

bool is_real(const rule_number& number) noexcept
{
    return std::holds_alternative<double>(number);
}

// "of 1 to 64 characters", "of at least 1 element"
std::string described(const length& rule, std::string_view what)
{
    const bool is_open = rule.max == std::size_t(-1);
    const std::size_t last = is_open ? rule.min : rule.max;
    std::string text = " of ";
    if (is_open)
        text += "at least ";
    else if (rule.min == 0)
        text += "at most ";
    else if (rule.min != rule.max)
        text += std::to_string(rule.min) + " to ";
    return text + counted(last, what);
}

bool fits(std::size_t count, const length& rule) noexcept
{
    return count >= rule.min && count <= rule.max;
}

} // namespace

bool refuse_out_of_bounds(json_source& from, const rule_bounds& bounds, rule_number got)
{
    if (!from.notes_problems())
        return false;
    const bool has_both = bounds.min && bounds.max;
    std::string expected = is_real(got) ? "number" : "integer";
    if (has_both)
        expected += " from " + text_of(*bounds.min) + " to " + text_of(*bounds.max);
    else
        expected += bounds.min ? " of at least " + text_of(*bounds.min) : " of at most " + text_of(*bounds.max);
    return from.refuse(expected, text_of(got));
}

bool check_text_length(json_source& from, std::string_view text, const length& rule)
{
    const auto is_begin = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }; // of a character
    const auto count = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_begin));
    if (fits(count, rule))
        return true;
    return from.notes_problems() && from.refuse("string" + described(rule, "character"), counted(count, "character"));
}

bool check_count(json_source& from, std::string_view kind, std::size_t count, const length& rule)
{
    const std::string_view each = kind == "object" ? "member" : "element";
    if (fits(count, rule))
        return true;
    return from.notes_problems() && from.refuse(std::string(kind) + described(rule, each), counted(count, each));
}

bool check_text(json_source& from, std::string_view text, array_view<const std::string_view> texts)
{
    if (std::find(texts.begin(), texts.end(), text) != texts.end())
        return true;
    return from.notes_problems() && from.refuse("one of " + joined(texts), text);
}

} // namespace partyline::detail
