#include "mcp/schema/compile/document_index.hpp"

#include "mcp/schema/compile/json_pointer.hpp"
#include "mcp/schema/compile/uri.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/array.hpp>

#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

constexpr std::size_t max_shown_pointer = 256;

dialect version_of(const json::value& document)
{
    const json::object* const schema = document.if_object();
    const json::value* const uri = schema ? schema->if_contains("$schema") : nullptr;
    if (!uri)
        return draft_2020_12;
    if (!uri->is_string())
        throw std::invalid_argument("in the schema at /$schema: it has to be a string");
    const std::optional<dialect> version = dialect_of(uri->get_string());
    if (!version)
        throw std::invalid_argument("in the schema at /$schema: the dialect \"" + printable(uri->get_string(), 256) +
                                    "\" is not supported, only 2020-12 and draft-07");
    return *version;
}

} // namespace

document_index::document_index(const json::value& document) : version_(version_of(document))
{
    resources_.push_back({"", &document});
    resource_by_uri_.emplace("", 0);
    walk({&document, 0}, 0);
}

// Places know the one they stand in, and not their whole pointer: with long names these would take quadratic memory.
std::string document_index::pointer_of(node_id id) const
{
    std::vector<const schema_place*> steps;
    for (; id != 0; id = places_[id].outer)
        steps.push_back(&places_[id]);
    std::string pointer;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        append_to_pointer(pointer, (*step)->word);
        if ((*step)->step)
            append_to_pointer(pointer, *(*step)->step);
    }
    return pointer;
}

void document_index::refuse(node_id id, std::string_view why) const
{
    const std::string shown = printable(pointer_of(id), max_shown_pointer);
    throw std::invalid_argument("in the schema" + (shown.empty() ? "" : " at " + shown) + ": " + std::string(why));
}

void document_index::refuse(node_id id, std::string_view word, std::string_view why) const
{
    std::string pointer = pointer_of(id);
    append_to_pointer(pointer, word);
    throw std::invalid_argument("in the schema at " + printable(pointer, max_shown_pointer) + ": " + std::string(why));
}

void document_index::walk(schema_place at, std::size_t depth)
{
    const json::value& schema = *at.value;
    const auto id = static_cast<node_id>(places_.size());
    places_.push_back(std::move(at));
    ids_.emplace(&schema, id);
    if (depth > max_schema_depth)
        refuse(id, "more than " + std::to_string(max_schema_depth) + " schemas in each other");
    if (places_.size() > max_schema_count)
        refuse(id, "more than " + std::to_string(max_schema_count) + " schemas");
    if (schema.is_object())
        walk_members(id, depth + 1);
    else if (!schema.is_bool())
        refuse(id, "a schema has to be an object, true or false");
}

void document_index::walk_members(node_id id, std::size_t depth)
{
    places_[id].resource = resource_of(id);
    check_dialect(id);
    add_anchors(id);
    for (const json::key_value_pair& member : places_[id].value->get_object()) {
        const keyword* const word = find_keyword(member.key(), version_);
        if (!word)
            refuse(id, member.key(), "there is no such keyword in JSON Schema " + std::string(name_of(version_)));
        walk_held(*word, member.value(), id, depth);
    }
}

void document_index::walk_held(const keyword& word, const json::value& value, node_id outer, std::size_t depth)
{
    switch (word.holds) {
    case holding::nothing: return;
    case holding::list: return walk_list(value, outer, word.name, depth);
    case holding::members:
    case holding::schemas_or_names: return walk_named(value, outer, word, depth);
    case holding::schema_or_list:
        if (value.is_array())
            return walk_list(value, outer, word.name, depth);
        break;
    case holding::schema: break;
    }
    walk({&value, places_[outer].resource, outer, word.name}, depth);
}

void document_index::walk_list(const json::value& value, node_id outer, std::string_view word, std::size_t depth)
{
    const json::array* const schemas = value.if_array();
    if (!schemas)
        refuse(outer, word, "it has to be an array of schemas");
    for (std::size_t i = 0; i < schemas->size(); ++i)
        walk({&(*schemas)[i], places_[outer].resource, outer, word, std::to_string(i)}, depth);
}

void document_index::walk_named(const json::value& value, node_id outer, const keyword& word, std::size_t depth)
{
    const json::object* const schemas = value.if_object();
    if (!schemas)
        refuse(outer, word.name, "it has to be an object of schemas");
    for (const json::key_value_pair& member : *schemas) {
        const bool is_schema = word.holds == holding::members || !member.value().is_array();
        if (is_schema)
            walk({&member.value(), places_[outer].resource, outer, word.name, std::string(member.key())}, depth);
    }
}

void document_index::check_dialect(node_id id) const
{
    const json::value* const uri = places_[id].value->get_object().if_contains("$schema");
    const bool is_same = !uri || (uri->is_string() && dialect_of(uri->get_string()) == version_);
    if (!is_same)
        refuse(id, "$schema", "a document has one dialect");
}

node_id document_index::resolve(std::size_t from, std::string_view reference) const
{
    const auto [uri, fragment] = split_fragment(reference);
    const resource* const in = find_resource(from, uri);
    if (!in)
        throw std::invalid_argument("the reference leads out of the document, and nothing is fetched");
    const json::value* const found = find(*in, fragment);
    const auto id = ids_.find(found);
    if (id == ids_.end())
        throw std::invalid_argument("the reference leads to no schema in the document");
    return id->second;
}

} // namespace partyline::mcp::detail
