#include "mcp/schema/compile/keywords.hpp"

#include "mcp/schema/compile/read_applicators.hpp"
#include "mcp/schema/compile/read_assertions.hpp"

#include <algorithm>

namespace partyline::mcp::detail {
namespace {

constexpr keyword keywords[] = {
    // What names schemas: read with the document as a whole, before the others.
    {"$schema", both_dialects, holding::nothing, ignore_text},
    {"$id", both_dialects, holding::nothing, ignore_text},
    {"$anchor", draft_2020_12, holding::nothing, ignore_text},
    {"$dynamicAnchor", draft_2020_12, holding::nothing, ignore_text},
    {"$defs", both_dialects, holding::members, ignore},
    {"definitions", both_dialects, holding::members, ignore},
    {"$ref", both_dialects, holding::nothing, read_ref},
    {"$dynamicRef", draft_2020_12, holding::nothing, refuse_dynamic},
    {"$recursiveRef", both_dialects, holding::nothing, refuse_dynamic},

    {"type", both_dialects, holding::nothing, read_type},
    {"enum", both_dialects, holding::nothing, read_enum},
    {"const", both_dialects, holding::nothing, read_const},
    {"minimum", both_dialects, holding::nothing, read_minimum},
    {"maximum", both_dialects, holding::nothing, read_maximum},
    {"exclusiveMinimum", both_dialects, holding::nothing, read_exclusive_minimum},
    {"exclusiveMaximum", both_dialects, holding::nothing, read_exclusive_maximum},
    {"multipleOf", both_dialects, holding::nothing, read_multiple_of},
    {"minLength", both_dialects, holding::nothing, read_min_length},
    {"maxLength", both_dialects, holding::nothing, read_max_length},
    {"pattern", both_dialects, holding::nothing, read_pattern},

    {"items", draft_2020_12, holding::schema, read_items},
    {"items", draft_07, holding::schema_or_list, read_items},
    {"additionalItems", draft_07, holding::schema, read_additional_items},
    {"prefixItems", draft_2020_12, holding::list, read_prefix_items},
    {"contains", both_dialects, holding::schema, read_contains},
    {"minContains", draft_2020_12, holding::nothing, read_min_contains},
    {"maxContains", draft_2020_12, holding::nothing, read_max_contains},
    {"minItems", both_dialects, holding::nothing, read_min_items},
    {"maxItems", both_dialects, holding::nothing, read_max_items},
    {"uniqueItems", both_dialects, holding::nothing, read_unique_items},
    {"unevaluatedItems", draft_2020_12, holding::schema, read_unevaluated_items},

    {"properties", both_dialects, holding::members, read_properties},
    {"patternProperties", both_dialects, holding::members, read_pattern_properties},
    {"additionalProperties", both_dialects, holding::schema, read_additional_properties},
    {"propertyNames", both_dialects, holding::schema, read_property_names},
    {"required", both_dialects, holding::nothing, read_required},
    {"minProperties", both_dialects, holding::nothing, read_min_properties},
    {"maxProperties", both_dialects, holding::nothing, read_max_properties},
    {"dependentRequired", draft_2020_12, holding::nothing, read_dependent_required},
    {"dependentSchemas", draft_2020_12, holding::members, read_dependent_schemas},
    {"dependencies", draft_07, holding::schemas_or_names, read_dependencies},
    {"unevaluatedProperties", draft_2020_12, holding::schema, read_unevaluated_properties},

    {"allOf", both_dialects, holding::list, read_all_of},
    {"anyOf", both_dialects, holding::list, read_any_of},
    {"oneOf", both_dialects, holding::list, read_one_of},
    {"not", both_dialects, holding::schema, read_not},
    {"if", both_dialects, holding::schema, read_if},
    {"then", both_dialects, holding::schema, read_then},
    {"else", both_dialects, holding::schema, read_else},

    // What is said to readers alone.
    {"title", both_dialects, holding::nothing, ignore},
    {"description", both_dialects, holding::nothing, ignore},
    {"default", both_dialects, holding::nothing, ignore},
    {"examples", both_dialects, holding::nothing, ignore},
    {"$comment", both_dialects, holding::nothing, ignore},
    {"deprecated", both_dialects, holding::nothing, ignore},
    {"readOnly", both_dialects, holding::nothing, ignore},
    {"writeOnly", both_dialects, holding::nothing, ignore},
    {"contentEncoding", both_dialects, holding::nothing, ignore},
    {"contentMediaType", both_dialects, holding::nothing, ignore},
    {"contentSchema", draft_2020_12, holding::schema, ignore},
    {"format", both_dialects, holding::nothing, ignore_text},
    {"enumNames", both_dialects, holding::nothing, ignore},
};

constexpr keyword extension = {"x-", both_dialects, holding::nothing, ignore};

} // namespace

std::string_view name_of(dialect version) noexcept
{
    return version == draft_07 ? "draft-07" : "2020-12";
}

std::optional<dialect> dialect_of(std::string_view uri) noexcept
{
    if (uri.ends_with('#'))
        uri.remove_suffix(1);
    if (uri == "https://json-schema.org/draft/2020-12/schema")
        return draft_2020_12;
    if (uri == "http://json-schema.org/draft-07/schema" || uri == "https://json-schema.org/draft-07/schema")
        return draft_07;
    return std::nullopt;
}

const keyword* find_keyword(std::string_view name, dialect version) noexcept
{
    const auto is_it = [&](const keyword& row) { return row.name == name && (row.dialects & version) != 0; };
    const keyword* const found = std::find_if(std::begin(keywords), std::end(keywords), is_it);
    if (found != std::end(keywords))
        return found;
    return name.starts_with(extension.name) ? &extension : nullptr;
}

} // namespace partyline::mcp::detail
