#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/rpc/detail/schema_type.hpp>

#include <boost/json/array.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace json = boost::json;

namespace partyline::detail {
namespace {

json::value to_json(const rule_number& number)
{
    return std::visit([](auto n) { return json::value(n); }, number);
}

bool is_finite(const rule_number& number)
{
    const double* const real = std::get_if<double>(&number);
    return !real || std::isfinite(*real);
}

rule_number number_of(const json::value& bound)
{
    if (bound.is_double())
        return bound.get_double();
    return bound.is_int64() ? rule_number(bound.get_int64()) : rule_number(bound.get_uint64());
}

// Of two bounds both hold.
void keep_tighter(json::object& schema, std::string_view name, const json::value& bound, bool is_least)
{
    const auto [known, is_new] = schema.emplace(name, bound);
    if (is_new)
        return;
    const auto less = [](auto a, auto b) { return is_less(a, b); };
    const bool is_less_than_known = std::visit(less, number_of(bound), number_of(known->value()));
    if (is_less_than_known != is_least)
        known->value() = bound;
}

// What is known of the enumerators, since few clients show more than a description.
std::string describe(const schema_type& of)
{
    std::string text;
    for (const schema_enumerator& one : of.enumerators) {
        const bool is_number = of.what == schema_type::kind::numbers;
        if (one.text.empty() && !is_number)
            continue;
        text.append(text.empty() ? "" : "; ");
        if (is_number)
            text.append(std::to_string(one.number)).append(": ").append(one.name);
        else
            text.append(one.name);
        if (!one.text.empty())
            text.append(is_number ? ", " : ": ").append(one.text);
    }
    return text;
}

json::object make_enum(const schema_type& of)
{
    const bool are_numbers = of.what == schema_type::kind::numbers;
    json::array all;
    for (const schema_enumerator& one : of.enumerators) {
        const json::value next = are_numbers ? json::value(one.number) : json::value(one.name);
        if (std::find(all.begin(), all.end(), next) == all.end()) // two may be the same number
            all.push_back(next);
    }
    json::object schema{{"type", are_numbers ? "integer" : "string"}, {"enum", std::move(all)}};
    if (const std::string text = describe(of); !text.empty())
        schema.emplace("description", text);
    return schema;
}

// What a member is comes before what its type says of itself.
void add_text(json::object& schema, std::string_view text)
{
    if (text.empty())
        return;
    std::string whole(text);
    if (const json::value* const known = schema.if_contains("description"))
        whole.append(" (").append(known->as_string()).append(")");
    schema["description"] = whole;
}

json::object or_null(json::object schema)
{
    return {{"anyOf", json::array{std::move(schema), json::object{{"type", "null"}}}}};
}

// An infinite number, say, has no JSON text.
void add_default(json::object& schema, json::value initial)
{
    byte_buffer text;
    if (!write_value(text, initial, limits().depth))
        schema.emplace("default", std::move(initial));
}

json::object make_member(const schema_member& of, bool is_nullable, const schema_use& how)
{
    json::object schema = make_schema(of.type(), how);
    if (of.refine)
        of.refine(schema);
    if (is_nullable && !schema.empty()) // an empty schema takes null anyhow
        schema = or_null(std::move(schema));
    add_text(schema, of.text);
    if (of.initial && !how.is_result)
        add_default(schema, of.initial());
    return schema;
}

json::object make_struct(const schema_type& of, const schema_use& how)
{
    const bool are_null =
        of.policy.empty.value_or(how.policy.empty.value_or(empty_optionals::left_out)) == empty_optionals::null;
    const bool is_open =
        of.policy.unknown.value_or(how.policy.unknown.value_or(unknown_members::refused)) == unknown_members::ignored;
    json::object properties;
    json::array required;
    for (const schema_member& member : of.members) {
        const bool is_null = how.is_result && member.is_optional && are_null;
        properties.emplace(member.name, make_member(member, is_null, how));
        if (how.is_result ? !member.is_optional || is_null : member.is_required)
            required.emplace_back(member.name);
    }
    json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty())
        schema.emplace("required", std::move(required));
    if (!is_open)
        schema.emplace("additionalProperties", false);
    return schema;
}

json::array make_parts(const schema_type& of, const schema_use& how)
{
    json::array parts;
    for (const schema_link part : of.parts)
        parts.emplace_back(make_schema(part(), how));
    return parts;
}

json::object make_tuple(const schema_type& of, const schema_use& how)
{
    json::object schema{{"type", "array"}};
    if (!of.parts.empty())
        schema.emplace("prefixItems", make_parts(of, how));
    schema.emplace("minItems", of.parts.size());
    schema.emplace("maxItems", of.parts.size());
    return schema;
}

json::object make_array(const schema_type& of, const schema_use& how)
{
    json::object schema{{"type", "array"}};
    if (!of.parts.empty())
        schema.emplace("items", make_schema(of.parts.front()(), how));
    if (of.size) {
        schema.emplace("minItems", *of.size);
        schema.emplace("maxItems", *of.size);
    }
    return schema;
}

json::object make_map(const schema_type& of, const schema_use& how)
{
    json::object schema{{"type", "object"}};
    if (!of.parts.empty())
        schema.emplace("additionalProperties", make_schema(of.parts.front()(), how));
    return schema;
}

json::object make_integer(const schema_type& of)
{
    json::object schema{{"type", "integer"}};
    refine_bounds(schema, {of.min, of.max});
    return schema;
}

json::object make_bare_schema(const schema_type& of, const schema_use& how)
{
    using kind = schema_type::kind;
    switch (of.what) {
    case kind::any: return {};
    case kind::null: return {{"type", "null"}};
    case kind::boolean: return {{"type", "boolean"}};
    case kind::integer: return make_integer(of);
    case kind::number: return {{"type", "number"}};
    case kind::string: return {{"type", "string"}};
    case kind::object: return make_struct(of, how);
    case kind::map: return make_map(of, how);
    case kind::array: return make_array(of, how);
    case kind::tuple: return make_tuple(of, how);
    case kind::names:
    case kind::numbers: return make_enum(of);
    case kind::choice: return {{"anyOf", make_parts(of, how)}};
    }
    return {};
}

} // namespace

json::object make_schema(const schema_type& of, const schema_use& how)
{
    json::object schema = make_bare_schema(of, how);
    add_text(schema, of.text);
    return of.is_nullable && how.is_result && !schema.empty() ? or_null(std::move(schema)) : schema;
}

void refine_bounds(json::object& schema, const rule_bounds& bounds)
{
    if (bounds.min && is_finite(*bounds.min))
        keep_tighter(schema, "minimum", to_json(*bounds.min), true);
    if (bounds.max && is_finite(*bounds.max))
        keep_tighter(schema, "maximum", to_json(*bounds.max), false);
}

void refine_length(json::object& schema, const length& rule)
{
    const json::value* const type = schema.if_contains("type");
    if (!type)
        return; // of what has a conversion of its own nothing is known
    const bool is_text = *type == "string";
    const bool is_map = *type == "object";
    keep_tighter(schema, is_text ? "minLength" : is_map ? "minProperties" : "minItems", rule.min, true);
    if (rule.max != std::size_t(-1))
        keep_tighter(schema, is_text ? "maxLength" : is_map ? "maxProperties" : "maxItems", rule.max, false);
}

void refine_texts(json::object& schema, array_view<const std::string_view> texts)
{
    json::array all;
    for (const std::string_view text : texts)
        all.emplace_back(text);
    schema["enum"] = std::move(all);
}

void refine_format(json::object& schema, std::string_view name)
{
    schema["format"] = name;
}

} // namespace partyline::detail
