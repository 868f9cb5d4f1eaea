// What the schemas of a document are called: the part of the index that knows URIs and anchors.
#include "mcp/schema/compile/document_index.hpp"
#include "mcp/schema/compile/json_pointer.hpp"
#include "mcp/schema/compile/uri.hpp"

#include <algorithm>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

bool is_anchor_name(std::string_view name) noexcept
{
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto may_follow = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
    return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), may_follow);
}

// Draft-07: what stands beside a $ref says nothing.
bool is_silenced(const json::value& schema, dialect version)
{
    return version == draft_07 && schema.get_object().contains("$ref");
}

} // namespace

// The text of a member that names something; empty without one.
std::string_view document_index::name_in(node_id id, std::string_view word) const
{
    const json::value* const name = places_[id].value->get_object().if_contains(word);
    if (!name)
        return {};
    if (!name->is_string() || name->get_string().empty())
        refuse(id, word, "it has to be a text");
    return name->get_string();
}

std::size_t document_index::resource_of(node_id id)
{
    const schema_place& at = places_[id];
    if (is_silenced(*at.value, version_))
        return at.resource;
    const auto [uri, fragment] = split_fragment(name_in(id, "$id"));
    if (!fragment.empty() && version_ != draft_07)
        refuse(id, "$id", "it must not have a fragment; \"$anchor\" is for that");
    if (uri.empty())
        return at.resource;
    return add_resource(resolve_uri(resources_[at.resource].uri, uri), id);
}

std::size_t document_index::add_resource(std::string uri, node_id id)
{
    if (uri.size() > max_uri_bytes)
        refuse(id, "$id", "it is longer than " + std::to_string(max_uri_bytes) + " bytes");
    if (!resource_by_uri_.emplace(uri, resources_.size()).second)
        refuse(id, "$id", "another schema has the same");
    resources_.push_back({std::move(uri), places_[id].value});
    return resources_.size() - 1;
}

void document_index::add_anchors(node_id id)
{
    if (is_silenced(*places_[id].value, version_))
        return;
    if (version_ == draft_07)
        return add_anchor(split_fragment(name_in(id, "$id")).second, id);
    const std::string_view name = name_in(id, "$anchor");
    const std::string_view dynamic = name_in(id, "$dynamicAnchor");
    add_anchor(name, id);
    if (dynamic != name)
        add_anchor(dynamic, id);
}

void document_index::add_anchor(std::string_view name, node_id id)
{
    const schema_place& at = places_[id];
    if (name.empty())
        return;
    if (!is_anchor_name(name))
        refuse(id, "an anchor has to be a plain name");
    if (!anchors_.emplace(std::pair(resources_[at.resource].root, std::string(name)), at.value).second)
        refuse(id, "another schema has the same anchor");
}

const document_index::resource* document_index::find_resource(std::size_t from, std::string_view uri) const
{
    if (uri.empty())
        return &resources_[from];
    const auto found = resource_by_uri_.find(resolve_uri(resources_[from].uri, uri));
    return found == resource_by_uri_.end() ? nullptr : &resources_[found->second];
}

const json::value* document_index::find(const resource& in, std::string_view fragment) const
{
    const std::optional<std::string> plain = percent_decoded(fragment);
    if (!plain)
        return nullptr;
    if (plain->empty() || plain->front() == '/')
        return find_by_pointer(*in.root, *plain);
    const auto found = anchors_.find(std::pair(in.root, *plain));
    return found == anchors_.end() ? nullptr : found->second;
}

} // namespace partyline::mcp::detail
