#include "mcp/schema/check/words.hpp"

#include "protocol/json/utf8.hpp"
#include "rpc/wording.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

using partyline::detail::counted;
using partyline::detail::number_text;

constexpr std::size_t max_shown_bytes = 64;
constexpr std::size_t max_names_bytes = 512;
constexpr std::size_t max_shown_values = 32;
constexpr std::size_t max_told_choices = 8;
constexpr std::size_t max_told_depth = 4; // of references and choices that words follow

void append_joined(std::string& text, std::string_view between, std::string_view more)
{
    text.append(text.empty() ? "" : between).append(more);
}

std::string words_of_number(const json::value& number)
{
    if (number.is_int64())
        return number_text(number.get_int64());
    return number.is_uint64() ? number_text(number.get_uint64()) : number_text(number.get_double());
}

std::string bounds_words(const number_rules& rules)
{
    if (rules.minimum && rules.maximum && !rules.above && !rules.below)
        return "from " + words_of_number(*rules.minimum) + " to " + words_of_number(*rules.maximum);
    std::string text;
    if (rules.minimum)
        append_joined(text, " and ", "of at least " + words_of_number(*rules.minimum));
    if (rules.above)
        append_joined(text, " and ", "above " + words_of_number(*rules.above));
    if (rules.maximum)
        append_joined(text, " and ", "of at most " + words_of_number(*rules.maximum));
    if (rules.below)
        append_joined(text, " and ", "below " + words_of_number(*rules.below));
    return text;
}

// "of 1 to 64 characters"; empty where any number of them will do.
std::string count_words(const count_bounds& bounds, std::string_view part)
{
    const bool is_open = bounds.max == std::size_t(-1);
    if (is_open && bounds.min == 0)
        return {};
    std::string text = is_open ? "of at least " : bounds.min == 0 ? "of at most " : "of ";
    if (!is_open && bounds.min != 0 && bounds.min != bounds.max)
        text += std::to_string(bounds.min) + " to ";
    return text + counted(is_open ? bounds.min : bounds.max, part);
}

class node_words {
public:
    explicit node_words(const std::vector<node>& nodes) noexcept : nodes_(nodes) {}

    std::string of(node_id id, std::size_t depth = 0) const
    {
        const node& asked = nodes_[id];
        if (asked.boolean)
            return *asked.boolean ? "anything" : "nothing";
        if (asked.value)
            return shown(*asked.value);
        if (asked.values)
            return words_of_values(*asked.values);
        const std::string words = of_kinds(asked);
        return words == "value" && asked.choice && depth < max_told_depth ? of_choice(*asked.choice, depth + 1) : words;
    }

    std::string of_any(const std::vector<node_id>& ids, std::size_t depth) const
    {
        std::vector<std::string> words;
        for (const node_id id : ids) {
            std::string next = of(id, depth);
            if (std::find(words.begin(), words.end(), next) == words.end())
                words.push_back(std::move(next));
            if (words.size() > max_told_choices)
                return "value";
        }
        std::string text;
        for (const std::string& word : words)
            append_joined(text, " or ", word);
        return text.empty() ? "value" : utf8::shortened(text, max_names_bytes);
    }

private:
    static std::string of_kinds(const node& asked)
    {
        const std::uint8_t kinds = asked.kinds == every_kind ? kinds_of_rules(asked) : asked.kinds;
        if (asked.number && (kinds & ~number_kind) == 0)
            return words_of(*asked.number, kinds);
        if (asked.text && kinds == string_kind)
            return words_of(*asked.text);
        if (asked.array && kinds == array_kind)
            return words_of("array", asked.array->count, "element");
        return asked.object && kinds == object_kind ? of_object(*asked.object) : words_of_kinds(kinds);
    }

    // Without a type, rules for values of one kind tell what is meant.
    static std::uint8_t kinds_of_rules(const node& asked) noexcept
    {
        const int kinds = (asked.number ? int(number_kind) : 0) | (asked.text ? int(string_kind) : 0) |
                          (asked.array ? int(array_kind) : 0) | (asked.object ? int(object_kind) : 0);
        return static_cast<std::uint8_t>(kinds == 0 ? int(every_kind) : kinds);
    }

    static std::string of_object(const object_rules& rules)
    {
        std::string text = words_of("object", rules.count, "member");
        if (rules.required.empty())
            return text;
        return text + " with " + utf8::shortened(partyline::detail::joined(rules.required), max_shown_bytes);
    }

    std::string of_choice(const choice_rules& rules, std::size_t depth) const
    {
        if (rules.same)
            return of(*rules.same, depth);
        if (rules.all.size() == 1)
            return of(rules.all.front(), depth);
        return of_any(rules.any.empty() ? rules.one : rules.any, depth);
    }

    const std::vector<node>& nodes_;
};

} // namespace

std::string words_of_kinds(std::uint8_t kinds)
{
    if (kinds == every_kind)
        return "value";
    std::string text;
    constexpr std::pair<std::uint8_t, std::string_view> rows[] = {
        {string_kind, "string"}, {boolean_kind, "boolean"}, {array_kind, "array"}, {object_kind, "object"}};
    if ((kinds & number_kind) != 0)
        append_joined(text, " or ", (kinds & fraction_kind) != 0 ? "number" : "integer");
    for (const auto& [kind, name] : rows) {
        if ((kinds & kind) != 0)
            append_joined(text, " or ", name);
    }
    if ((kinds & null_kind) != 0)
        append_joined(text, " or ", "null");
    return text;
}

std::string words_of(const number_rules& rules, std::uint8_t kinds)
{
    std::string text = (kinds & fraction_kind) != 0 ? "number" : "integer";
    const std::string bounds = bounds_words(rules);
    if (!bounds.empty())
        text += " " + bounds;
    if (rules.multiple_of)
        text += " that is a multiple of " + words_of_number(*rules.multiple_of);
    return text;
}

std::string words_of(const text_rules& rules)
{
    std::string text = words_of("string", rules.length, "character");
    if (rules.form)
        text += " that matches " + utf8::shortened(rules.form->text(), max_shown_bytes);
    return text;
}

std::string words_of(std::string_view kind, const count_bounds& bounds, std::string_view part)
{
    std::string text(kind);
    append_joined(text, " ", count_words(bounds, part));
    return text.ends_with(' ') ? text.substr(0, text.size() - 1) : text;
}

std::string words_of_values(const json::array& values)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(values.size(), max_shown_values); ++i)
        append_joined(text, ", ", shown(values[i]));
    text += values.size() > max_shown_values ? ", ..." : "";
    return (values.size() == 1 ? "" : "one of ") + utf8::shortened(text, max_names_bytes);
}

std::string words_of(const std::vector<node>& nodes, node_id id)
{
    return node_words(nodes).of(id);
}

std::string words_of_any(const std::vector<node>& nodes, const std::vector<node_id>& ids)
{
    return node_words(nodes).of_any(ids, 0);
}

std::string kind_of(const json::value& value)
{
    switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::double_: return "number";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    default: return "integer";
    }
}

std::string shown(const json::value& value)
{
    if (value.is_structured() || value.is_null())
        return kind_of(value);
    if (value.is_string())
        return value.get_string().empty() ? "\"\"" : utf8::shortened(value.get_string(), max_shown_bytes);
    return value.is_bool() ? value.get_bool() ? "true" : "false" : words_of_number(value);
}

} // namespace partyline::mcp::detail
