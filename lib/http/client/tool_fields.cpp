#include "http/client/tool_fields.hpp"

#include "http/mcp/base64_value.hpp"
#include "http/mcp/mirrored_value.hpp"
#include "http/wire/characters.hpp"

#include <boost/json/value.hpp>

#include <set>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

constexpr std::string_view mark = "x-mcp-header";

// Of the marks of all tools.
constexpr std::size_t most_bytes = std::size_t(1) << 20;
// Most levels of properties.
constexpr std::size_t max_depth = 32;

const json::value* member(const json::value& of, std::string_view name)
{
    const json::object* const object = of.if_object();
    return object ? object->if_contains(name) : nullptr;
}

std::string_view text_of(const json::value* value)
{
    const json::string* const text = value ? value->if_string() : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

bool is_plain(std::string_view type) noexcept
{
    return type == "string" || type == "integer" || type == "boolean";
}

using property_path = std::vector<std::string_view>; // into the list

// Takes the marks of one schema and of its properties: only a chain of properties leads to a mark.
template <class Take>
void for_each_mark(const json::value& schema, property_path& path, const Take& take)
{
    const json::value* const properties = member(schema, "properties");
    if (!properties || !properties->is_object() || path.size() == max_depth)
        return;
    for (const auto& [name, property] : properties->get_object()) {
        path.emplace_back(name);
        if (const json::value* const field = member(property, mark))
            take(text_of(field), text_of(member(property, "type")), path);
        for_each_mark(property, path, take);
        path.pop_back();
    }
}

// The bytes of a copy.
std::size_t bytes_of(const property_path& path)
{
    std::size_t bytes = path.size() * sizeof(std::string);
    for (const std::string_view name : path)
        bytes += name.size();
    return bytes;
}

} // namespace

std::optional<json::value> tool_fields::note_list(json_view result)
{
    if (result.text().find(mark) == result.text().npos && tools_.empty())
        return std::nullopt;
    json::value list = result.to_value();
    json::object* const whole = list.if_object();
    json::value* const tools = whole ? whole->if_contains("tools") : nullptr;
    if (!tools || !tools->is_array())
        return std::nullopt;
    json::array& all = tools->get_array();
    const std::size_t said = all.size();
    json::array kept(all.storage());
    for (json::value& tool : all) {
        if (note_tool(tool))
            kept.push_back(std::move(tool));
    }
    if (kept.size() == said)
        return std::nullopt;
    all = std::move(kept);
    return list;
}

// Returns whether the tool can be called. All marks of a tool may be below the same long names, so nothing is copied
// before there is known to be room for it.
bool tool_fields::note_tool(const json::value& tool)
{
    const std::string name(text_of(member(tool, "name")));
    forget(name); // as an earlier page, or the same one, had it
    std::vector<mirrored> all;
    std::set<std::string> names;
    bool is_right = true;
    std::size_t bytes = name.size();
    const auto take = [&](std::string_view field, std::string_view type, const property_path& path) {
        is_right = is_right && !field.empty() && is_all(field, is_token_char) && is_plain(type) &&
                   names.insert(lower_case(field)).second && names.size() <= max_fields;
        if (!is_right)
            return;
        bytes += sizeof(mirrored) + field.size() + bytes_of(path);
        if (bytes_ + bytes <= most_bytes)
            all.push_back({std::string(field), {path.begin(), path.end()}});
    };
    property_path path;
    if (const json::value* const schema = member(tool, "inputSchema"))
        for_each_mark(*schema, path, take);
    if (is_right && !all.empty() && bytes_ + bytes <= most_bytes) {
        tools_.emplace(name, tool_marks{std::move(all), bytes});
        bytes_ += bytes;
    }
    return is_right;
}

void tool_fields::forget(const std::string& tool) noexcept
{
    const auto known = tools_.find(tool);
    if (known == tools_.end())
        return;
    bytes_ -= known->second.bytes;
    tools_.erase(known);
}

void tool_fields::clear() noexcept
{
    tools_.clear();
    bytes_ = 0;
}

std::vector<field_text> tool_fields::fields_for(const std::string& tool, message_reader& reader) const
{
    std::vector<field_text> all;
    const auto found = tools_.find(tool);
    if (found == tools_.end())
        return all;
    for (const mirrored& each : found->second.all) {
        if (const auto value = find_mirrored(reader, each.path))
            all.push_back({"Mcp-Param-" + each.field, encode_field_value(value->text)});
    }
    return all;
}

} // namespace partyline::http
