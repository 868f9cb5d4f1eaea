#include "mcp/schema/schema_program.hpp"

#include "mcp/schema/compile/endless_loop.hpp"
#include "mcp/schema/compile/keyword_place.hpp"

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

void read_member(keyword_place& place, std::string_view name, const json::value& value)
{
    place.set_name(name);
    find_keyword(name, place.index().version())->read(place, value); // the index has found it before
}

node read_node(const document_index& index, node_id id, std::size_t& pattern_steps)
{
    node into;
    if (const bool* const boolean = index.places()[id].value->if_bool()) {
        into.boolean = *boolean;
        return into;
    }
    keyword_place place(index, id, into, pattern_steps);
    const json::value* const reference = place.schema().if_contains("$ref");
    if (reference && index.version() == draft_07) { // what stands beside it says nothing
        read_member(place, "$ref", *reference);
        return into;
    }
    for (const json::key_value_pair& member : place.schema())
        read_member(place, member.key(), member.value());
    return into;
}

} // namespace

schema_program::schema_program(const json::value& document) : document_(document), index_(document_)
{
    nodes_.reserve(index_.places().size());
    std::size_t pattern_steps = 0;
    for (node_id id = 0; id < index_.places().size(); ++id)
        nodes_.push_back(read_node(index_, id, pattern_steps));
    if (const auto id = find_endless_loop(nodes_))
        index_.refuse(*id, "it leads back to itself without a step into the value");
}

} // namespace partyline::mcp::detail
