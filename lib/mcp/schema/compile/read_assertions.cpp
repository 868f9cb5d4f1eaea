#include "mcp/schema/compile/read_assertions.hpp"

#include "mcp/schema/check/number_order.hpp"
#include "mcp/schema/check/value_order.hpp"
#include "mcp/schema/compile/keyword_place.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

struct kind_row {
    std::string_view name;
    std::uint8_t kinds;
};

constexpr kind_row kind_rows[] = {{"null", null_kind},     {"boolean", boolean_kind}, {"integer", integer_kind},
                                  {"number", number_kind}, {"string", string_kind},   {"array", array_kind},
                                  {"object", object_kind}};

std::uint8_t kinds_of(const keyword_place& place, const json::value& name)
{
    const json::string* const text = name.if_string();
    const auto* const row = std::find_if(std::begin(kind_rows), std::end(kind_rows),
                                         [&](const kind_row& r) { return text && r.name == std::string_view(*text); });
    if (row == std::end(kind_rows))
        place.refuse("a type is null, boolean, integer, number, string, array or object");
    return row->kinds;
}

const json::value* number_in(const keyword_place& place, const json::value& value)
{
    if (!value.is_number() || (value.is_double() && !std::isfinite(value.get_double())))
        place.refuse("it has to be a number");
    return &value;
}

// 2.0 is a count too. What no size_t holds is a bound that nothing reaches.
std::size_t count_in(const keyword_place& place, const json::value& value)
{
    const bool is_count = is_integral(value) && !is_less(value, json::value(0));
    if (!is_count)
        place.refuse("it has to be an integer of at least 0");
    if (value.is_double())
        return value.get_double() < 1e15 ? static_cast<std::size_t>(value.get_double()) : std::size_t(-1);
    return value.to_number<std::size_t>();
}

std::string_view text_in(const keyword_place& place, const json::value& value)
{
    if (!value.is_string())
        place.refuse("it has to be a string");
    return value.get_string();
}

} // namespace

void ignore(keyword_place&, const json::value&) {}

void ignore_text(keyword_place& place, const json::value& value)
{
    text_in(place, value);
}

void read_type(keyword_place& place, const json::value& value)
{
    const json::array* const names = value.if_array();
    if (!names) {
        place.into().kinds = kinds_of(place, value);
        return;
    }
    if (names->empty())
        place.refuse("it has to name a type");
    place.into().kinds = 0;
    for (const json::value& name : *names)
        place.into().kinds |= kinds_of(place, name);
}

void read_enum(keyword_place& place, const json::value& value)
{
    place.into().values = value.if_array();
    if (!place.into().values)
        place.refuse("it has to be an array");
    step_budget steps(std::numeric_limits<std::size_t>::max());
    place.into().sorted_values = sort_values(*place.into().values, steps);
    if (steps.is_used_up())
        place.refuse("its values lie in each other too deep");
}

void read_const(keyword_place& place, const json::value& value)
{
    place.into().value = &value;
}

void read_minimum(keyword_place& place, const json::value& value)
{
    place.rules(&node::number).minimum = number_in(place, value);
}

void read_maximum(keyword_place& place, const json::value& value)
{
    place.rules(&node::number).maximum = number_in(place, value);
}

void read_exclusive_minimum(keyword_place& place, const json::value& value)
{
    place.rules(&node::number).above = number_in(place, value);
}

void read_exclusive_maximum(keyword_place& place, const json::value& value)
{
    place.rules(&node::number).below = number_in(place, value);
}

void read_multiple_of(keyword_place& place, const json::value& value)
{
    if (!is_less(json::value(0), *number_in(place, value)))
        place.refuse("it has to be above 0");
    place.rules(&node::number).multiple_of = &value;
}

void read_min_length(keyword_place& place, const json::value& value)
{
    place.rules(&node::text).length.min = count_in(place, value);
}

void read_max_length(keyword_place& place, const json::value& value)
{
    place.rules(&node::text).length.max = count_in(place, value);
}

void read_pattern(keyword_place& place, const json::value& value)
{
    place.rules(&node::text).form = pattern_in(place, text_in(place, value));
}

void read_min_items(keyword_place& place, const json::value& value)
{
    place.rules(&node::array).count.min = count_in(place, value);
}

void read_max_items(keyword_place& place, const json::value& value)
{
    place.rules(&node::array).count.max = count_in(place, value);
}

void read_min_contains(keyword_place& place, const json::value& value)
{
    place.rules(&node::array).wanted_count.min = count_in(place, value);
}

void read_max_contains(keyword_place& place, const json::value& value)
{
    place.rules(&node::array).wanted_count.max = count_in(place, value);
}

void read_unique_items(keyword_place& place, const json::value& value)
{
    if (!value.is_bool())
        place.refuse("it has to be true or false");
    place.rules(&node::array).is_unique = value.get_bool();
}

void read_min_properties(keyword_place& place, const json::value& value)
{
    place.rules(&node::object).count.min = count_in(place, value);
}

void read_max_properties(keyword_place& place, const json::value& value)
{
    place.rules(&node::object).count.max = count_in(place, value);
}

void read_required(keyword_place& place, const json::value& value)
{
    place.rules(&node::object).required = names_in(place, value);
}

void read_dependent_required(keyword_place& place, const json::value& value)
{
    if (!value.is_object())
        place.refuse("it has to be an object");
    for (const json::key_value_pair& member : value.get_object())
        place.rules(&node::object).required_with.emplace_back(member.key(), names_in(place, member.value()));
}

std::vector<std::string_view> names_in(const keyword_place& place, const json::value& value)
{
    if (!value.is_array())
        place.refuse("it has to be an array of names");
    std::vector<std::string_view> names;
    for (const json::value& name : value.get_array()) {
        if (!name.is_string())
            place.refuse("it has to be an array of names");
        names.push_back(name.get_string());
    }
    return names;
}

pattern pattern_in(const keyword_place& place, std::string_view text)
{
    std::optional<pattern> compiled;
    try {
        compiled.emplace(text);
    } catch (const std::invalid_argument& error) {
        place.refuse(error.what());
    }
    place.pattern_steps() += compiled->size();
    if (place.pattern_steps() > max_document_pattern_steps)
        place.refuse("the patterns of the document are too long altogether");
    return std::move(*compiled);
}

} // namespace partyline::mcp::detail
