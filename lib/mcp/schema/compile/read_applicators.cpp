#include "mcp/schema/compile/read_applicators.hpp"

#include "mcp/schema/compile/keyword_place.hpp"
#include "mcp/schema/compile/read_assertions.hpp"

#include <algorithm>
#include <stdexcept>

namespace json = boost::json;

// The document's index has made sure that there are schemas where there have to be.
namespace partyline::mcp::detail {
namespace {

std::vector<node_id> ids_in(const keyword_place& place, const json::value& value)
{
    std::vector<node_id> ids;
    for (const json::value& schema : value.get_array())
        ids.push_back(place.id_of(schema));
    return ids;
}

std::vector<node_id> some_ids_in(const keyword_place& place, const json::value& value)
{
    if (value.get_array().empty())
        place.refuse("it has to have a schema");
    return ids_in(place, value);
}

} // namespace

void read_ref(keyword_place& place, const json::value& value)
{
    if (!value.is_string())
        place.refuse("it has to be a string");
    try {
        place.rules(&node::choice).same = place.index().resolve(place.at().resource, value.get_string());
    } catch (const std::invalid_argument& error) {
        place.refuse(error.what());
    }
}

void refuse_dynamic(keyword_place& place, const json::value&)
{
    place.refuse("dynamic references are not supported, only \"$ref\"");
}

void read_items(keyword_place& place, const json::value& value)
{
    array_rules& rules = place.rules(&node::array);
    if (value.is_array())
        rules.first = ids_in(place, value);
    else
        rules.others = place.id_of(value);
}

// Says nothing unless `items` is an array.
void read_additional_items(keyword_place& place, const json::value& value)
{
    const json::value* const items = place.schema().if_contains("items");
    if (items && items->is_array())
        place.rules(&node::array).others = place.id_of(value);
}

void read_prefix_items(keyword_place& place, const json::value& value)
{
    place.rules(&node::array).first = some_ids_in(place, value);
}

void read_contains(keyword_place& place, const json::value& value)
{
    place.rules(&node::array).wanted = place.id_of(value);
}

void read_unevaluated_items(keyword_place& place, const json::value& value)
{
    place.into().unseen_items = place.id_of(value);
}

void read_properties(keyword_place& place, const json::value& value)
{
    auto& members = place.rules(&node::object).members;
    for (const json::key_value_pair& member : value.get_object())
        members.emplace_back(member.key(), place.id_of(member.value()));
    std::sort(members.begin(), members.end());
}

void read_pattern_properties(keyword_place& place, const json::value& value)
{
    auto& patterns = place.rules(&node::object).patterns;
    for (const json::key_value_pair& member : value.get_object())
        patterns.emplace_back(pattern_in(place, member.key()), place.id_of(member.value()));
}

void read_additional_properties(keyword_place& place, const json::value& value)
{
    place.rules(&node::object).others = place.id_of(value);
}

void read_property_names(keyword_place& place, const json::value& value)
{
    place.rules(&node::object).name = place.id_of(value);
}

void read_dependent_schemas(keyword_place& place, const json::value& value)
{
    for (const json::key_value_pair& member : value.get_object())
        place.rules(&node::object).fits_with.emplace_back(member.key(), place.id_of(member.value()));
}

void read_dependencies(keyword_place& place, const json::value& value)
{
    object_rules& rules = place.rules(&node::object);
    for (const json::key_value_pair& member : value.get_object()) {
        if (member.value().is_array())
            rules.required_with.emplace_back(member.key(), names_in(place, member.value()));
        else
            rules.fits_with.emplace_back(member.key(), place.id_of(member.value()));
    }
}

void read_unevaluated_properties(keyword_place& place, const json::value& value)
{
    place.into().unseen_members = place.id_of(value);
}

void read_all_of(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).all = some_ids_in(place, value);
}

void read_any_of(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).any = some_ids_in(place, value);
}

void read_one_of(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).one = some_ids_in(place, value);
}

void read_not(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).none = place.id_of(value);
}

void read_if(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).condition = place.id_of(value);
}

void read_then(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).then_fits = place.id_of(value);
}

void read_else(keyword_place& place, const json::value& value)
{
    place.rules(&node::choice).else_fits = place.id_of(value);
}

} // namespace partyline::mcp::detail
